"""Excludes1 notes: one condition or two is for the record to say."""

from __future__ import annotations

import pytest

T1DM = "Type 1 diabetes mellitus without complications"
T2DM = "Type 2 diabetes mellitus without complications"
COPD = "Chronic obstructive pulmonary disease with (acute) exacerbation"
ASTHMA = "Mild intermittent asthma, uncomplicated"


def test_copd_and_asthma_stand_side_by_side(claim):
    c = claim()
    c.has(COPD)
    c.has(ASTHMA)
    assert c.bill("J44.1").bill("J45.20").clean()


def test_asthma_that_was_ruled_out_is_unsupported_and_no_conflict(claim):
    c = claim()
    c.has(COPD)
    c.has(ASTHMA, status="ruled_out")
    c.bill("J44.1").bill("J45.20")
    assert c.errors() == []
    assert c.reviews() == [("unsupported", "J45.20")]


@pytest.mark.parametrize("lines", [("E10.9", "E11.9"), ("E11.9", "E10.9")])
def test_the_documented_type_of_diabetes_stays(claim, lines):
    c = claim()
    c.has(T2DM)
    ruled_out = c.has(T1DM, status="ruled_out")
    for code in lines:
        c.bill(code)
    assert c.errors() == [("excludes1_conflict", "inherited_note", "E10.9", None)]
    (verdict,) = c.check().verdicts
    assert verdict.related_code == "E11.9"
    assert verdict.accepted_codes == ["E10.9", "E11.9"]
    assert c.evidence() == {T2DM, T1DM}
    assert c.reviews() == []
    ruled_out.spans = []
    assert c.evidence() == {T2DM}
    c.forget_evidence()
    assert c.errors() == []
    assert c.reviews()


@pytest.mark.parametrize(
    ("kept", "term", "wrong", "kind"),
    [
        ("N30.00", "Acute cystitis without hematuria", "N39.0", "own_note"),
        (
            "I25.110",
            "Atherosclerotic heart disease of native coronary artery with unstable angina pectoris",
            "I20.9",
            "inherited_note",
        ),
        ("E11.9", T2DM, "E11.A", "own_note"),
    ],
)
def test_own_and_inherited_notes_count(claim, kept, term, wrong, kind):
    c = claim()
    c.has(term)
    c.bill(wrong).bill(kept)
    assert c.errors() == [("excludes1_conflict", kind, wrong, None)]


def test_the_words_of_a_note_narrow_its_codes(claim):
    bleeding = "Diverticulosis of large intestine without perforation or abscess with bleeding"
    dry = "Diverticulosis of large intestine without perforation or abscess without bleeding"
    c = claim()
    c.has(bleeding)
    assert c.bill("K57.31").bill("K92.2").errors() == [
        ("excludes1_conflict", "own_note", "K92.2", None)
    ]
    c = claim()
    c.has(dry)
    c.has("Gastrointestinal hemorrhage, unspecified")
    assert c.bill("K57.30").bill("K92.2").clean()


def test_acidosis_in_diabetes_is_excluded_and_diabetes_alone_is_not(claim):
    c = claim()
    c.has(T2DM)
    c.has("Acidosis, unspecified")
    assert c.bill("E11.9").bill("E87.20").errors() == []


def test_unrelated_conditions_may_stand_together(claim):
    c = claim()
    pain = c.has("Psychogenic dysmenorrhea")
    teeth = c.has("Sleep related bruxism")
    c.bill("F45.8").bill("G47.63")
    assert c.errors() == []
    assert c.reviews() == [("excludes1", "G47.63")]
    c.relation("unrelated", pain, teeth)
    assert c.clean()


def test_two_codes_that_the_record_supports_are_never_an_error(claim):
    c = claim()
    c.has(T1DM)
    c.has(T2DM)
    c.bill("E10.9").bill("E11.9")
    assert c.errors() == []
    assert ("excludes1", "E11.9") in c.reviews()


def test_without_a_record_a_conflict_is_for_the_chart_to_decide(claim):
    c = claim().bill("E10.9").bill("E11.9").without_record()
    assert c.errors() == []
    assert c.reviews() == [("excludes1", "E11.9")]
    (review,) = c.check().reviews
    assert "E11" in review.authority.reference


def test_a_wrong_side_is_no_excludes_conflict(claim):
    """A line that is to be replaced anyway conflicts with nothing."""
    c = claim()
    c.has("Unspecified fracture of the lower end of right radius", phase="active")
    c.bill("S52.502A")
    assert [e[0] for e in c.errors()] == ["specificity_error"]
