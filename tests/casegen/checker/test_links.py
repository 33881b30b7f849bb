"""Conditions that the guidelines link unless the chart says otherwise (I.A.15)."""

from __future__ import annotations

import pytest

HTN = "Essential (primary) hypertension"
T2DM = "Type 2 diabetes mellitus without complications"
T1DM = "Type 1 diabetes mellitus without complications"
CKD3A = "Chronic kidney disease, stage 3a"
ESRD = "End stage renal disease"
HF = "Chronic systolic (congestive) heart failure"
PKD = "Polycystic kidney, unspecified"


@pytest.mark.parametrize(
    ("terms", "codes"),
    [
        ([HTN], ["I10"]),
        ([HTN, HF], ["I11.0", "I50.22"]),
        ([HTN, CKD3A], ["I12.9", "N18.31"]),
        ([HTN, ESRD], ["I12.0", "N18.6"]),
        ([HTN, HF, CKD3A], ["I13.0", "I50.22", "N18.31"]),
        ([HTN, HF, ESRD], ["I13.2", "I50.22", "N18.6"]),
        ([T2DM, HTN, CKD3A], ["E11.22", "I12.9", "N18.31"]),
        ([T1DM, CKD3A], ["E10.22", "N18.31"]),
        ([T2DM, HF], ["E11.9", "I50.22"]),
    ],
)
def test_linked_conditions_take_the_combination_code(claim, terms, codes):
    c = claim()
    for term in terms:
        c.has(term)
    for code in codes:
        c.bill(code)
    assert c.clean()


def test_the_chart_can_untie_kidney_disease_from_both(claim):
    c = claim()
    diabetes, pressure, kidney = c.has(T2DM), c.has(HTN), c.has(CKD3A)
    c.has(PKD)
    c.relation("unrelated", diabetes, kidney)
    c.relation("unrelated", pressure, kidney)
    c.bill("E11.9").bill("I10").bill("Q61.3").bill("N18.31")
    assert c.clean()


def test_uncombined_diabetes_is_a_finding_that_rests_on_both_facts(claim):
    c = claim()
    c.has(T2DM)
    c.has(CKD3A)
    c.bill("E11.9").bill("N18.31")
    assert c.errors() == [("specificity_error", "unspecified", "E11.9", "E11.22")]
    assert c.evidence() == {T2DM, CKD3A}


def test_uncombined_hypertension_is_of_another_category_and_so_a_review(claim):
    c = claim()
    c.has(HTN)
    c.has(HF)
    c.bill("I10").bill("I50.22")
    assert c.errors() == []
    assert set(c.reviews()) == {("unsupported", "I10"), ("unbilled", "I11.0")}


def test_another_complication_keeps_its_code_beside_the_linked_one(claim):
    c = claim()
    c.has("Type 2 diabetes mellitus with hyperglycemia")
    c.has(CKD3A)
    c.bill("E11.65").bill("E11.22").bill("N18.31")
    assert c.clean()


def test_a_condition_that_a_diabetes_title_names_leaves_the_code_to_the_chart(claim):
    c = claim()
    c.has(T2DM)
    c.has("Polyneuropathy, unspecified")
    c.bill("E11.9").bill("G62.9")
    assert c.errors() == []
    assert c.reviews() == [("record does not settle", "E11.9")]


def test_other_heart_disease_beside_hypertension_is_left_to_the_chart(claim):
    c = claim()
    c.has(HTN)
    c.has("Cardiomegaly")
    c.bill("I10").bill("I51.7")
    assert c.errors() == []
    assert ("record does not settle", "I10") in c.reviews()
