"""More case kinds from practice with their right answers: drugs, pregnancy, sepsis, screening,
fragile bones, lungs, and what injuries leave. Written by hand, as in ``test_case_kinds``."""

from __future__ import annotations

import pytest

from .charts import codes, drawn, in_order, why_wrong

# -- 18: drugs and their harm

DRUGS = {
    "warfarin_nosebleed": "D68.32 T45.515A",
    "penicillin_rash": "L27.0 T36.0X5A",
    "opioid_constipation": "K59.03 T40.2X5A",
    "antihistamine_twice": "T45.0X1A R40.0",
    "beta_blocker_twice": "T44.7X1A R00.1",
    "insulin_skipped_for_cost": "E11.65 T38.3X6A Z91.120",
    "pressure_pills_skipped_for_cost": "I10 T46.4X6A Z91.120",
}


def test_adverse_effect_poisoning_and_underdosing_stand_in_their_order() -> None:
    found = drawn("drug", count=90)
    assert set(found) == set(DRUGS)
    for chart, cases in found.items():
        assert all(in_order(case, DRUGS[chart]) for case in cases)


def test_a_warfarin_bleed_that_one_comes_for_goes_first() -> None:
    for case in drawn("drug", count=90)["warfarin_nosebleed"]:
        reason = next(fact for fact in case.record if fact.term == "reason")
        about = next(fact for fact in case.record if fact.id == reason.about[0])
        if about.term == "Epistaxis":
            assert in_order(case, "R04.0 D68.32 T45.515A")
            assert case.primary.code == "R04.0"


def test_a_poisoning_goes_before_what_it_did() -> None:
    for case in drawn("drug", count=90)["beta_blocker_twice"]:
        assert case.primary.code == "T44.7X1A"


# -- 19: pregnancy, sepsis, screening, fragile bones


def test_pregnancy_codes_go_first_with_the_trimester_of_the_weeks() -> None:
    seen = set()
    for cases in drawn("pregnancy", count=60).values():
        for case in cases:
            weeks = next(int(code[4:]) for code in codes(case) if code.startswith("Z3A."))
            trimester = "1" if weeks < 14 else "2" if weeks < 28 else "3"
            assert case.primary.code.startswith("O")
            assert case.primary.code.endswith(trimester)
            seen.add(trimester)
    assert seen == {"1", "2", "3"}


@pytest.mark.parametrize(
    ("chart", "wanted", "never"),
    [
        ("sepsis_with_kidney_failure", "A41.51 R65.20 N17.9", "R65.21"),
        ("septic_shock", "A41.51 R65.21 N17.9", "R65.20"),
        ("sepsis_with_other_kidney_failure", "A41.51", "R65.20"),
    ],
)
def test_sepsis_goes_first_and_is_severe_only_where_it_failed_an_organ(
    chart: str, wanted: str, never: str
) -> None:
    cases = drawn("sepsis", count=50)[chart]
    assert cases
    for case in cases:
        assert in_order(case, wanted)
        assert case.primary.code == "A41.51"
        assert never not in codes(case)


@pytest.mark.parametrize(
    ("chart", "wanted"),
    [
        ("screening_finds_polyp", "Z12.11 K63.5"),
        ("screening_finds_diverticula", "Z12.11 K57.30"),
        ("mammogram_finds_lump", "Z12.31 N63.11"),
    ],
)
def test_a_screening_stays_first_whatever_it_finds(chart: str, wanted: str) -> None:
    for case in drawn("screening", count=50)[chart]:
        assert in_order(case, wanted)
        assert case.primary.code == wanted.split()[0]


def test_a_slight_fall_in_osteoporosis_breaks_a_fragile_bone() -> None:
    named = {"fragile_wrist": "M80.03", "fragile_hip": "M80.05", "fragile_shoulder": "M80.02"}
    for chart, cases in drawn("fragility", count=50).items():
        for case in cases:
            (bone,) = (code for code in codes(case) if code.startswith("M80"))
            assert bone.startswith(named[chart])
            assert bone.endswith("A")
            assert "M81.0" not in codes(case)
            assert not [code for code in codes(case) if code.startswith(("S42", "S52", "S72"))]
            assert why_wrong(case, "M81.0") == ("part_of_combination", "I.C.13.d.2")


# -- 1: obstructive lung disease and asthma; 4: what an injury has left


def test_obstructive_lung_disease_and_asthma_stand_side_by_side() -> None:
    for cases in drawn("together", count=30).values():
        for case in cases:
            assert {"J44.1", "J45.20"} <= set(codes(case))
            asthma = next(one for one in case.gold() if one.code == "J45.20")
            first = codes(case).index("J44.1") < codes(case).index("J45.20")
            if first and case.primary is not asthma:
                assert asthma.authority.source == "tabular"
                assert "type of asthma" in asthma.authority.reference


@pytest.mark.parametrize(
    ("chart", "wanted"),
    [
        ("forearm_deformed_right", "M21.931 S52.501S"),
        ("forearm_deformed_left", "M21.932 S52.502S"),
        ("knee_after_fracture_right", "M12.561 S82.101S"),
        ("knee_after_fracture_left", "M12.562 S82.102S"),
    ],
)
def test_what_an_injury_has_left_goes_before_the_injury(chart: str, wanted: str) -> None:
    cases = drawn("injury", count=50)[chart]
    assert cases
    assert all(in_order(case, wanted) for case in cases)
