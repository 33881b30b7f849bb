"""Slips of the pen: no real codes, beside real ones, and described by a neighbour."""

from __future__ import annotations

import pytest

from casegen.injectors.slips import fits_in, likeness, neighbour, slips_of, variants
from casegen.seeds.icd10cm.tables import load

CODES = ("E11.9", "I10", "S52.521A", "W21.89XA", "H40.1131", "C50.911", "N18.30", "Z79.4")


@pytest.mark.parametrize("code", CODES)
def test_slips_are_no_codes_of_the_list_but_stand_beside_some(code: str) -> None:
    tables = load()
    slips, totals = slips_of(tables, code)
    assert slips
    assert len(set(slips)) == len(slips) == len(totals)
    assert all(low < high for low, high in zip((0, *totals), totals, strict=False))
    for slip in slips:
        assert not tables.exists(slip)
        assert len(slip) == 3 or tables.exists(slip[:3])
        assert slip[0] == code[0]


def test_a_likelier_look_has_more_weight() -> None:
    tables = load()
    store = tables.store
    slips, totals = slips_of(tables, "S52.521A")
    steps = [high - low for low, high in zip((0, *totals), totals, strict=False)]
    weights = dict(zip(slips, steps, strict=True))
    known = {
        slip: figure + likeness(store, slip)
        for slip, figure in variants(store, "S52521A").items()
        if fits_in(store, slip)
    }
    best = max(known, key=lambda slip: known[slip])
    assert max(weights, key=lambda slip: weights[slip]).replace(".", "") == best


def test_a_seventh_character_stands_only_where_neighbours_take_it() -> None:
    store = load().store
    assert not fits_in(store, "S62301M")
    assert not fits_in(store, "S5252")
    assert not fits_in(store, "S525219")


@pytest.mark.parametrize("code", CODES)
def test_the_neighbour_is_a_complete_code_and_never_the_right_one(code: str) -> None:
    tables = load()
    for slip in slips_of(tables, code)[0]:
        beside = neighbour(tables, slip, code)
        assert beside is not None
        assert beside != code
        assert tables.billable(beside)
        assert len(slip) != 8 or beside[-1] == slip[-1]


def test_the_neighbour_is_of_the_same_category_where_that_has_another() -> None:
    beside = neighbour(load(), "E11.699", "E11.65")
    assert beside is not None
    assert beside.startswith("E11")


def test_a_code_of_three_characters_has_a_neighbour_beside_it() -> None:
    beside = neighbour(load(), "J73", "J72")
    assert beside is not None
    assert beside.startswith("J7")
