"""The 22 documented scenarios: what the document says of them, and what the checker says."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pytest

from casegen.checker.rx import check
from casegen.conform import conform
from casegen.env.caseform import fault_of
from casegen.env.packs import pack
from casegen.env.rx.case import dangerous, entries, months_old
from casegen.env.rx.grading import items
from casegen.env.rx.pairs import keys_of_all
from casegen.schemas.rx_case import RxCase

from .conftest import DOCUMENTED, case

# Pairs that the document counts as interactions, and that the labels only ask to watch; the
# checker finds them and asks for a change.
BY_DOCUMENT = {
    "interaction_check_1": ("warfarin", "aspirin"),
    "interaction_check_2": ("sertraline", "tramadol"),
    "full_validation_1": ("warfarin", "ciprofloxacin"),
}
EVERY = pytest.mark.parametrize("task_id", DOCUMENTED)
# As the document has them: what is found, and what is recommended.
NAMED = {
    "dosage_check_1": ({"overdose"}, "modify"),
    "dosage_check_2": ({"overdose"}, "modify"),
    "dosage_check_3": ({"overdose"}, "modify"),
    "dosage_check_4": (set(), "approve"),
    "dosage_check_5": (set(), "approve"),
    "dosage_check_6": (set(), "approve"),
    "interaction_check_1": ({"warfarin-aspirin"}, "reject"),
    "interaction_check_2": ({"sertraline-tramadol"}, "reject"),
    "interaction_check_3": ({"penicillin-amoxicillin"}, "reject"),
    "interaction_check_4": ({"nsaid-ibuprofen"}, "reject"),
    "interaction_check_5": (
        {"interaction_dose", "amiodarone-simvastatin"},
        "modify",
    ),
    "full_validation_1": (
        {"warfarin-ciprofloxacin", "myasthenia_gravis-ciprofloxacin"},
        "reject",
    ),
    "full_validation_2": ({"kidney_disease-metformin"}, "reject"),
}


def found(one: RxCase) -> set[str]:
    return {f.names[0] if f.names else f.problem for f in one.findings}


def test_the_pack_holds_six_eight_and_eight_with_the_documented_grader() -> None:
    tasks = list(pack("rx-seed-v1"))
    assert Counter(case(task.id).task for task in tasks) == {
        "dosage_check": 6, "interaction_check": 8, "full_validation": 8,
    }  # fmt: skip
    assert {(task.profile, task.family, task.pack) for task in tasks} == {
        ("seed", "rx", "rx-seed-v1")
    }
    steps = {"dosage_check": 2, "interaction_check": 4, "full_validation": 6}
    assert all(case(task.id).max_steps == steps[case(task.id).task] for task in tasks)


@pytest.mark.parametrize("task_id", NAMED)
def test_what_the_document_names_is_as_it_says(task_id: str) -> None:
    wanted, word = NAMED[task_id]
    assert found(case(task_id)) == wanted
    assert case(task_id).recommendation == word


def test_ibuprofen_is_written_as_the_document_has_it() -> None:
    written = case("dosage_check_1").prescription
    assert (written.drug, written.dose, written.frequency) == ("ibuprofen", "2400 mg", "TID")
    (overdose,) = case("dosage_check_1").findings
    assert "7200 mg a day" in overdose.reason and "3200 mg" in overdose.reason


def test_some_cases_hold_several_issues_and_some_none() -> None:
    wanted = [items(case(task_id), None).wanted for task_id in DOCUMENTED]
    assert max(wanted) >= 3
    assert sum(one >= 2 for one in wanted) >= 5
    assert 4 <= sum(not dangerous(case(task_id)) for task_id in DOCUMENTED) <= 7


@EVERY
def test_an_id_tells_the_kind_of_task_alone(task_id: str) -> None:
    assert re.fullmatch(rf"{case(task_id).task}_\d", task_id)


@EVERY
def test_a_task_is_of_the_form_of_a_case(task_id: str) -> None:
    conform(case(task_id))
    assert fault_of(case(task_id)) is None
    assert case(task_id).prescription.id.startswith("RX-")


@EVERY
def test_the_checker_comes_to_the_same_by_itself(task_id: str) -> None:
    one = case(task_id)
    report = check(one.prescription, one.record, date.fromisoformat(one.encounter.service_date))
    assert not [about for about in report.open if about.decides]
    assert report.dosage_safe is one.dosage_safe
    pair = BY_DOCUMENT.get(task_id)
    assert one.recommendation in (report.recommendation, *report.also_accepted)
    if pair is not None:
        (grave,) = (f for f in report.findings if f.pair == list(pair))
        assert (grave.severity, grave.asks) == ("major", "modify")
    findings = [f for f in one.findings if pair is None or f.pair != list(pair)]
    report.findings = [f for f in report.findings if pair is None or f.pair != list(pair)]
    mine = Counter((f.component, f.problem, *f.pair, f.severity, f.asks) for f in findings)
    its = Counter((f.component, f.problem, *f.pair, f.severity, f.asks) for f in report.findings)
    assert mine == its
    for finding in findings:
        same = [
            f for f in report.findings if (f.component, f.pair) == (finding.component, finding.pair)
        ]
        authorities = {(a.source, a.reference, a.section) for a in finding.authority}
        assert any(
            authorities <= {(a.source, a.reference, a.section) for a in f.authority} for f in same
        )
        if finding.names:
            assert any(keys_of_all(f.names) & keys_of_all(finding.names[:1]) for f in same)


def test_a_note_says_where_the_document_departs_from_the_labels() -> None:
    noted = {task.id: task.reference_note for task in pack("rx-seed-v1") if task.reference_note}
    assert set(noted) == set(BY_DOCUMENT)
    assert all("watch" in note and "label" in note for note in noted.values())


@EVERY
def test_what_the_checker_only_watches_is_tolerated(task_id: str) -> None:
    one = case(task_id)
    report = check(one.prescription, one.record, date.fromisoformat(one.encounter.service_date))
    tolerated = keys_of_all(name for d in one.decoys if d.tolerated for name in d.names)
    for watch in report.watches:
        if watch.tolerated and tuple(watch.pair) != BY_DOCUMENT.get(task_id):
            assert keys_of_all(watch.names) & tolerated


@EVERY
def test_the_note_tells_the_prescription_and_the_patient_first(task_id: str) -> None:
    one = case(task_id)
    head, _, rest = one.note.partition("\n\n")
    assert f"Prescription review, {one.encounter.service_date}." in head
    months = months_old(one)
    age = f"{months} months old" if months < 24 else f"{months // 12} years old"
    assert f"{one.patient.name}, {age}, {one.patient.sex}." in head
    written = one.prescription
    assert f"{written.id}: {written.drug} {written.dose}" in head
    assert ("new" in head) is written.starting
    lines = [line for line in rest.splitlines() if line.startswith("- ")]
    assert len(lines) == entries(one)


@EVERY
def test_each_finding_has_its_words_and_its_authority(task_id: str) -> None:
    one = case(task_id)
    for told in (*one.findings, *one.decoys):
        assert told.reason.endswith(".")
        assert told.evidence and told.authority
        for span in told.evidence:
            assert one.note[span.start : span.end] == span.text
    for finding in one.findings:
        assert not re.search(r"oracle|answer|decoy", finding.reason + finding.management)
