"""What stands in a record is what the case is about, and nothing else is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

import casegen
from casegen.accident import AccidentError
from casegen.checker.rx import check
from casegen.rx.certify import certify
from casegen.schemas import CertificationError, RxCase
from casegen.seeds.rx.loader import load

COUNT = 260


@pytest.fixture(scope="module")
def cases() -> list[RxCase]:
    return list(casegen.make("rx-v0", seed=17).cases(0, COUNT))


def with_finding(cases: list[RxCase], *problems: str) -> Iterator[tuple[RxCase, int]]:
    for case in cases:
        for at, finding in enumerate(case.findings):
            if finding.problem in problems:
                yield case, at


def judged(case: RxCase) -> set[tuple[str, str, tuple[str, ...]]]:
    on = date.fromisoformat(case.encounter.service_date)
    report = check(case.prescription, case.record, on)
    return {(one.component, one.problem, tuple(sorted(one.pair))) for one in report.findings}


def test_without_its_evidence_a_finding_is_gone(cases: list[RxCase]) -> None:
    pairs = ("interaction", "class_interaction", "interaction_dose", "duplicate_therapy",
             "allergy", "cross_allergy", "condition", "lab", "pregnancy")  # fmt: skip
    seen = set()
    for case, at in with_finding(cases, *pairs):
        finding = case.findings[at]
        if finding.component == "dose":
            continue
        key = (finding.component, finding.problem, tuple(sorted(finding.pair)))
        kept = [
            fact
            for fact in case.record
            if fact.source == "shown" or not any(s in finding.evidence for s in fact.spans)
        ]
        assert key in judged(case)
        assert key not in judged(replace(case, record=kept)), case.id
        seen.add(finding.problem)
    assert seen == set(pairs)


def test_a_stopped_drug_that_is_taken_again_is_a_finding(cases: list[RxCase]) -> None:
    seen = 0
    for case in cases:
        for decoy in case.decoys:
            if decoy.kind != "history":
                continue
            record = [
                replace(fact, status="active")
                if fact.kind == "medication" and fact.term == decoy.pair[0]
                else fact
                for fact in case.record
            ]
            again = judged(replace(case, record=record)) - judged(case)
            assert any(key[0] == "interaction" and decoy.pair[0] in key[2] for key in again)
            seen += 1
    assert seen


def test_an_intolerance_that_is_an_allergy_is_a_finding(cases: list[RxCase]) -> None:
    seen = 0
    for case in cases:
        for decoy in case.decoys:
            if decoy.kind != "intolerance":
                continue
            record = [
                replace(fact, kind="allergy", attributes={"reaction": "hives"})
                if fact.kind == "intolerance"
                else fact
                for fact in case.record
            ]
            again = judged(replace(case, record=record)) - judged(case)
            assert any(key[0] == "allergy" for key in again), case.id
            seen += 1
    assert seen


def test_what_is_put_where_it_acts_would_count_by_mouth(cases: list[RxCase]) -> None:
    seen = 0
    for case in cases:
        for decoy in case.decoys:
            if decoy.kind != "other_route":
                continue
            told = {"route": "oral", "form": "", "dose": "400", "unit": "mg", "times": "1"}
            record = [
                replace(fact, attributes=told) if fact.term == decoy.pair[0] else fact
                for fact in case.record
            ]
            report = check(
                case.prescription, record, date.fromisoformat(case.encounter.service_date)
            )
            named = [*report.findings, *report.watches]
            assert any(
                decoy.pair[0] in one.pair and getattr(one, "kind", "") != "other_route"
                for one in named
            ), case.id
            seen += 1
    assert seen


def test_a_finding_that_the_checker_does_not_see_is_our_defect(cases: list[RxCase]) -> None:
    case, at = next(with_finding(cases, "interaction"))
    finding = case.findings[at]
    other = replace(finding, pair=["warfarin", "lisinopril"])
    wrong = replace(case, findings=[other if one is finding else one for one in case.findings])
    with pytest.raises(CertificationError, match="does not find"):
        certify(wrong)


def test_a_finding_that_the_case_does_not_tell_is_an_accident(cases: list[RxCase]) -> None:
    case, _ = next(with_finding(cases, "condition"))
    with pytest.raises(AccidentError):
        certify(replace(case, findings=[]))


@pytest.mark.parametrize(
    "change",
    [
        {"recommendation": "approve"},
        {"dosage_safe": False},
        {"also_accepted": ["modify", "reject"]},
    ],
)
def test_a_wrong_answer_is_refused(cases: list[RxCase], change: dict[str, object]) -> None:
    case = next(
        one
        for one in cases
        if one.recommendation == "reject" and one.dosage_safe and not one.also_accepted
    )
    with pytest.raises(CertificationError):
        certify(replace(case, **change))  # type: ignore[arg-type]


def test_a_span_that_the_note_does_not_read_is_refused(cases: list[RxCase]) -> None:
    with pytest.raises(CertificationError, match="does not read"):
        certify(replace(cases[0], note="x" + cases[0].note))


def test_amlodipine_with_simvastatin_40_is_never_in_a_clean_case() -> None:
    for case in casegen.make("rx-v0", seed=1, safe=1.0).cases(0, 400):
        drug = load().named(case.prescription.drug)
        taken = {f.term for f in case.record if f.kind == "medication" and f.status == "active"}
        if drug is not None and drug.id == "simvastatin" and "amlodipine" in taken:
            assert case.prescription.dose in ("5 mg", "10 mg", "20 mg")


def test_a_child_has_the_dose_and_the_conditions_of_a_child() -> None:
    seen = 0
    for case in casegen.make("rx-v0", seed=2).cases(0, 900):
        months = int(next(fact.term for fact in case.record if fact.kind == "age"))
        if months >= 12 * 12:
            continue
        seen += 1
        assert any(fact.kind == "weight" for fact in case.record)
        codes = {fact.term for fact in case.record if fact.kind == "condition"}
        assert not any(code.startswith(("I10", "E11", "E78", "M17", "I25")) for code in codes)
    assert seen
