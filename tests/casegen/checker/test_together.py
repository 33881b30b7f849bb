"""Diagnoses that do not go together, or not in that order."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("codes", "kind", "section"),
    [
        (["M17.11", "M17.12"], "sides", "I.B.13"),
        (["M17.0", "M17.11"], "sides", "I.B.13"),
        (["H25.11", "H25.13"], "sides", "I.B.13"),
        (["M25.561", "M25.569"], "sides", "I.B.13"),
        (["S72.001A", "S72.001D"], "phases", "I.A.5"),
        (["S93.401A", "S93.401S"], "phases", "I.A.5"),
    ],
)
def test_sides_and_phases_of_one_condition(claim, tables, codes, kind, section):
    c = claim().without_record()
    for code in codes:
        c.bill(code)
    assert [r for r in c.reviews() if r[0] != "excludes1"] == [(kind, codes[1])]
    (review,) = [r for r in c.check().reviews if r.kind == kind]
    assert section in review.authority.reference
    assert c.errors() == []


@pytest.mark.parametrize(
    "codes",
    [
        ["M25.561", "M25.562"],  # no code for both knees
        ["S72.001A", "S72.002D"],  # two fractures
        ["S72.001A", "W01.0XXA", "W01.0XXD"],  # two accidents
        ["E11.22", "E11.65"],
    ],
)
def test_these_may_stand_together(claim, codes):
    c = claim().without_record()
    for code in codes:
        c.bill(code)
    assert not [r for r in c.reviews() if r[0] in ("sides", "phases")]


@pytest.mark.parametrize(
    ("codes", "first", "section"),
    [
        (["W19.XXXA", "S93.401A"], "W19.XXXA", "I.C.20.a.6"),
        (["Y99.8"], "Y99.8", "I.C.20.a.6"),
        (["F02.80", "G30.9"], "F02.80", "I.A.13"),
        (["F02.80"], "F02.80", "I.A.13"),
    ],
)
def test_codes_that_never_stand_first(claim, codes, first, section):
    c = claim().without_record()
    for code in codes:
        c.bill(code)
    assert c.reviews() == [("sequence", first)]
    assert section in c.check().reviews[0].authority.reference


def test_a_service_before_the_diagnoses_changes_nothing(claim):
    assert claim().bill("99213").bill("W19.XXXA").without_record().reviews() == [
        ("sequence", "W19.XXXA")
    ]


def test_the_rest_of_the_order_is_not_judged_and_said_once(claim):
    c = claim().bill("S93.401A").bill("W19.XXXA").bill("G30.9").bill("F02.80").without_record()
    assert c.reviews() == []
    assert sum("order of the diagnoses" in text for text in c.check().unjudged) == 1


@pytest.mark.parametrize(
    ("codes", "section"),
    [
        (["I10", "N18.31"], "I.C.9.a"),
        (["I50.22", "I10"], "I.C.9.a"),
        (["I10", "I11.0"], "I.C.9.a"),
        (["I10", "I12.9"], "I.C.9.a"),
        (["I10", "I13.0"], "I.C.9.a"),
        (["E11.9", "N18.31"], "I.A.15"),
        (["E10.9", "N18.6"], "I.A.15"),
    ],
)
def test_without_a_record_a_presumed_link_is_an_open_point(claim, codes, section):
    c = claim().without_record()
    for code in codes:
        c.bill(code)
    assert c.errors() == []
    links = [r for r in c.check().reviews if r.kind == "link presumed"]
    assert len(links) == 1 and section in links[0].authority.reference


@pytest.mark.parametrize(
    "codes", [["I10", "E11.9"], ["I12.9", "N18.31"], ["E11.22", "N18.31"], ["I11.0", "I50.22"]]
)
def test_where_nothing_is_presumed_or_the_code_says_so(claim, codes):
    c = claim().without_record()
    for code in codes:
        c.bill(code)
    assert c.reviews() == []
