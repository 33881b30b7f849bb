"""The record against the exactness of the code."""

from __future__ import annotations

import pytest

RADIUS = "Unspecified fracture of the lower end of right radius"
RADIUS_SIDELESS = "Unspecified fracture of the lower end of radius"
KNEE = "Unilateral primary osteoarthritis, right knee"


@pytest.mark.parametrize(
    ("attributes", "right"),
    [
        ({"phase": "healing", "healing": "routine"}, "S52.501D"),
        ({"phase": "active"}, "S52.501A"),
        ({"phase": "healing", "healing": "nonunion"}, "S52.501K"),
        ({"phase": "healing", "healing": "delayed"}, "S52.501G"),
        ({"phase": "healing", "healing": "malunion"}, "S52.501P"),
        ({"phase": "active", "fracture": "open_1_2"}, "S52.501B"),
        (
            {"phase": "healing", "healing": "routine", "fracture": "open_1_2"},
            "S52.501E",
        ),
        ({"phase": "sequela"}, "S52.501S"),
    ],
)
def test_the_phase_of_care_and_the_fracture_give_the_seventh_character(claim, attributes, right):
    c = claim()
    c.has(RADIUS, **attributes)
    assert c.bill(right).clean()


@pytest.mark.parametrize(
    ("billed", "attributes", "kind", "right"),
    [
        ("S52.501A", {"phase": "healing", "healing": "routine"}, "phase", "S52.501D"),
        ("S52.501D", {"phase": "active"}, "phase", "S52.501A"),
        ("S52.501D", {"phase": "healing", "healing": "nonunion"}, "healing", "S52.501K"),
        ("S52.501A", {"phase": "active", "fracture": "open_1_2"}, "fracture_type", "S52.501B"),
        ("S52.502D", {"phase": "healing", "healing": "routine"}, "laterality", "S52.501D"),
        ("S52.509D", {"phase": "healing", "healing": "routine"}, "unspecified", "S52.501D"),
    ],
)
def test_a_seventh_character_or_side_against_the_record_is_replaced(
    claim, billed, attributes, kind, right
):
    c = claim()
    c.has(RADIUS, **attributes)
    c.bill(billed)
    assert c.errors() == [("specificity_error", kind, billed, right)]
    assert c.evidence() == {RADIUS}
    assert c.reviews() == []
    c.forget_evidence()
    assert c.errors() == []
    assert ("unsupported", billed) in c.reviews()


def test_unspecified_is_wrong_where_the_side_is_known(claim):
    c = claim()
    c.has(KNEE)
    c.bill("M17.10")
    assert c.errors() == [("specificity_error", "unspecified", "M17.10", "M17.11")]
    assert c.check().verdicts[0].accepted_error_types == ["specificity_error"]


def test_less_detail_than_the_record_states_is_unspecified(claim):
    c = claim()
    c.has("Chronic obstructive pulmonary disease with (acute) exacerbation")
    assert c.bill("J44.9").errors() == [("specificity_error", "unspecified", "J44.9", "J44.1")]


def test_a_wrong_detail_of_the_category_is_replaced(claim):
    c = claim()
    c.has("Chronic kidney disease, stage 3a")
    assert c.bill("N18.4").errors() == [("specificity_error", "detail", "N18.4", "N18.31")]


def test_the_physicians_answer_settles_the_side(claim):
    c = claim()
    fact = c.has(RADIUS_SIDELESS, phase="active")
    c.answers("side", fact, "side", "left")
    c.bill("S52.501A")
    assert c.errors() == [("specificity_error", "laterality", "S52.501A", "S52.502A")]
    assert c.check().verdicts[0].questions == ["side"]


def test_an_answer_that_changes_nothing_is_not_named(claim):
    c = claim()
    fact = c.has(RADIUS_SIDELESS, side="left", phase="active")
    c.answers("side", fact, "side", "left")
    c.bill("S52.501A")
    assert c.check().verdicts[0].questions == []


def test_without_the_answer_the_same_claim_is_another(claim):
    c = claim()
    c.has(RADIUS_SIDELESS, phase="active")
    c.bill("S52.501A")
    assert c.errors() != [("specificity_error", "laterality", "S52.501A", "S52.502A")]


def test_a_fact_that_leaves_the_phase_open_never_makes_an_error(claim):
    c = claim()
    c.has(RADIUS)
    c.bill("S52.501A")
    assert c.errors() == []
    assert c.reviews() == [("record does not settle", "S52.501A")]


def test_a_code_that_the_record_does_not_know_is_a_review(claim):
    c = claim()
    c.has(KNEE)
    c.bill("M17.11").bill("E78.5")
    assert c.errors() == []
    assert c.reviews() == [("unsupported", "E78.5")]


def test_a_code_that_the_record_calls_for_in_vain_is_a_review(claim):
    c = claim()
    c.has(KNEE)
    c.has("Hyperlipidemia, unspecified")
    c.bill("M17.11")
    assert c.reviews() == [("unbilled", "E78.5")]


def test_a_ruled_out_problem_supports_no_code(claim):
    c = claim()
    c.has("Hyperlipidemia, unspecified", status="ruled_out")
    assert c.bill("E78.5").reviews() == [("unsupported", "E78.5")]


def test_without_a_record_no_exactness_is_judged(claim):
    c = claim().bill("S52.501A").bill("M17.10").without_record()
    report = c.check()
    assert report.verdicts == [] and report.reviews == []
    assert report.unjudged


def test_one_code_twice_is_a_review(claim):
    c = claim()
    c.has(KNEE)
    assert c.bill("M17.11").bill("M17.11").reviews() == [("duplicate", "M17.11")]
