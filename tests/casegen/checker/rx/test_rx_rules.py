"""How the rules on prescriptions bind: routes, circumstances, what is stopped, what is open."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from casegen.checker.rx import Report
from casegen.checker.rx.circumstances import AFTER, WHEN
from casegen.seeds.rx.loader import load
from casegen.seeds.rx.naming import keys_of
from casegen.seeds.rx.recommending import RULE, asks_for, recommend

Judge = Callable[..., Report]
Told = Callable[[Report], list[tuple[str, str]]]
Clean = Callable[[Report], bool]


def test_every_circumstance_of_the_knowledge_can_be_told() -> None:
    rx = load()
    whens = {rule.when for rule in rx.interactions if rule.when}
    afters = {one.after for drug in rx.drugs.values() for one in drug.pediatric if one.after}
    assert whens <= WHEN.keys()
    assert afters <= AFTER.keys()


# --- doses


def test_the_limit_of_the_indication_goes_before_the_general_one(
    judge: Judge, told: Told, clean: Clean
) -> None:
    assert clean(judge("spironolactone", "400 mg", "daily", "primary hyperaldosteronism"))
    assert told(judge("spironolactone", "400 mg", "daily", "hypertension")) == [
        ("dose", "overdose")
    ]


def test_kidneys_lower_a_limit_by_their_own_measure(judge: Judge, told: Told) -> None:
    def given(**labs: str) -> Report:
        return judge("rosuvastatin", "20 mg", "daily", starting=False, labs=labs)

    assert told(given(CrCl="25")) == [("dose", "overdose")]
    assert told(given(CrCl="30")) == []
    assert told(given(eGFR="25")) == []


def test_kidneys_that_nobody_measured_count_as_normal_and_are_told(
    judge: Judge, clean: Clean
) -> None:
    report = judge("rosuvastatin", "20 mg", "daily", starting=False)
    assert clean(report)
    assert [one.reason for one in report.open] == [
        "no CrCl is told; a limit of 10 mg might be exceeded"
    ]


def test_a_liver_lowers_a_limit_by_its_child_pugh_class(judge: Judge, told: Told) -> None:
    def given(**labs: str) -> Report:
        return judge("lurasidone", "80 mg", "daily", "schizophrenia", starting=False, labs=labs)

    assert told(given(**{"Child-Pugh": "C"})) == [("dose", "overdose")]
    assert told(given(**{"Child-Pugh": "B"})) == []


def test_a_single_dose_has_its_own_limit(judge: Judge, told: Told) -> None:
    report = judge("acetaminophen", "2000 mg", "BID")
    assert told(report) == [("dose", "overdose")]
    assert "at a time" in report.findings[0].management


def test_as_needed_counts_as_often_as_it_allows(judge: Judge, told: Told, clean: Clean) -> None:
    assert told(judge("acetaminophen", "1000 mg", "every 4 hours as needed")) == [
        ("dose", "overdose")
    ]
    assert clean(judge("acetaminophen", "1000 mg", "every 4 hours as needed, max 4 a day"))
    assert clean(judge("acetaminophen", "500 mg", "once daily as needed"))


def test_an_antibiotic_below_its_usual_range_is_an_underdose(judge: Judge, told: Told) -> None:
    report = judge("ciprofloxacin", "100 mg", "BID", "UTI")
    assert told(report) == [("dose", "underdose")]
    assert report.recommendation == "modify"


def test_a_dose_to_start_with_is_no_underdose(judge: Judge, clean: Clean) -> None:
    assert clean(judge("sertraline", "25 mg", "daily"))
    assert clean(judge("lisinopril", "5 mg", "daily", "hypertension"))
    assert clean(judge("warfarin", "1 mg", "daily"))


def test_a_dose_that_is_given_once_is_judged_by_its_own_limit(
    judge: Judge, told: Told, clean: Clean
) -> None:
    assert clean(judge("clopidogrel", "300 mg", "once"))
    assert told(judge("clopidogrel", "300 mg", "daily")) == [("dose", "overdose")]


def test_without_a_weight_a_dose_by_weight_is_left_open(judge: Judge, clean: Clean) -> None:
    report = judge("amoxicillin", "540 mg", "BID", "acute otitis media", age=4)
    assert report.findings == []
    assert not clean(report)


@pytest.mark.parametrize(
    ("dose", "frequency"), [("two spoons", "BID"), ("500 mg", "now and then"), ("1 tablet", "BID")]
)
def test_what_can_not_be_read_is_left_open(
    judge: Judge, clean: Clean, dose: str, frequency: str
) -> None:
    report = judge("metformin", dose, frequency)
    assert report.findings == []
    assert not clean(report)


def test_a_unit_in_which_the_drug_is_not_made_is_wrong(judge: Judge, told: Told) -> None:
    assert told(judge("lisinopril", "10 units", "daily")) == [("dose", "unit")]
    assert told(judge("Lantus", "10 mg", "nightly")) == [("dose", "unit")]


# --- pairs


def test_stopped_medications_do_not_count(judge: Judge, clean: Clean) -> None:
    assert clean(judge("simvastatin", "40 mg", "nightly", stopped=["clarithromycin"]))


def test_a_drug_put_where_it_acts_is_no_partner(judge: Judge) -> None:
    report = judge("warfarin", "5 mg", "daily", takes=[("diclofenac", "2 g", "QID", "topical")])
    assert report.findings == []
    assert [(one.kind, one.tolerated) for one in report.watches] == [("other_route", True)]


def test_a_pair_is_found_from_either_side(judge: Judge) -> None:
    one = judge("tizanidine", "4 mg", "TID", takes=[("fluvoxamine", "100 mg", "daily")])
    other = judge("fluvoxamine", "100 mg", "daily", takes=[("tizanidine", "4 mg", "TID")])
    assert keys_of(one.findings[0].names[0]) == keys_of(other.findings[0].names[0])


def test_where_a_label_asks_to_monitor_nothing_is_found(judge: Judge, clean: Clean) -> None:
    report = judge("ibuprofen", "400 mg", "TID", takes=[("lisinopril", "10 mg", "daily")])
    assert clean(report)
    assert [(one.kind, one.tolerated) for one in report.watches] == [("watch", True)]


@pytest.mark.parametrize(
    ("drug", "dose", "often", "other"),
    [
        ("aspirin", "81 mg", "daily", ("warfarin", "5 mg", "daily")),
        ("tramadol", "50 mg", "every 6 hours", ("sertraline", "50 mg", "daily")),
    ],
)
def test_a_grave_pair_that_is_left_to_watching_is_found_and_asked_about(
    judge: Judge, drug: str, dose: str, often: str, other: tuple[str, ...]
) -> None:
    report = judge(drug, dose, often, takes=[other])
    assert [(one.component, one.asks) for one in report.findings] == [("interaction", "modify")]
    assert report.recommendation == "modify"
    assert report.also_accepted == ["reject"]


def test_low_dose_aspirin_beside_an_nsaid_is_only_watched(judge: Judge, told: Told) -> None:
    def given(dose: str) -> Report:
        return judge("naproxen", "500 mg", "BID", "arthritis", takes=[("aspirin", dose, "daily")])

    assert ("interaction", "interaction") not in told(given("81 mg"))
    assert any(one.component == "interaction" for one in given("650 mg").findings)


def test_what_eplerenone_is_for_decides_its_partners(judge: Judge) -> None:
    def given(indication: str) -> list[str]:
        report = judge("eplerenone", "25 mg", "daily", indication,
                       takes=[("potassium chloride", "20 mEq", "daily")])  # fmt: skip
        return [one.severity for one in report.findings if one.component == "interaction"]

    assert "contraindicated" in given("hypertension")
    assert "contraindicated" not in given("heart failure")


def test_the_rule_that_names_the_drugs_goes_before_that_on_their_classes(judge: Judge) -> None:
    report = judge("methadone", "10 mg", "TID", takes=[("citalopram", "20 mg", "daily")])
    (found,) = [one for one in report.findings if one.component == "interaction"]
    assert (found.problem, found.asks) == ("interaction", "reject")
    assert [one for one in report.watches if one.component == "interaction"] == []


def test_a_class_that_would_name_two_findings_names_none(judge: Judge) -> None:
    both = [("alprazolam", "0.5 mg", "TID"), ("lorazepam", "1 mg", "BID")]
    report = judge("oxycodone", "5 mg", "every 6 hours as needed", "pain", takes=both)
    names = [one.names for one in report.findings if one.component == "interaction"]
    assert len(names) == 2
    assert not any("benzodiazepine-oxycodone" in one for one in names)
    assert [one[0] for one in names] == ["alprazolam-oxycodone", "lorazepam-oxycodone"]


def test_two_drugs_of_one_class_are_one_finding(judge: Judge, told: Told) -> None:
    report = judge("losartan", "50 mg", "daily", takes=[("lisinopril", "10 mg", "daily")])
    assert told(report) == [("interaction", "duplicate_therapy")]
    assert any("456.705" in by.reference for by in report.findings[0].authority)


def test_a_prescription_that_goes_on_is_no_duplicate_of_itself(judge: Judge, clean: Clean) -> None:
    takes = [("metformin", "1000 mg", "BID")]
    assert clean(judge("metformin", "1000 mg", "BID", starting=False, takes=takes))
    assert not clean(judge("metformin", "1000 mg", "BID", starting=True, takes=takes))


# --- allergies and contraindications


def test_an_allergy_to_the_drug_itself_needs_no_rule(judge: Judge, told: Told) -> None:
    for name in ("lisinopril", "amlodipine", "warfarin"):
        report = judge(name, "5 mg", "daily", allergic={name: "rash"})
        assert ("allergy", "allergy") in told(report)


def test_an_unrelated_allergy_says_nothing(judge: Judge, clean: Clean) -> None:
    report = judge("lisinopril", "10 mg", "daily", "hypertension",
                   allergic={"penicillin-allergy": "anaphylaxis"})  # fmt: skip
    assert clean(report)
    assert report.watches == []


def test_a_condition_that_is_over_does_not_count(judge: Judge, told: Told) -> None:
    assert told(judge("ciprofloxacin", "500 mg", "BID", "UTI", had=["G70.00"])) == []


def test_a_stage_of_kidney_disease_and_its_egfr_are_one_finding(judge: Judge, told: Told) -> None:
    report = judge("metformin", "500 mg", "BID", ill=["N18.4"], labs={"eGFR": "22"})
    assert told(report) == [("contraindication", "lab")]
    names = report.findings[0].names
    assert {"egfr-metformin", "kidney_disease-metformin"} <= set(names)


def test_a_kidney_disease_of_an_untold_stage_is_left_open(judge: Judge) -> None:
    report = judge("metformin", "500 mg", "BID", ill=["N18"])
    assert report.findings == []
    assert any("which kind of N18" in one.reason for one in report.open)


def test_the_newest_value_counts(judge: Judge) -> None:
    from datetime import date

    from casegen.checker.rx import check
    from casegen.schemas.rx_case import Prescription, RxFact

    def lab(on: str, value: str) -> RxFact:
        told = {"value": value, "unit": "mL/min/1.73 m2", "date": on}
        return RxFact(on, "lab", "eGFR", "active", told, "conditions", [])

    written = Prescription("p", "metformin", "500 mg", "BID", "", "", "", False)
    labs = [lab("2026-04-20", "27"), lab("2025-01-05", "55"), lab("2026-06-01", "70")]
    report = check(written, labs, date(2026, 5, 4))
    assert [one.evidence for one in report.findings] == [["2026-04-20"]]


def test_pregnancy_counts_by_its_weeks(judge: Judge) -> None:
    def found(weeks: str) -> list[str]:
        report = judge("ibuprofen", "400 mg", "TID", "pain", weeks=weeks)
        return [one.problem for one in report.findings]

    assert found("31") == ["pregnancy"]
    assert found("12") == []
    untold = judge("ibuprofen", "400 mg", "TID", "pain", weeks="")
    assert any("weeks" in one.reason for one in untold.open)


def test_where_authorities_differ_on_pregnancy_both_are_named(judge: Judge) -> None:
    report = judge("atorvastatin", "20 mg", "daily", weeks="10", age=30)
    assert (report.recommendation, report.also_accepted) == ("approve", ["reject"])
    (watch,) = report.watches
    assert {by.source for by in watch.authority} == {"label", "fda"}


def test_colchicine_with_clarithromycin_is_forbidden_where_the_kidneys_are_ill(
    judge: Judge,
) -> None:
    def severity(**known: object) -> str:
        report = judge("colchicine", "0.6 mg", "daily", takes=[("Biaxin", "500 mg", "BID")],
                       **known)  # fmt: skip
        return next(f.severity for f in report.findings if f.component == "interaction")

    assert severity() == "major"
    assert severity(ill=["N18.4"]) == "contraindicated"
    assert severity(labs={"CrCl": "25"}) == "contraindicated"


def test_a_strict_rule_without_a_dispute_binds_beside_a_disputed_one(judge: Judge) -> None:
    report = judge("cephalexin", "500 mg", "QID",
                   allergic={"amoxicillin": "anaphylaxis"})  # fmt: skip
    assert report.recommendation == "reject"
    assert report.also_accepted == []


def test_thyroid_hormone_needs_a_steroid_first_in_adrenal_insufficiency(judge: Judge) -> None:
    def found(*takes: tuple[str, ...]) -> list[str]:
        report = judge("levothyroxine", "50 mcg", "daily", ill=["E27.1"], takes=takes,
                       starting=False)  # fmt: skip
        return [name for one in report.findings for name in one.names]

    assert "adrenal_insufficiency-levothyroxine" in found()
    assert found(("hydrocortisone", "20 mg", "daily"), ("prednisone", "5 mg", "daily")) == []


# --- the recommendation


def test_the_recommendation_follows_from_what_findings_ask_for() -> None:
    assert recommend([]) == "approve"
    assert recommend(["modify", "modify"]) == "modify"
    assert recommend(["modify", "reject"]) == "reject"
    for word in ("reject", "modify", "approve"):
        assert f"{word}, where" in RULE


@pytest.mark.parametrize(
    ("component", "problem", "action", "asks"),
    [
        ("dose", "overdose", "", "modify"), ("dose", "unknown_drug", "", "reject"),
        ("interaction", "interaction", "avoid", "reject"),
        ("interaction", "interaction", "contraindicated", "reject"),
        ("interaction", "interaction_dose", "limit", "modify"),
        ("interaction", "interaction", "adjust", "modify"),
        ("interaction", "interaction", "separate", "modify"),
        ("interaction", "duplicate_therapy", "", "reject"), ("allergy", "allergy", "", "reject"),
        ("contraindication", "lab", "", "reject"),
    ],
)  # fmt: skip
def test_each_finding_asks_for_what_the_rule_says(
    component: str, problem: str, action: str, asks: str
) -> None:
    assert asks_for(component, problem, action) == asks


# --- all together


def test_every_finding_and_watch_names_its_authority(judge: Judge) -> None:
    drugs = list(load().drugs)
    takes = [(drug, "", "") for drug in drugs[::9]]
    for drug in drugs[::4]:
        report = judge(
            drug, "5000 mg", "every 2 hours", ill=["N18.6", "K25.4", "I50.22", "G70.00"],
            allergic={"penicillin-allergy": "hives", "nsaid-allergy": "asthma"}, takes=takes,
            labs={"eGFR": "12", "CrCl": "12"}, weeks="20", weight="70", age=70,
        )  # fmt: skip
        for one in [*report.findings, *report.watches]:
            assert one.authority, (drug, one)
            assert one.reason
            assert one.component == "dose" or one.names
        for one in report.findings:
            assert one.severity
            assert one.management


def test_a_long_qtc_and_a_long_qt_syndrome_are_two_things(judge: Judge) -> None:
    report = judge("sotalol", "80 mg", "BID", "atrial fibrillation", ill=["I45.81"],
                   labs={"QTc": "494", "CrCl": "91"})  # fmt: skip
    assert [one.pair[0] for one in report.findings] == ["I45.81", "QTc"]
