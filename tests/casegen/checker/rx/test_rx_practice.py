"""What a pharmacist asked of the checker."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from itertools import combinations

from casegen.checker.rx import Report, check, render_report
from casegen.checker.rx.lookup import between
from casegen.checker.rx.outside import read_prescription
from casegen.seeds.rx import cases
from casegen.seeds.rx.loader import load

Judge = Callable[..., Report]
Told = Callable[[Report], list[tuple[str, str]]]
RITONAVIR = [("ritonavir", "100 mg", "BID")]
PROSTATE = "benign prostatic hyperplasia"


def outside(conditions: list[str]) -> tuple[Report, str]:
    data = {
        "prescription": {"drug": "metformin", "dose": "500 mg", "frequency": "BID",
                         "form": "tablet", "indication": "type 2 diabetes"},
        "patient": {"age": 50, "sex": "male"}, "conditions": conditions,
        "labs": [{"name": "eGFR", "value": 90}],
    }  # fmt: skip
    told = read_prescription(data, "rx.json", load())
    report = check(told.prescription, told.record, date.max)
    report.open = told.unread + report.open
    return report, render_report(report, told.prescription)


# --- limits of a pair that count hours


def test_tadalafil_every_day_beside_ritonavir_is_counted_over_72_hours(
    judge: Judge, told: Told
) -> None:
    both = [("dose", "interaction_dose"), ("interaction", "interaction_dose")]
    report = judge("tadalafil", "5 mg", "daily", PROSTATE, takes=RITONAVIR)
    assert told(report) == both
    assert "no more than 10 mg in 72 hours" in report.findings[0].management
    assert told(judge("tadalafil", "2.5 mg", "daily", PROSTATE, takes=RITONAVIR)) == []


def test_sildenafil_every_morning_beside_ritonavir_is_too_much(judge: Judge, told: Told) -> None:
    why = "erectile dysfunction"
    daily = judge("sildenafil", "25 mg", "qAM", why, takes=RITONAVIR)
    assert ("dose", "interaction_dose") in told(daily)
    assert told(judge("sildenafil", "25 mg", "every 48 hours", why, takes=RITONAVIR)) == []


# --- doses at one time


def test_a_daily_dose_that_is_to_be_divided_is_too_much_at_once(judge: Judge, told: Told) -> None:
    labs = {"CrCl": "90", "potassium": "4.2"}
    for often, right in (("once daily", [("dose", "overdose")]), ("twice daily", [])):
        amount = "100 mg" if right else "50 mg"
        assert told(judge("eplerenone", amount, often, "hypertension", labs=labs)) == right
        amount = "400 mg" if right else "200 mg"
        assert told(judge("celecoxib", amount, often, "rheumatoid arthritis")) == right


def test_the_form_decides_the_route(judge: Judge, told: Told) -> None:
    tablet = {"form": "tablet", "indication": "migraine"}
    assert told(judge("sumatriptan", "100 mg", "once daily as needed", **tablet)) == []
    assert told(judge("sumatriptan", "100 mg", "once daily as needed", "migraine")) == []
    much = judge("sumatriptan", "300 mg", "once daily as needed", **tablet)
    assert "no more than 200 mg a day" in much.findings[0].reason


# --- authorities that differ on a dose


def test_digoxin_in_old_age_shows_that_authorities_differ(judge: Judge, told: Told) -> None:
    report = judge("digoxin", "250 mcg", "daily", "atrial fibrillation", age=84, form="tablet")
    assert (told(report), report.dosage_safe) == ([], True)
    (watch,) = report.watches
    assert (watch.kind, watch.component) == ("disputed", "dose")
    assert "Beers" in watch.reason
    assert (report.recommendation, report.also_accepted) == ("approve", ["modify"])
    assert not judge(
        "digoxin", "125 mcg", "daily", "atrial fibrillation", age=84, form="tablet"
    ).watches


def test_hydroxychloroquine_by_weight_shows_that_authorities_differ(judge: Judge) -> None:
    report = judge("hydroxychloroquine", "400 mg", "daily", "rheumatoid arthritis", weight="50")
    assert report.also_accepted == ["modify"]
    assert "no more than 250 mg a day" in report.watches[0].reason
    light = judge("hydroxychloroquine", "400 mg", "daily", "rheumatoid arthritis", weight="90")
    assert not light.watches


# --- refills


def test_levothyroxine_is_minded_where_it_begins_and_watched_where_it_goes_on(
    judge: Judge, told: Told
) -> None:
    takes = [("warfarin", "5 mg", "daily"), ("insulin-glargine", "18 units", "daily")]
    new = judge("levothyroxine", "50 mcg", "daily", "hypothyroidism", takes=takes)
    assert told(new) == [("interaction", "interaction"), ("interaction", "class_interaction")]
    refill = judge(
        "levothyroxine", "50 mcg", "daily", "hypothyroidism", takes=takes, starting=False
    )
    assert (told(refill), [one.kind for one in refill.watches]) == ([], ["watch", "watch"])


# --- words


def test_too_often_names_what_is_to_be_feared(judge: Judge) -> None:
    report = judge(
        "bupropion", "150 mg", "twice daily", "depression",
        form="extended-release tablet (24 h)",
    )  # fmt: skip
    assert report.findings[0].effect == "too frequent: seizures"


def test_an_amount_by_weight_is_rounded_and_little_too_much_is_not_major(judge: Judge) -> None:
    child = {"age": 2, "weight": "12.3456789", "form": "suspension"}
    report = judge("amoxicillin", "570 mg", "BID", "acute otitis media", **child)
    assert "no more than 1111.1 mg a day" in report.findings[0].reason
    assert report.findings[0].severity == "moderate"
    twice = judge("amoxicillin", "1100 mg", "BID", "acute otitis media", **child)
    assert twice.findings[0].severity == "major"


def test_no_pair_cites_the_label_of_a_third_drug() -> None:
    rx = load()
    for a, b in combinations(rx.drugs, 2):
        parts = {a, b, *rx.ingredients(a), *rx.ingredients(b)}
        for rule in between(rx, a, b):
            if rule.a not in rx.classes and rule.b not in rx.classes:
                continue
            for by in rule.authority:
                third = by.source == "label" and by.reference in rx.drugs
                assert not third or by.reference in parts, (a, b, by)


def test_a_class_rule_cites_the_label_of_the_drug_itself_where_it_stands() -> None:
    (rule,) = (one for one in between(load(), "enalapril", "ibuprofen") if one.a == "nsaid")
    cited = [(one.reference, one.section) for one in rule.authority]
    assert cited
    assert {drug for drug, _ in cited} <= {"enalapril", "ibuprofen"}


def test_two_brands_of_one_drug_are_both_named() -> None:
    data = {
        "prescription": {"drug": "Motrin", "dose": "400 mg", "frequency": "TID",
                         "form": "tablet", "indication": "arthritis or pain"},
        "patient": {"age": 40, "sex": "male"},
        "medications": [{"drug": "Advil", "dose": "200 mg", "frequency": "BID"}],
    }  # fmt: skip
    told = read_prescription(data, "rx.json", load())
    (found,) = check(told.prescription, told.record, date.max).findings
    assert found.reason == "Advil and Motrin are both ibuprofen"


# --- what check could not judge


def test_the_first_line_says_how_much_was_not_judged() -> None:
    report, text = outside(["flying saucer syndrome"])
    assert len(report.open) == 1
    assert text.startswith("APPROVE, 1 not judged  metformin")
    assert outside(["GERD"])[1].startswith("APPROVE  metformin")


def test_every_wording_of_generated_lists_is_known() -> None:
    rows = cases.read("problems.yaml")["problems"].values()
    names = [name for row in rows for name in (*row["names"], *row["terse"])]
    assert {"GERD", "migraine without aura"} <= set(names)
    for name in names:
        assert not [one for one in outside([name])[0].open if one.about == name], name
