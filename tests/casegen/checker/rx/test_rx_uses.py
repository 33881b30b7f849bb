"""What is usual hangs on what a drug is for, on the weight, and on whether it is begun."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from casegen.checker.rx import Report, check
from casegen.schemas.rx_case import Prescription, RxFact

ON = date(2026, 5, 4)

Judge = Callable[..., Report]
Told = Callable[[Report], list[tuple[str, str]]]
Clean = Callable[[Report], bool]
LOW = [("dose", "underdose")]
HIGH = [("dose", "overdose")]

# drug, too little, enough, how often, for what
BY_USE = [
    ("levofloxacin", "250 mg", "500 mg", "daily", "pneumonia"),
    ("levofloxacin", "250 mg", "500 mg", "daily", "community-acquired pneumonia"),
    ("ciprofloxacin", "250 mg", "500 mg", "BID", "acute sinusitis"),
    ("clarithromycin", "250 mg", "500 mg", "BID", "sinusitis"),
    ("dapagliflozin", "5 mg", "10 mg", "daily", "heart failure"),
    ("linezolid", "400 mg", "600 mg", "BID", "pneumonia"),
    ("doxycycline", "50 mg", "100 mg", "BID", "Lyme disease"),
    ("cefpodoxime", "100 mg", "200 mg", "BID", "pneumonia"),
    ("cefprozil", "250 mg", "500 mg", "BID", "bronchitis"),
    ("cefepime", "0.5 g", "1 g", "every 12 hours", "pneumonia"),
    ("ceftriaxone", "1 g", "2 g", "every 12 hours", "bacterial meningitis"),
    ("metronidazole", "250 mg", "500 mg", "TID", "A04.72"),
    ("fluconazole", "50 mg", "100 mg", "daily", "esophageal candidiasis"),
]


@pytest.mark.parametrize(("drug", "low", "enough", "often", "use"), BY_USE)
def test_a_dose_for_another_use_is_too_little(
    judge: Judge, told: Told, clean: Clean, drug: str, low: str, enough: str, often: str, use: str
) -> None:
    weight = "70"
    assert told(judge(drug, low, often, use, weight=weight, starting=False)) == LOW
    assert clean(judge(drug, enough, often, use, weight=weight, starting=False))


@pytest.mark.parametrize(
    ("drug", "dose", "often", "use"),
    [
        ("levofloxacin", "250 mg", "daily", "urinary tract infection"),
        ("levofloxacin", "250 mg", "daily", ""),
        ("sertraline", "200 mg", "daily", "depression"),
        ("ciprofloxacin", "250 mg", "BID", "urinary tract infection"),
        ("dapagliflozin", "5 mg", "daily", "type 2 diabetes"),
        ("doxycycline", "50 mg", "daily", "acne"),
        ("clarithromycin", "250 mg", "BID", "pneumonia"),
        ("amoxicillin", "500 mg", "every 8 hours", "pneumonia"),
        ("amoxicillin", "1000 mg", "TID", "pneumonia"),
        ("aztreonam", "1 g", "every 8 hours", "urinary tract infection"),
        ("aztreonam", "2 g", "every 8 hours", "urinary tract infection"),
    ],
)
def test_a_dose_that_an_authority_gives_for_the_use_is_right(
    judge: Judge, clean: Clean, drug: str, dose: str, often: str, use: str
) -> None:
    assert clean(judge(drug, dose, often, use, weight="70", starting=False))


def test_weak_kidneys_take_less_for_every_use(judge: Judge, clean: Clean) -> None:
    assert clean(judge("ciprofloxacin", "250 mg", "BID", "acute sinusitis", labs={"CrCl": "40"}))
    assert clean(judge("cefpodoxime", "200 mg", "daily", "pneumonia", labs={"CrCl": "20"}))
    assert clean(judge("aztreonam", "0.5 g", "every 8 hours", "pneumonia", labs={"CrCl": "20"}))


@pytest.mark.parametrize(
    ("drug", "dose", "often", "use", "light", "heavy"),
    [
        ("prasugrel", "5 mg", "daily", "", "58", "88"),
        ("rifampin", "450 mg", "daily", "tuberculosis", "48", "62"),
        ("isoniazid", "200 mg", "daily", "tuberculosis", "42", "70"),
        ("voriconazole", "100 mg", "every 12 hours", "", "38", "68"),
    ],
)
def test_the_weight_tells_how_much_is_usual(
    judge: Judge, told: Told, drug: str, dose: str, often: str, use: str, light: str, heavy: str
) -> None:
    def given(weight: str) -> list[tuple[str, str]]:
        return told(judge(drug, dose, often, use, weight=weight, starting=False))

    assert given(light) == []
    assert given(heavy) == LOW


def test_a_mended_dose_says_what_is_usual_for_the_use(judge: Judge) -> None:
    (found,) = judge("voriconazole", "100 mg", "every 12 hours", weight="68").findings
    assert "400 mg a day or more" in found.management


def test_no_more_than_two_grams_of_aztreonam_at_a_time(judge: Judge, told: Told) -> None:
    report = judge("aztreonam", "4 g", "BID", "urinary tract infection")
    assert told(report) == HIGH
    assert "at a time" in report.findings[0].management


# --- to begin with

BEGUN = [
    ("clozapine", "50 mg", "every 12 hours", "schizophrenia", "12.5 mg"),
    ("carvedilol", "6.25 mg", "BID", "heart failure", "3.125 mg"),
    ("lamotrigine", "200 mg", "daily", "epilepsy", "25 mg"),
    ("semaglutide", "2 mg", "weekly", "type 2 diabetes", "0.25 mg"),
    ("dulaglutide", "1.5 mg", "weekly", "type 2 diabetes", "0.75 mg"),
    ("venlafaxine", "225 mg", "daily", "major depression", "75 mg"),
]


@pytest.mark.parametrize(("drug", "dose", "often", "use", "first"), BEGUN)
def test_a_drug_that_is_raised_slowly_begins_low(
    judge: Judge, told: Told, clean: Clean, drug: str, dose: str, often: str, use: str, first: str
) -> None:
    def given(much: str, starting: bool) -> Report:
        return judge(drug, much, often, use, weight="80", starting=starting)

    begun = given(dose, True)
    assert told(begun) == HIGH
    assert begun.findings[0].management.startswith("begin with no more than")
    assert clean(given(first, True))
    assert clean(given(dose, False))


def test_no_first_dose_is_judged_where_nobody_tells_that_it_is_one() -> None:
    from casegen.checker.rx.outside import read_prescription
    from casegen.seeds.rx.loader import load

    def given(**more: object) -> Report:
        use = {"indication": "depression"}
        written = {"drug": "sertraline", "dose": "100 mg", "frequency": "daily", **use, **more}
        told = read_prescription({"prescription": written, "patient": {"age": 40}}, "file", load())
        return check(told.prescription, told.record, ON, begun_told=told.begun_told)

    assert any("a first dose is no more than 50 mg" in one.reason for one in given().open)
    assert given().findings == []
    assert [one.problem for one in given(starting=True).findings] == ["overdose"]
    assert given(starting=False).findings == []


# --- what forbids


def test_eplerenone_for_hypertension_is_forbidden_by_the_kidneys(judge: Judge, told: Told) -> None:
    def given(use: str, **known: object) -> list[tuple[str, str]]:
        return told(judge("eplerenone", "50 mg", "daily", use, **known))

    diabetes = ["I10", "E11.29"]
    assert given("hypertension", ill=diabetes) == [("contraindication", "condition")]
    assert given("heart failure", ill=[*diabetes, "I50.22"]) == []
    assert ("contraindication", "condition") in given(
        "hypertension", ill=["I10"], labs={"CrCl": "45"}
    )
    assert given("heart failure", ill=["I10", "I50.22"], labs={"CrCl": "45"}) == []


@pytest.mark.parametrize(
    ("drug", "dose"), [("spironolactone", "25 mg"), ("potassium chloride", "20 mEq")]
)
def test_a_high_potassium_counts_by_its_value(
    judge: Judge, told: Told, drug: str, dose: str
) -> None:
    def given(value: str) -> list[tuple[str, str]]:
        return told(judge(drug, dose, "daily", labs={"potassium": value}))

    assert given("5.8") == [("contraindication", "lab")]
    assert given("4.4") == []


def test_estradiol_is_forbidden_in_liver_disease(judge: Judge, told: Told) -> None:
    report = judge("estradiol", "1 mg", "daily", "menopausal symptoms", ill=["K74.60"])
    assert ("contraindication", "condition") in told(report)


def test_valproate_for_migraine_asks_whether_a_woman_uses_contraception() -> None:
    def asked(sex: str, years: int, use: str) -> bool:
        facts = [
            RxFact("age", "age", str(years * 12), "active", {}, "shown", []),
            RxFact("sex", "sex", sex, "active", {}, "shown", []),
        ]
        written = Prescription("p", "Depakote", "250 mg", "BID", "oral", "delayed-release tablet",
                               use, False)  # fmt: skip
        report = check(written, facts, ON)
        return any("contraception" in one.reason for one in report.open)

    assert asked("female", 30, "migraine")
    assert not asked("female", 60, "migraine")
    assert not asked("male", 30, "migraine")
    assert not asked("female", 30, "seizure disorder")


@pytest.mark.parametrize("code", ["I10", "I25.10", "E05.90", "E11.9", "N40.1"])
def test_pseudoephedrine_is_watched_as_its_drug_facts_ask(judge: Judge, code: str) -> None:
    report = judge("pseudoephedrine", "60 mg", "every 6 hours", ill=[code])
    assert report.findings == []
    assert [one.kind for one in report.watches] == ["watch"]


@pytest.mark.parametrize("drug", ["indomethacin", "ketorolac"])
def test_indomethacin_in_old_age_is_disputed(judge: Judge, drug: str) -> None:
    report = judge(drug, "25 mg" if drug == "indomethacin" else "10 mg", "BID", age=88)
    assert (report.recommendation, report.also_accepted) == ("approve", ["reject"])


# --- names and allergies


@pytest.mark.parametrize(
    ("name", "dose", "often"),
    [("APAP", "500 mg", "TID"), ("HCTZ", "25 mg", "daily"), ("PTU", "100 mg", "TID")],
)
def test_an_abbreviated_drug_is_error_prone_notation_alone(
    judge: Judge, told: Told, name: str, dose: str, often: str
) -> None:
    assert told(judge(name, dose, often)) == [("dose", "notation")]


def test_mtx_is_misread_and_no_unknown_drug(judge: Judge, told: Told) -> None:
    report = judge("MTX", "15 mg", "weekly", "rheumatoid arthritis")
    assert told(report) == [("dose", "notation")]


def test_a_brand_that_ends_in_cc_is_no_notation(judge: Judge, clean: Clean) -> None:
    assert clean(judge("Adalat CC", "30 mg", "daily", "hypertension"))


@pytest.mark.parametrize("drug", ["cephalexin", "cefadroxil", "cefprozil", "cefaclor"])
def test_hives_by_amoxicillin_forbid_a_cephalosporin_of_its_side_chain(
    judge: Judge, told: Told, drug: str
) -> None:
    def given(reaction: str) -> list[tuple[str, str]]:
        return told(judge(drug, "500 mg", "BID", allergic={"amoxicillin": reaction}))

    assert ("allergy", "cross_allergy") in given("hives")
    assert ("allergy", "cross_allergy") in given("anaphylaxis")
    assert ("allergy", "cross_allergy") not in given("rash")
