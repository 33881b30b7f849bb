"""The case kinds from practice, as the generator draws them, with their right answers.

The answers are written by hand from the guidelines and the tabular list.
"""

from __future__ import annotations

import pytest

import casegen
from casegen.schemas import CodingCase
from casegen.seeds.scenarios import guidelines

from .charts import chart_of, codes, drawn, in_order, why_wrong

# -- 8: cough and fever, probable pneumonia


def test_outside_a_hospital_a_probable_pneumonia_leaves_its_symptoms_to_code() -> None:
    seen = 0
    for case in drawn("uncertain", count=120)["probable_pneumonia"]:
        if case.encounter.setting == "inpatient":
            continue
        seen += 1
        assert {"R05.1", "R50.9"} <= set(codes(case))
        assert "J18.9" not in codes(case)
        assert why_wrong(case, "J18.9") == ("uncertain", "IV.H")
        assert not case.needs_review
    assert seen >= 3


def test_at_discharge_a_probable_pneumonia_is_the_principal_diagnosis() -> None:
    seen = 0
    for case in drawn("uncertain", count=120)["probable_pneumonia"]:
        if case.encounter.setting != "inpatient":
            continue
        seen += 1
        assert case.encounter.claim_type == "facility"
        assert case.primary.code == "J18.9"
        assert case.primary.authority.reference in ("section II", "section II.A")
        assert "as if it were established (guideline II.H)" in case.primary.reason
        assert not {"R05.1", "R50.9"} & set(codes(case))
        for symptom in ("R05.1", "R50.9"):
            assert why_wrong(case, symptom) == ("integral_symptom", "I.B.5")
        assert not case.needs_review
    assert seen >= 3


@pytest.mark.parametrize(
    ("chart", "never"),
    [("suspected_covid", "U07.1"), ("possible_hiv", "B20"), ("suspected_zika", "A92.5")],
)
def test_hiv_covid_and_zika_are_coded_only_when_confirmed(chart: str, never: str) -> None:
    settings = set()
    for case in drawn("uncertain", count=160)[chart]:
        settings.add(case.encounter.setting == "inpatient")
        assert never not in codes(case)
        assert "R50.9" in codes(case)
        kind, section = why_wrong(case, never) or ("", "")
        assert kind == "uncertain"
        assert section.startswith("I.C.1." if case.encounter.setting == "inpatient" else "IV.H")
    assert settings == {True, False}


def test_a_suspected_influenza_a_is_one_of_an_unidentified_virus() -> None:
    for case in drawn("uncertain", count=160)["suspected_influenza_a"]:
        assert case.primary.code == "J11.1"
        assert why_wrong(case, "J10.1") == ("uncertain", "I.C.10.c")


# -- 9: symptoms that belong to a disease

INTEGRAL = {
    "pneumonia_with_symptoms": ("J18.9", "R05.9 R50.9"),
    "cystitis_with_dysuria": ("N30.00", "R30.0 R35.0"),
    "gastroenteritis_with_diarrhea": ("A08.4", "R19.7 R11.2"),
    "asthma_with_wheezing": ("J45.21", "R06.2 R06.02"),
    "migraine_with_nausea": ("G43.009", "R11.0"),
    "heart_failure_with_dyspnea": ("I50.23", "R06.02 R60.0"),
}


def test_symptoms_that_belong_to_a_disease_are_not_coded() -> None:
    found = drawn("integral", count=80)
    assert set(found) == set(INTEGRAL)
    for chart, cases in found.items():
        disease, symptoms = INTEGRAL[chart]
        for case in cases:
            assert disease in codes(case)
            for symptom in symptoms.split():
                assert symptom not in codes(case)
                assert why_wrong(case, symptom) == ("integral_symptom", "I.B.5")


# -- 10: diabetes, hypertension and chronic kidney disease, in four turns

TURNS = {
    "diabetes_pressure_kidney": "E11.22 I12.9 N18.31 Z79.84",
    "diabetes_pressure_heart_kidney": "E11.22 I13.0 I50.22 N18.31 Z79.84",
    "dialysis_and_insulin": "E11.22 I12.0 N18.6 Z99.2 Z79.4",
    "polycystic_kidney_disease": "E11.9 I10 Q61.3 N18.31 Z79.84",
}
LINKED = ("E10", "E11", "I10", "I11", "I12", "I13", "I50", "N18", "Q61", "Z79.4", "Z79.84", "Z99.2")


@pytest.mark.parametrize("chart", TURNS)
def test_the_four_turns_of_diabetes_pressure_and_kidneys(chart: str) -> None:
    cases = drawn("linked", "unlinked", count=90)[chart]
    assert len(cases) >= 4
    for case in cases:
        if "heart" not in chart and "I50.22" in codes(case):
            # A failing heart that came along makes it the next turn.
            continue
        assert {code for code in codes(case) if code.startswith(LINKED)} == set(
            TURNS[chart].split()
        )


def test_the_stage_stands_behind_what_it_belongs_to() -> None:
    for chart, cases in drawn("linked", count=60).items():
        for case in cases:
            late = "N18.6" if chart == "dialysis_and_insulin" else "N18.31"
            assert in_order(case, f"E11.22 {late}")
            pressure = next(code for code in codes(case) if code.startswith(("I12", "I13")))
            assert in_order(case, f"{pressure} {late}")


def test_parts_of_a_combination_are_wrong_and_say_why() -> None:
    for cases in drawn("linked", count=60).values():
        for case in cases:
            assert why_wrong(case, "I10") == ("part_of_combination", "I.C.9.a")
            assert why_wrong(case, "E11.9") == ("part_of_combination", "I.C.4.a")


def test_a_link_that_the_provider_denies_is_not_presumed() -> None:
    never = {"polycystic_kidney_disease": "E11.22 I12.9", "polycystic_kidney_hypertension": "I12.9",
             "valve_heart_failure": "I11.0"}  # fmt: skip
    tempted = 0
    for chart, cases in drawn("unlinked", count=60).items():
        for case in cases:
            for code in never[chart].split():
                assert code not in codes(case)
                tempted += why_wrong(case, code) == ("wrong_type", "I.A.15")
    assert tempted >= 5


# -- 11: etiology before manifestation


@pytest.mark.parametrize(
    ("chart", "wanted"),
    [
        ("alzheimer_dementia", "G30.9 F02.B0"),
        ("parkinson_dementia", "G20.A1 F02.A0"),
        ("kidney_anemia", "N18.32 D63.1"),
        ("dialysis_anemia", "N18.6 D63.1"),
    ],
)
def test_the_cause_stands_before_what_it_brings_about(chart: str, wanted: str) -> None:
    cases = drawn("etiology", count=60)[chart]
    assert cases
    assert all(in_order(case, wanted) for case in cases)


def test_a_dementia_that_one_comes_for_stands_behind_its_cause_all_the_same() -> None:
    behind = 0
    for case in drawn("etiology", count=120)["alzheimer_dementia"]:
        reason = next(fact for fact in case.record if fact.term == "reason")
        about = next(fact for fact in case.record if fact.id == reason.about[0])
        if about.term.startswith("Dementia"):
            behind += 1
            assert case.primary.code == "G30.9"
    assert behind


# -- 12: cancer that is over, treated, or neither for sure


@pytest.mark.parametrize(
    ("chart", "right", "never"),
    [
        ("breast_cancer_over", "Z85.3", "C50.911"),
        ("prostate_cancer_over", "Z85.46", "C61"),
        ("colon_cancer_over", "Z85.038", "C18.2"),
    ],
)
def test_a_cancer_that_is_over_is_history(chart: str, right: str, never: str) -> None:
    for case in drawn("cancer", count=80)[chart]:
        assert right in codes(case)
        assert never not in codes(case)
        assert why_wrong(case, never) == ("history", "I.C.2.m")


@pytest.mark.parametrize(
    ("chart", "wanted"),
    [
        ("breast_cancer_on_tamoxifen", "C50.912 Z17.0 Z79.810"),
        ("breast_cancer_on_aromatase_inhibitor", "C50.911 Z17.0 Z79.811"),
    ],
)
def test_a_cancer_under_drug_treatment_is_current(chart: str, wanted: str) -> None:
    for case in drawn("cancer", count=80)[chart]:
        assert set(wanted.split()) <= set(codes(case))
        assert why_wrong(case, "Z85.3") in (None, ("history", "I.C.2.m"))


def test_where_nobody_says_if_a_cancer_is_treated_it_is_not_coded_and_somebody_is_asked() -> None:
    for cases in drawn("treatment_unclear", count=40).values():
        for case in cases:
            assert case.needs_review
            assert case.review is not None
            assert case.review.kind == "treatment_unclear"
            assert case.review.authority.reference == "section I.C.2.m"
            assert not [a.code for a in case.allowed if a.code.startswith(("C", "Z85"))]


# -- 13: stroke and infarction


def test_a_stroke_without_deficit_is_history_and_an_acute_one_is_not() -> None:
    found = drawn("stroke", count=80)
    for case in found["stroke_without_deficit"]:
        assert "Z86.73" in codes(case)
        assert why_wrong(case, "I63.9") == ("history", "I.C.9.d.3")
    for case in found["stroke_acute"]:
        assert case.primary.code == "I63.512"
        assert case.encounter.setting == "inpatient"


def test_the_hand_and_the_side_make_the_code_of_a_paralysis() -> None:
    named = {
        ("right", "right"): "I69.351", ("left", "left"): "I69.352",
        ("right", "left"): "I69.353", ("left", "right"): "I69.354",
        ("right", "ambidextrous"): "I69.351", ("left", "ambidextrous"): "I69.352",
        ("right", ""): "I69.351", ("left", ""): "I69.354",
    }  # fmt: skip
    seen = set()
    for chart, cases in drawn("stroke", count=160).items():
        for case in cases if chart.startswith("paralysis") else []:
            fact = next(f for f in case.record if f.term.startswith("Hemiplegia"))
            key = fact.attributes["side"], fact.attributes.get("handedness", "")
            assert [c for c in codes(case) if c.startswith("I69")] == [named[key]]
            assert "Z86.73" not in codes(case)
            seen.add(key)
    assert len(seen) >= 6


def test_an_infarction_counts_as_acute_for_four_weeks() -> None:
    found = drawn("infarction", count=60)
    for chart in ("infarction_last_week", "infarction_three_weeks_ago"):
        assert all("I21.4" in codes(case) for case in found[chart])
    for case in found["infarction_healed"]:
        assert "I25.2" in codes(case)
        assert why_wrong(case, "I21.4") == ("history", "I.C.9.e.1")


# -- the charts as a whole


def test_every_chart_of_the_files_is_drawn() -> None:
    generator = casegen.make("coding-v0", seed=1)
    opened = [chart.id for some in generator.known.open.values() for chart in some]
    # Kinds that are drawn more often stand there more than once.
    groups = {some[0].kind: some for some in generator.known.guided}
    guided = [chart.id for some in groups.values() for chart in some]
    assert len(set(opened + guided)) == len(opened + guided)
    assert {chart.id for chart in guidelines.load()} <= set(guided)
    seen = {chart_of(case) for case in generator_cases(2500)}
    assert len(seen & set(opened + guided)) > 0.9 * len(opened + guided)


def generator_cases(count: int) -> list[CodingCase]:
    return list(casegen.make("coding-v0", seed=5).cases(0, count))
