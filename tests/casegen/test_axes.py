"""The index of codes by the axis along which they can be got wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from casegen.axes import STRATA, AxisPool, wrong_sevenths
from casegen.knowledge import reference, world_of
from casegen.randomness import Fixed
from casegen.seeds.icd10cm.tables import TailCode

ON = "2026-04-01"
TABLES = reference()[0]
POOLS = world_of("train").axis_codes


def some(axis: str) -> Iterator[tuple[AxisPool, int, TailCode]]:
    """Codes of an axis, spread over its pools, with their places."""
    for pool in POOLS[axis]:
        for at in range(0, len(pool.numbers), max(1, len(pool.numbers) // 150)):
            yield pool, at, TABLES.tail(pool.stratum, pool.numbers[at])


def test_every_axis_has_codes_of_all_its_strata() -> None:
    assert {axis: tuple(p.stratum for p in pools) for axis, pools in POOLS.items()} == STRATA


@pytest.mark.parametrize("axis", STRATA)
def test_codes_may_stand_alone_and_healing_injuries_come_last(axis: str) -> None:
    for pool, at, tail in some(axis):
        assert tail.partners == ()
        healing = pool.stratum == "injury" and tail.attributes.get("phase") == "healing"
        assert healing == (at >= pool.healing), tail.code


@pytest.mark.parametrize("axis", ["phase", "healing", "fracture_type", "silent_phase"])
def test_another_seventh_character_makes_a_valid_wrong_code(axis: str) -> None:
    kind = "phase" if axis == "silent_phase" else axis
    for _, _, tail in some(axis):
        mine = TABLES.seventh(tail.code)
        assert mine is not None
        others = wrong_sevenths(kind, mine, TABLES.sevenths(tail.code).values())
        assert others, tail.code
        assert all(TABLES.status(tail.code[:-1] + char, ON) == "valid" for char in others)


@pytest.mark.parametrize("axis", ["laterality", "unspecified", "silent_side"])
def test_another_side_makes_a_valid_wrong_code(axis: str) -> None:
    for _, _, tail in some(axis):
        siblings = TABLES.side_siblings(tail.code)
        mine = TABLES.laterality(tail.code)
        assert mine == tail.attributes["side"]
        wanted = {"unspecified"} if axis == "unspecified" else {"right", "left", "bilateral"}
        wrong = [code for side, code in siblings.items() if side in wanted - {mine}]
        assert wrong, tail.code
        assert all(TABLES.status(code, ON) == "valid" for code in wrong)


@pytest.mark.parametrize("axis", ["silent_side", "silent_phase"])
def test_the_official_wording_is_silent_on_the_side(axis: str) -> None:
    for _, _, tail in some(axis):
        assert not {"right", "left"} & set(tail.term.lower().split()), tail.code
        assert axis == "silent_phase" or tail.attributes["side"] in ("right", "left")


def test_a_code_without_its_last_character_is_incomplete() -> None:
    for _, _, tail in some("incomplete"):
        stem = tail.code[:-1].rstrip("X.") if tail.code[7:] else tail.code[:-1].rstrip(".")
        assert TABLES.status(stem, ON) == "incomplete", tail.code


def test_the_index_leaves_no_code_out() -> None:
    """Every code of a stratum that has a side and a sibling stands in the pool for it."""
    (pool,) = (p for p in POOLS["laterality"] if p.stratum == "neoplasm")
    expected = []
    for number in range(TABLES.tail_count("neoplasm")):
        tail = TABLES.tail("neoplasm", number)
        mine = TABLES.laterality(tail.code)
        others = set(TABLES.side_siblings(tail.code)) - {mine, "unspecified"}
        if "side" in tail.attributes and others and not tail.partners:
            expected.append(number)
    assert list(pool.numbers) == expected


def test_a_draw_keeps_to_the_phases_that_are_open() -> None:
    pool = AxisPool("injury", [10, 11, 12, 13], 3)
    lane = Fixed("draw")
    assert {pool.draw(lane, True, False) for _ in range(60)} == {10, 11, 12}
    assert {pool.draw(lane, False, True) for _ in range(20)} == {13}
    assert {pool.draw(lane, True, True) for _ in range(90)} == {10, 11, 12, 13}
    assert pool.draw(lane, False, False) is None
