"""Coding by guideline, as the generator draws it: every kind, with its right answer.

The answers stand here by chart, written by hand from the guidelines: the codes in their order,
and those that must not stand on the claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

import casegen
from casegen import audit
from casegen.schemas import Case
from casegen.seeds.scenarios import guidelines

KINDS = {chart.id: chart.kind for chart in guidelines.load()}
FEW = 50  # of a kind, in 100,000 cases
DRAWN = 1500

# Chart -> codes of which each stands behind the one before ("|" parts alternatives), and codes
# that do not stand on the claim.
ANSWERS: dict[str, tuple[str, str]] = {
    "pneumonia_with_symptoms": ("J18.9", "R05.9 R50.9"),
    "cystitis_with_dysuria": ("N30.00", "R30.0 R35.0"),
    "gastroenteritis_with_diarrhea": ("A08.4", "R19.7 R11.2"),
    "asthma_with_wheezing": ("J45.21", "R06.2 R06.02"),
    "migraine_with_nausea": ("G43.009", "R11.0"),
    "heart_failure_with_dyspnea": ("I50.23", "R06.02 R60.0"),
    "diabetes_pressure_kidney": ("E11.22 N18.31", "E11.9 I10"),
    "diabetes_pressure_heart_kidney": ("I13.0 I50.22", "E11.9 I10 I11.0 I12.9"),
    "dialysis_and_insulin": ("I12.0 N18.6 Z99.2", "E11.9 I10 I12.9"),
    "polycystic_kidney_disease": ("Q61.3", "E11.22 I12.9"),
    "polycystic_kidney_hypertension": ("Q61.3", "I12.9"),
    "valve_heart_failure": ("I35.0", "I11.0"),
    "alzheimer_dementia": ("G30.9 F02.B0", ""),
    "parkinson_dementia": ("G20.A1 F02.A0", ""),
    "kidney_anemia": ("N18.32 D63.1", ""),
    "dialysis_anemia": ("N18.6 D63.1", "I10"),
    "breast_cancer_over": ("Z85.3", "C50.911"),
    "prostate_cancer_over": ("Z85.46", "C61"),
    "colon_cancer_over": ("Z85.038", "C18.2"),
    "breast_cancer_on_tamoxifen": ("C50.912 Z79.810", "Z85.3"),
    "breast_cancer_on_aromatase_inhibitor": ("C50.911 Z79.811", "Z85.3"),
    "stroke_acute": ("I63.512", "Z86.73"),
    "stroke_without_deficit": ("Z86.73", "I63.9"),
    "paralysis_right_handed": ("I69.351|I69.354", "I69.359 Z86.73"),
    "paralysis_left_handed": ("I69.352|I69.353", "I69.359 Z86.73"),
    "paralysis_both_hands": ("I69.351|I69.352", "I69.359 Z86.73"),
    "paralysis_hand_not_told": ("I69.351|I69.354", "I69.359 Z86.73"),
    "infarction_last_week": ("I21.4", "I25.2"),
    "infarction_three_weeks_ago": ("I21.4", "I25.2"),
    "infarction_healed": ("I25.2", "I21.4"),
    "warfarin_nosebleed": ("R04.0 D68.32 T45.515A", ""),
    "penicillin_rash": ("L27.0 T36.0X5A", ""),
    "opioid_constipation": ("K59.03 T40.2X5A", ""),
    "antihistamine_twice": ("T45.0X1A R40.0", ""),
    "beta_blocker_twice": ("T44.7X1A R00.1", ""),
    "insulin_skipped_for_cost": ("E11.65 T38.3X6A Z91.120", ""),
    "pressure_pills_skipped_for_cost": ("I10 T46.4X6A Z91.120", ""),
    "pregnancy_hypertension": ("O10.011|O10.012|O10.013", "I10"),
    "pregnancy_hypothyroidism": ("O99.281|O99.282|O99.283 E03.9", ""),
    "pregnancy_asthma": ("O99.511|O99.512|O99.513 J45.20", ""),
    "sepsis_with_kidney_failure": ("A41.51 R65.20 N17.9", "R65.21"),
    "sepsis_with_other_kidney_failure": ("A41.51", "R65.20 R65.21"),
    "septic_shock": ("A41.51 R65.21 N17.9", "R65.20"),
    "screening_finds_polyp": ("Z12.11 K63.5", ""),
    "screening_finds_diverticula": ("Z12.11 K57.30", ""),
    "mammogram_finds_lump": ("Z12.31 N63.11", ""),
    "fragile_wrist": ("M80.031A|M80.032A", "M81.0 S52.501A S52.502A"),
    "fragile_hip": ("M80.051A|M80.052A", "M81.0 S72.001A S72.002A"),
    "fragile_shoulder": ("M80.021A|M80.022A", "M81.0 S42.201A S42.202A"),
}
# Chart -> outside the hospital, at discharge from it, and the code that stands on neither.
UNCERTAIN = {
    "probable_pneumonia": ("R05.1 R50.9", "J18.9", ""),
    "probable_cholecystitis": ("R10.11 R50.9", "K81.0", ""),
    "probable_diverticulitis": ("R10.32 R50.9", "K57.32", ""),
    "suspected_covid": ("R05.1 R50.9", "R05.1 R50.9", "U07.1"),
    "suspected_influenza_a": ("R05.1 R50.9", "J11.1", "J10.1"),
    "possible_hiv": ("R59.1 R50.9", "R59.1 R50.9", "B20"),
    "suspected_zika": ("R21 R50.9", "R21 R50.9", "A92.5"),
}


def charts(case: Case) -> set[str]:
    """The guided chart of a case, if it holds one."""
    return {name.split(".")[1] for name in case.conditions if name.startswith("guide.")}


@pytest.fixture(scope="module")
def guided() -> Iterator[list[tuple[str, Case]]]:
    """Right claims, each with its guided chart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audit, "SHARE", 100)
        cases = list(casegen.make("audit-v0", seed=12, clean=1.0).cases(0, DRAWN))
    yield [(chart, case) for case in cases for chart in charts(case)]


def codes(case: Case) -> list[str]:
    return [line.code for line in case.claim]


def stands(case: Case, wanted: str) -> bool:
    """Whether the codes stand on the claim in this order."""
    at = -1
    for alternatives in wanted.split():
        places = [i for i, code in enumerate(codes(case)) if code in alternatives.split("|")]
        if len(places) != 1 or places[0] <= at:
            return False
        at = places[0]
    return True


def test_every_chart_has_an_answer_and_is_drawn(guided: list[tuple[str, Case]]) -> None:
    assert set(ANSWERS) | set(UNCERTAIN) == set(KINDS)
    assert {chart for chart, _ in guided} == set(KINDS)


def test_the_right_claim_is_that_of_the_guideline(guided: list[tuple[str, Case]]) -> None:
    for chart, case in guided:
        if chart in ANSWERS:
            wanted, never = ANSWERS[chart]
            assert stands(case, wanted), f"{case.id} {chart}: {codes(case)}"
            assert not set(never.split()) & set(codes(case)), f"{case.id} {chart}: {codes(case)}"


def test_a_diagnosis_in_doubt_is_coded_by_the_hospital_alone(
    guided: list[tuple[str, Case]],
) -> None:
    seen: Counter[tuple[str, bool]] = Counter()
    for chart, case in guided:
        if chart not in UNCERTAIN:
            continue
        outside, discharge, never = UNCERTAIN[chart]
        stay = case.encounter.setting == "inpatient"
        assert stay == (case.encounter.claim_type == "facility")
        seen[chart, stay] += 1
        right, wrong = (discharge, outside) if stay else (outside, discharge)
        found = set(codes(case))
        assert set(right.split()) <= found, f"{case.id} {chart}: {codes(case)}"
        gone = (set(wrong.split()) | set(never.split())) - set(right.split())
        assert not gone & found, f"{case.id} {chart}: {codes(case)}"
    # The influenza stands in stays alone.
    assert len(seen) == 2 * len(UNCERTAIN) - 1


def test_the_trimester_is_that_of_the_weeks(guided: list[tuple[str, Case]]) -> None:
    seen = set()
    for chart, case in guided:
        if KINDS[chart] != "pregnancy":
            continue
        (weeks,) = (int(code[4:]) for code in codes(case) if code.startswith("Z3A."))
        trimester = "1" if weeks < 14 else "2" if weeks < 28 else "3"
        obstetric = [code for code in codes(case) if code[0] == "O"]
        assert obstetric == codes(case)[: len(obstetric)]
        assert {code[-1] for code in obstetric} == {trimester}
        seen.add(weeks)
    assert {13, 14, 27, 28} <= seen


def test_the_dominant_side_is_that_of_the_hand(guided: list[tuple[str, Case]]) -> None:
    named = {
        ("right", "right"): "I69.351", ("left", "left"): "I69.352",
        ("right", "left"): "I69.353", ("left", "right"): "I69.354",
        ("right", "ambidextrous"): "I69.351", ("left", "ambidextrous"): "I69.352",
        ("right", ""): "I69.351", ("left", ""): "I69.354",
    }  # fmt: skip
    seen = set()
    for chart, case in guided:
        if chart.startswith("paralysis"):
            (fact,) = (f for f in case.record if f.term.startswith("Hemiplegia"))
            key = fact.attributes["side"], fact.attributes.get("handedness", "")
            assert named[key] in codes(case)
            seen.add(key)
    assert seen == set(named)


def test_quiet_facts_have_their_words_in_the_note(guided: list[tuple[str, Case]]) -> None:
    for chart, case in guided:
        stated = {fact.id for fact in case.record if fact.kind == "problem" and fact.spans}
        assert len(stated) >= len(case.conditions), f"{case.id} {chart}"


def test_a_good_part_of_the_cases_is_coded_by_guideline() -> None:
    cases = list(casegen.make("audit-v0", seed=31).cases(0, 3000))
    kinds = Counter(KINDS[chart] for case in cases for chart in charts(case))
    share = 100 * sum(kinds.values()) / len(cases)
    assert 12 <= share <= 17
    least = FEW * len(cases) // 100_000
    assert all(kinds[kind] > 10 * max(1, least) for kind in guidelines.KINDS), kinds


def test_what_looks_odd_there_is_often_right_and_sometimes_wrong() -> None:
    cases = list(casegen.make("audit-v0", seed=32, clean=0.0).cases(0, 4000))
    overlooked = [
        (finding.code, finding.correction.replacement)
        for case in cases
        if charts(case)
        for finding in case.findings
        if finding.error_type == "specificity_error"
    ]
    assert ("E11.9", "E11.22") in overlooked
    assert any(right and right.startswith("O") for _, right in overlooked)
