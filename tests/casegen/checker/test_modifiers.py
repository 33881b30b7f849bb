"""Modifiers that are unknown or misplaced are open points."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("code", "modifiers", "told"),
    [
        ("99213", ["ZZ"], "ZZ"),
        ("99213", ["00"], "00"),
        ("99213", ["2"], "2"),
        ("93306", ["25"], "25"),
        ("99213", ["59"], "59"),
        ("99213", ["XU"], "XU"),
        ("E11.9", ["LT"], "diagnosis"),
    ],
)
def test_a_modifier_that_says_nothing_is_an_open_point(claim, code, modifiers, told):
    c = claim().bill(code, *modifiers).without_record()
    assert c.errors() == []
    assert c.reviews() == [("modifier", code)]
    assert told in c.check().reviews[0].message


@pytest.mark.parametrize(
    ("code", "modifiers"),
    [
        ("99213", ["25"]),
        ("99213", ["95"]),
        ("93306", ["26"]),
        ("93306", ["TC"]),
        ("93306", ["59"]),
        ("20610", ["RT"]),
        ("20610", ["50"]),
    ],
)
def test_known_modifiers_in_their_place_pass(claim, code, modifiers):
    assert claim().bill(code, *modifiers).without_record().reviews() == []


def test_ambulances_name_origin_and_destination(claim):
    c = claim().bill("A0429", "RH").bill("A0425", "SH").without_record()
    assert not [r for r in c.reviews() if r[0] == "modifier"]


def test_a_pair_gives_59_on_a_visit_something_to_part(claim, services):
    edit = next(
        e
        for e in services.edits("2026-05-04")
        if e.indicator == 1 and services.get(e.column2).takes_25
    )
    c = claim().bill(edit.column1).bill(edit.column2, "59").without_record()
    assert not [r for r in c.reviews() if r[0] == "modifier"]


def test_a_modifier_hides_no_missing_support(claim):
    c = claim().bill("93306", "25")
    assert c.reviews() == [("modifier", "93306"), ("unsupported", "93306")]
