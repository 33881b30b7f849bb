"""Kinds of prescriptions from practice, each with its right answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from casegen.checker.rx import Report

Judge = Callable[..., Report]
Told = Callable[[Report], list[tuple[str, str]]]
Clean = Callable[[Report], bool]
DOSE = "dose"


def cited(report: Report, component: str = "") -> set[str]:
    """The references of what is found or watched."""
    return {
        by.reference
        for one in [*report.findings, *report.watches]
        if component in ("", one.component)
        for by in one.authority
    }


# --- weekly drugs


def test_methotrexate_daily_for_rheumatoid_arthritis_is_a_wrong_frequency(
    judge: Judge, told: Told
) -> None:
    report = judge("methotrexate", "15 mg", "daily", "rheumatoid arthritis")
    assert told(report) == [(DOSE, "frequency")]
    assert report.findings[0].management == "once a week"
    assert report.recommendation == "modify"
    assert not report.dosage_safe


def test_methotrexate_once_weekly_is_right(judge: Judge, clean: Clean) -> None:
    assert clean(judge("methotrexate", "15 mg", "once weekly", "rheumatoid arthritis"))


def test_methotrexate_daily_in_oncology_is_not_judged(judge: Judge) -> None:
    report = judge("methotrexate", "15 mg", "daily", "acute lymphoblastic leukemia")
    assert report.findings == []
    assert [one.component for one in report.open if one.decides] == [DOSE]


def test_a_weekly_tablet_of_alendronate_taken_daily_is_too_much(
    judge: Judge, told: Told, clean: Clean
) -> None:
    assert told(judge("Fosamax", "70 mg", "daily", "osteoporosis")) == [(DOSE, "overdose")]
    assert clean(judge("Fosamax", "70 mg", "every Monday", "osteoporosis", labs={"CrCl": "80"}))
    assert clean(judge("Fosamax", "10 mg", "every morning", "osteoporosis", labs={"CrCl": "80"}))


# --- one ingredient in two products


def test_acetaminophen_of_two_products_is_added_up(judge: Judge, told: Told) -> None:
    report = judge(
        "hydrocodone-acetaminophen", "2 tablets of 5/325 mg", "every 6 hours", "pain",
        takes=[("acetaminophen", "2 tablets of 500 mg", "TID")],
    )  # fmt: skip
    assert (DOSE, "combined_ingredient") in told(report)
    assert ("interaction", "combined_ingredient") in told(report)
    assert all("5600 mg of acetaminophen" in one.reason for one in report.findings)
    assert "2600 mg of acetaminophen from hydrocodone-acetaminophen" in report.rationale
    assert "4000 mg" in report.findings[0].management
    assert [(one.severity, one.asks) for one in report.findings] == [("major", "modify")] * 2
    assert report.recommendation == "modify"


def test_each_of_the_two_products_passes_alone(judge: Judge, clean: Clean) -> None:
    assert clean(judge("Norco", "2 tablets of 5/325 mg", "every 6 hours", "pain"))
    assert clean(judge("acetaminophen", "1000 mg", "TID", "pain"))


def test_two_brands_of_one_drug_are_named_as_that_drug_twice(judge: Judge, told: Told) -> None:
    report = judge("Jantoven", "5 mg", "daily", takes=[("warfarin", "5 mg", "daily")])
    assert told(report) == [("interaction", "duplicate_therapy")]
    assert report.findings[0].names[0] == "warfarin-warfarin"


# --- kidneys, and measures by their name


@pytest.mark.parametrize(
    ("egfr", "starting", "recommendation"),
    [
        ("28", True, "reject"), ("28", False, "reject"), ("29.9", False, "reject"),
        ("40", True, "reject"), ("40", False, "approve"), ("30", False, "approve"),
        ("46", True, "approve"),
    ],
)  # fmt: skip
def test_metformin_by_egfr(judge: Judge, egfr: str, starting: bool, recommendation: str) -> None:
    report = judge("metformin", "500 mg", "BID", "type 2 diabetes", starting=starting,
                   labs={"eGFR": egfr})  # fmt: skip
    assert report.recommendation == recommendation


def test_metformin_that_goes_on_at_40_is_to_be_watched(judge: Judge) -> None:
    report = judge("metformin", "500 mg", "BID", starting=False, labs={"eGFR": "40"})
    assert [(one.kind, one.tolerated) for one in report.watches] == [("watch", True)]


@pytest.mark.parametrize(
    ("age", "weight", "creatinine", "right"),
    [
        (82, "58", "1.2", "2.5 mg"), (82, "75", "1.5", "2.5 mg"), (70, "60", "1.6", "2.5 mg"),
        (82, "75", "1.2", "5 mg"), (70, "58", "1.2", "5 mg"), (79, "61", "1.6", "5 mg"),
    ],
)  # fmt: skip
def test_apixaban_is_halved_where_two_of_three_hold(
    judge: Judge, clean: Clean, age: int, weight: str, creatinine: str, right: str
) -> None:
    def given(dose: str) -> Report:
        return judge("Eliquis", dose, "BID", "atrial fibrillation", starting=False, age=age,
                     weight=weight, labs={"creatinine": creatinine})  # fmt: skip

    wrong = "5 mg" if right == "2.5 mg" else "2.5 mg"
    assert clean(given(right))
    assert given(wrong).recommendation == "modify"


def test_nitrofurantoin_names_the_source_of_its_answer(judge: Judge) -> None:
    def given(age: int, crcl: str) -> Report:
        return judge("nitrofurantoin", "100 mg", "BID", "urinary tract infection", age=age,
                     labs={"CrCl": crcl})  # fmt: skip

    differ = given(70, "45")  # the label forbids it, the Beers Criteria do not
    assert (differ.recommendation, differ.also_accepted) == ("approve", ["reject"])
    assert any("Beers" in name for name in cited(differ))
    assert "nitrofurantoin" in cited(differ)
    assert given(70, "25").recommendation == "reject"  # both speak against it
    assert given(40, "45").recommendation == "reject"  # the Beers Criteria say nothing of 40


def test_an_egfr_never_stands_for_a_creatinine_clearance(judge: Judge) -> None:
    report = judge("nitrofurantoin", "100 mg", "BID", labs={"eGFR": "20"})
    assert not [one for one in report.findings if one.problem == "lab"]
    assert any("no CrCl is told" in one.reason for one in report.open)


# --- children


def test_amoxicillin_90_mg_per_kg_for_otitis_media_is_right(judge: Judge, clean: Clean) -> None:
    child: dict[str, Any] = {"age": 4, "weight": "12"}
    assert clean(judge("amoxicillin", "540 mg", "twice daily", "acute otitis media", **child))
    assert clean(judge("amoxicillin", "90 mg/kg/day divided BID", "", "otitis media", **child))


def test_pounds_read_as_kilograms_are_an_overdose(judge: Judge, told: Told) -> None:
    # 12 kg are 26.5 lb; 90 mg/kg a day for "26.5 kg"
    report = judge("amoxicillin", "1190 mg", "BID", "acute otitis media", age=4, weight="12")
    assert told(report) == [(DOSE, "overdose")]


def test_a_child_of_40_kg_takes_the_adult_dose(judge: Judge, clean: Clean, told: Told) -> None:
    assert clean(judge("amoxicillin", "875 mg", "BID", age=11, weight="41"))
    assert told(judge("amoxicillin", "1800 mg", "BID", age=11, weight="41")) == [(DOSE, "overdose")]


@pytest.mark.parametrize("drug", ["codeine", "tramadol"])
def test_codeine_and_tramadol_are_forbidden_under_12(judge: Judge, told: Told, drug: str) -> None:
    report = judge(drug, "25 mg", "every 6 hours as needed", "pain", age=11.9)
    assert told(report) == [("contraindication", "age")]
    assert report.findings[0].severity == "contraindicated"
    assert "pediatric-" + drug in report.findings[0].names


def test_codeine_after_tonsillectomy_is_forbidden_under_18(judge: Judge, told: Told) -> None:
    after = judge("codeine", "30 mg", "every 6 hours", "pain after tonsillectomy", age=15)
    assert ("contraindication", "age") in told(after)
    assert ("contraindication", "age") not in told(
        judge("codeine", "30 mg", "every 6 hours", "pain", age=15)
    )


# --- pairs


def test_simvastatin_above_20_mg_beside_amlodipine_is_too_much(
    judge: Judge, told: Told, clean: Clean
) -> None:
    beside = [("amlodipine", "5 mg", "daily")]
    report = judge("Zocor", "40 mg", "nightly", takes=beside)
    assert told(report) == [(DOSE, "interaction_dose"), ("interaction", "interaction_dose")]
    assert report.recommendation == "modify"
    kept = judge("Zocor", "20 mg", "nightly", takes=beside)
    assert clean(kept)
    assert [one.kind for one in kept.watches] == ["within_limit"]


def test_simvastatin_with_clarithromycin_is_contraindicated(judge: Judge) -> None:
    report = judge("simvastatin", "20 mg", "nightly", takes=[("clarithromycin", "500 mg", "BID")])
    assert [(f.severity, f.asks) for f in report.findings] == [("contraindicated", "reject")]


def test_tizanidine_with_ciprofloxacin_is_contraindicated(judge: Judge) -> None:
    report = judge("tizanidine", "4 mg", "TID", takes=[("Cipro", "500 mg", "BID")])
    assert report.findings[0].severity == "contraindicated"
    assert report.findings[0].names[0] == "ciprofloxacin-tizanidine"


def test_citalopram_40_mg_above_60_years_is_above_20(judge: Judge, told: Told) -> None:
    def given(age: float) -> Report:
        return judge("citalopram", "40 mg", "daily", "depression", starting=False, age=age)

    assert told(given(61)) == [(DOSE, "overdose")]
    assert told(given(60.9)) == []


def test_citalopram_40_mg_with_a_cyp2c19_inhibitor_is_above_20(judge: Judge, told: Told) -> None:
    report = judge("citalopram", "40 mg", "daily", "depression", starting=False,
                   takes=[("omeprazole", "20 mg", "daily")])  # fmt: skip
    assert (DOSE, "interaction_dose") in told(report)


def test_oxycodone_with_alprazolam_carries_a_boxed_warning(judge: Judge) -> None:
    report = judge("oxycodone", "5 mg", "every 6 hours as needed", "pain",
                   takes=[("alprazolam", "0.5 mg", "TID")])  # fmt: skip
    (found,) = report.findings
    assert found.problem == "class_interaction"
    assert {by.section for by in found.authority} == {"boxed warning"}
    assert report.recommendation == "reject"


def test_a_fentanyl_patch_needs_an_opioid_before_it(judge: Judge, told: Told) -> None:
    def given(*takes: tuple[str, ...]) -> Report:
        return judge("fentanyl", "25 mcg/h", "every 72 hours", "chronic pain", takes=takes)

    assert told(given()) == [("contraindication", "condition")]
    assert given().findings[0].names[0] == "opioid_naive-fentanyl"
    assert ("contraindication", "condition") not in told(given(("morphine", "30 mg", "q4h")))


def test_ciprofloxacin_in_myasthenia_gravis_carries_a_boxed_warning(judge: Judge) -> None:
    report = judge("ciprofloxacin", "500 mg", "BID", "UTI", ill=["G70.00"],
                   takes=[("warfarin", "5 mg", "daily")])  # fmt: skip
    pair, found = report.findings
    assert found.names[0] == "myasthenia_gravis-ciprofloxacin"
    assert "boxed warning" in {one.section for one in found.authority}
    assert report.recommendation == "reject"
    # Beside warfarin the label asks to watch the INR.
    assert (pair.names[0], pair.asks) == ("warfarin-ciprofloxacin", "modify")


# --- allergies


def test_cefazolin_after_penicillin_anaphylaxis_names_both_authorities(judge: Judge) -> None:
    report = judge("cefazolin", "1 g", "q8h", allergic={"penicillin-allergy": "anaphylaxis"})
    assert report.recommendation == "approve"
    assert report.also_accepted == ["reject"]
    (watch,) = report.watches
    assert (watch.kind, watch.tolerated) == ("disputed", True)
    assert {by.source for by in watch.authority} == {"label", "guideline"}


@pytest.mark.parametrize("drug", ["cephalexin", "cefadroxil", "cefprozil"])
def test_amoxicillin_anaphylaxis_forbids_the_like_side_chain(
    judge: Judge, told: Told, drug: str
) -> None:
    report = judge(drug, "500 mg", "BID", allergic={"amoxicillin": "anaphylaxis"})
    assert ("allergy", "cross_allergy") in told(report)
    assert report.recommendation == "reject"


@pytest.mark.parametrize("drug", ["cephalexin", "cefadroxil", "cefprozil"])
def test_amoxicillin_allergy_without_anaphylaxis_flags_the_like_side_chain(
    judge: Judge, drug: str
) -> None:
    # The label cautions; the 2022 parameter allows it after a reaction that was no anaphylaxis.
    report = judge(drug, "500 mg", "BID", allergic={"amoxicillin": "rash"})
    assert report.recommendation == "approve"
    (watch,) = report.watches
    assert (watch.kind, watch.tolerated) == ("disputed", True)
    assert {by.source for by in watch.authority} == {"label", "guideline"}


def test_not_every_cephalosporin_is_flagged(judge: Judge) -> None:
    for drug in ("cefazolin", "ceftriaxone", "cefuroxime"):
        report = judge(drug, "1 g", "daily", allergic={"penicillin-allergy": "rash"})
        assert not [one for one in report.findings if one.component == "allergy"], drug


def test_nausea_with_amoxicillin_is_no_allergy(judge: Judge) -> None:
    for history in ({"allergic": {"amoxicillin": "nausea"}}, {"intolerant": {"amoxicillin": ""}}):
        report = judge("amoxicillin", "500 mg", "TID", **history)
        assert not [one for one in report.findings if one.component == "allergy"]
        spared = [(one.kind, one.tolerated) for one in report.watches if one.component == "allergy"]
        assert spared == [("intolerance", False)]


def test_sulfonamide_allergy_forbids_celecoxib_by_its_label_alone(judge: Judge) -> None:
    report = judge("celecoxib", "200 mg", "daily", "osteoarthritis",
                   allergic={"sulfonamide-antibiotic-allergy": "rash"})  # fmt: skip
    assert (report.recommendation, report.also_accepted) == ("approve", ["reject"])


def test_sulfonamide_allergy_allows_furosemide(judge: Judge) -> None:
    report = judge("furosemide", "40 mg", "daily", "edema",
                   allergic={"sulfonamide-antibiotic-allergy": "rash"})  # fmt: skip
    assert (report.recommendation, report.also_accepted) == ("approve", [])
    assert [one.tolerated for one in report.watches] == [True]


# --- units, notation, unknown drugs


def test_levothyroxine_100_mg_is_a_wrong_unit(judge: Judge, told: Told) -> None:
    report = judge("levothyroxine", "100 mg", "daily", "hypothyroidism")
    assert told(report) == [(DOSE, "unit")]
    assert report.findings[0].management == "write the dose in mcg"


def test_levothyroxine_a_tenth_of_a_mg_is_right(judge: Judge, clean: Clean) -> None:
    assert clean(judge("levothyroxine", "0.1 mg", "daily", "hypothyroidism"))


@pytest.mark.parametrize(
    ("drug", "dose", "frequency"),
    [
        ("Lantus", "10U", "nightly"), ("warfarin", "1.0 mg", "daily"),
        ("clonazepam", ".5 mg", "BID"), ("levothyroxine", "100 \u00b5g", "daily"),
        ("levothyroxine", "100 ug", "daily"), ("lisinopril", "10 mg", "QD"),
        ("lisinopril", "10mg", "daily"),
    ],
)  # fmt: skip
def test_error_prone_notation_is_found_as_written(
    judge: Judge, told: Told, drug: str, dose: str, frequency: str
) -> None:
    report = judge(drug, dose, frequency, starting=False, weight="80")
    assert told(report) == [(DOSE, "notation")]
    assert report.recommendation == "modify"
    assert any("ISMP" in name for name in cited(report))


@pytest.mark.parametrize("name", ["Tazocin", "Glorbazol", "warfarine", "metformim"])
def test_an_unknown_drug_has_no_dose_and_is_likened_to_none(
    judge: Judge, told: Told, name: str
) -> None:
    report = judge(name, "50 mg", "daily", takes=[("warfarin", "5 mg", "daily")])
    assert told(report) == [(DOSE, "unknown_drug")]
    assert (report.dosage_safe, report.recommendation) == (False, "reject")
    assert report.findings[0].pair == [name]


# --- reported faults


def test_a_child_of_11_with_an_adults_dose_never_passes(judge: Judge, clean: Clean) -> None:
    for drug, dose in (("atenolol", "50 mg"), ("simvastatin", "80 mg"), ("lisinopril", "80 mg")):
        report = judge(drug, dose, "daily", "hypertension", starting=False, age=11, weight="35")
        assert not clean(report), drug


def test_amlodipine_beside_simvastatin_40_mg_never_passes(judge: Judge, clean: Clean) -> None:
    report = judge("amlodipine", "5 mg", "daily", "hypertension",
                   takes=[("simvastatin", "40 mg", "nightly")])  # fmt: skip
    assert not clean(report)
    assert report.findings[0].names == ["simvastatin-amlodipine"]
    assert report.dosage_safe  # amlodipine's own dose is right
