"""Prescriptions that pharmacies fill every day are within the limits; plain overdoses are not.

The reading of the limits here is a plain one of its own: it must not borrow from the checker.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.loader import load
from casegen.seeds.rx.model import DoseLimit

# drug, single dose in the unit of its limits, times a day, ICD-10-CM code ("-" for none)
RIGHT = """
warfarin 1 1 -, warfarin 10 1 -, apixaban 10 2 I82.401, apixaban 5 2 I48.0, apixaban 2.5 2 Z86.718
rivaroxaban 15 2 I26.99, rivaroxaban 20 1 I26.99, aspirin 81 1 I25.10, sertraline 25 1 -
fluoxetine 20 1 F32.9, paroxetine 10 1 F41.0, citalopram 10 1 -, escitalopram 5 1 -
trazodone 50 1 -, trazodone 50 1 F33.1, amitriptyline 10 1 -, nortriptyline 10 1 -
quetiapine 300 1 F31.30, quetiapine 25 1 -, quetiapine 300 2 F31.10, risperidone 1 2 F20.9
lithium 300 3 -, metformin 500 1 -, metformin 850 3 -, glipizide 2.5 1 -
empagliflozin 25 1 E11.9, lisinopril 2.5 1 I50.22, lisinopril 20 1 I12.9, lisinopril 80 1 I10
losartan 25 1 -, losartan 150 1 I50.22, valsartan 20 2 -, spironolactone 12.5 1 I50.22
metoprolol-tartrate 25 2 I10, carvedilol 3.125 2 I50.22, atenolol 25 1 I10, furosemide 40 2 -
torsemide 20 1 I50.32, amiodarone 200 1 -, simvastatin 5 1 -, pravastatin 10 1 -
amoxicillin 1000 1 J02.0, amoxicillin 1000 3 J18.9, clarithromycin 500 2 B96.81
vancomycin 500 4 A04.72, acyclovir 400 3 A60.00, gabapentin 300 1 B02.29, gabapentin 800 3 -
pregabalin 50 3 E11.42, lamotrigine 25 1 G40.909, topiramate 25 1 G43.009
cyclobenzaprine 5 1 -, baclofen 10 3 -, tramadol 25 4 -, ibuprofen 400 3 -, ibuprofen 800 4 -
naproxen 500 2 -, pantoprazole 40 2 K21.9, omeprazole 20 2 B96.81, famotidine 10 2 K21.9
alprazolam 0.25 2 F41.1, lorazepam 0.5 2 -, hydroxyzine 25 3 F41.9, allopurinol 100 1 M10.9
prednisone 2.5 1 -, sildenafil 20 3 I27.0, levothyroxine 25 1 E03.9, alendronate 10 1 M81.0
"""
TOO_MUCH = """
ibuprofen 2400 3 -, tramadol 200 4 -, simvastatin 80 1 -, metformin 2000 2 -, lisinopril 160 1 I10
ciprofloxacin 1500 2 -, citalopram 80 1 -, digoxin 1250 1 -, apixaban 20 2 I48.0, sertraline 400 1 -
amlodipine 20 1 -, acetaminophen 1500 4 -, alendronate 70 1 M81.0, zolpidem 20 1 -
"""


@pytest.fixture(scope="module")
def rx() -> Rx:
    return load()


def written(block: str) -> list[str]:
    return [one.strip() for line in block.strip().splitlines() for one in line.split(",")]


def holding(rx: Rx, drug: str, code: str) -> list[DoseLimit]:
    """The limits of a grown patient of 50 years and 80 kg with healthy kidneys."""
    first = rx.drugs[drug].strengths[0].form
    at = {"CrCl": 90, "eGFR": 90}
    found = []
    for dose in rx.drugs[drug].doses:
        if dose.hepatic or dose.criteria or (dose.form and dose.form != first):
            continue
        if dose.route and dose.route != rx.drugs[drug].routes[0]:
            continue
        if dose.age and not dose.age.holds(50 * 12):
            continue
        if dose.weight and not dose.weight.holds(80):
            continue
        if dose.renal and not dose.renal.range.holds(at[dose.renal.name]):
            continue
        if not dose.indication or any(code.startswith(prefix) for prefix in dose.codes):
            found.append(dose)
    named = [dose for dose in found if dose.indication]
    return named or found


def complaints(rx: Rx, text: str) -> list[str]:
    drug, amount, often, code = text.split()
    limits = holding(rx, drug, code)
    if not limits:
        return ["no limit is known"]
    # Where authorities differ, it is enough that one allows the dose.
    voices = {one.authority[0] for one in limits if one.disputed}
    read = [[one for one in limits if not one.disputed or one.authority[0] == by] for by in voices]
    return min((faults(one, amount, often) for one in read or [limits]), key=len)


def faults(limits: list[DoseLimit], amount: str, often: str) -> list[str]:
    single, times = Decimal(amount), int(often)
    found: list[str] = []
    for dose in limits:
        total = single * times * (7 if dose.basis == "week" else 1)
        if dose.basis == "kg/day":
            total /= 80
        if dose.maximum and total > dose.maximum:
            found.append(f"above {dose.maximum}")
        if dose.single and single > dose.single:
            found.append(f"above {dose.single} at once")
        if dose.usual and total < dose.usual[0]:
            found.append(f"below {dose.usual[0]}")
        if dose.times and dose.basis == "day" and not dose.times[0] <= times <= dose.times[1]:
            found.append(f"not {dose.times} a day")
    return found


@pytest.mark.parametrize("text", written(RIGHT))
def test_what_is_right_every_day_meets_no_limit(rx: Rx, text: str) -> None:
    assert complaints(rx, text) == []


@pytest.mark.parametrize("text", written(TOO_MUCH))
def test_a_plain_overdose_meets_a_limit(rx: Rx, text: str) -> None:
    assert any(one.startswith("above") for one in complaints(rx, text))


def test_a_warning_to_watch_closely_forbids_no_antidepressant(rx: Rx) -> None:
    for drug in ("sertraline", "fluoxetine", "atomoxetine"):
        assert {rule.grade for rule in rx.drugs[drug].pediatric} == {"caution"}


def test_opioids_in_pregnancy_are_a_caution(rx: Rx) -> None:
    assert {rule.grade for rule in rx.drugs["methadone"].pregnancy} == {"caution"}


def test_drugs_that_are_given_together_are_no_duplicates(rx: Rx) -> None:
    for a, b in (
        ("warfarin", "enoxaparin"),
        ("nitroglycerin", "isosorbide-mononitrate"),
        ("morphine", "fentanyl"),
    ):
        assert not set(rx.drugs[a].duplicate) & set(rx.drugs[b].duplicate)


def test_age_alone_by_the_beers_criteria_is_disputed_by_labels_that_lower_the_dose(rx: Rx) -> None:
    for drug in ("alprazolam", "glyburide", "amitriptyline"):
        rules = [r for r in rx.drugs[drug].contraindications if r.age and not r.codes]
        assert {(r.authority[0].source, r.grade) for r in rules} == {
            ("guideline", "avoid"),
            ("label", "caution"),
        }
        assert all(r.disputed for r in rules)
