"""Certifies an rx case: an independent judgement of the prescription in its record must come to
exactly the findings and the recommendation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from casegen.schemas import CertificationError
from casegen.schemas.rx_case import RxCase, RxDecoy, RxFinding
from casegen.seeds.rx.naming import keys_of

from ..accident import AccidentError
from ..checker.rx import check

BY_CHANCE = "something else is wrong by chance"
OPEN = "the record leaves something open"
_FERTILE = range(15 * 12, 51 * 12)  # completed months, as the fertile years are counted
WATCHED = "something else is to be watched by chance"


def certify(case: RxCase) -> None:
    """Raise CertificationError where the checker contradicts the case, AccidentError where
    something came about by chance that the case does not tell."""
    for complaint in _of_patient(case):
        raise CertificationError(f"{case.id}: {complaint}")
    report = check(case.prescription, case.record, date.fromisoformat(case.encounter.service_date))
    found = [_key(one) for one in report.findings]
    told = [_key(one) for one in case.findings]
    missing = [one for one in told if one not in found]
    if missing:
        raise CertificationError(f"{case.id}: the checker does not find {missing[0]}")
    extra = [one for one in found if one not in told]
    if extra or len(found) != len(told):
        raise AccidentError(BY_CHANCE)
    if report.open:
        raise AccidentError(OPEN)
    if not all(_told(one, case) for one in report.watches):
        raise AccidentError(WATCHED)
    for complaint in _of_answer(case, report):
        raise CertificationError(f"{case.id}: {complaint}")


def _of_patient(case: RxCase) -> Iterator[str]:
    """What can't be true of the patient."""
    told = {fact.kind: fact.term for fact in case.record if fact.kind in ("sex", "age")}
    if any(fact.kind == "pregnancy" and fact.status == "active" for fact in case.record):
        if told.get("sex") != "female":
            yield "a pregnancy of somebody who is no woman"
        if int(told.get("age", "0")) not in _FERTILE:
            yield "a pregnancy at an age at which there is none"


def _key(one: Any) -> tuple[str, str, tuple[str, ...], str]:
    """What a finding is about: component, problem, the pair in no order, what it asks for."""
    return one.component, one.problem, tuple(sorted(one.pair)), one.asks


def _told(watch: Any, case: RxCase) -> bool:
    """Whether a decoy or finding of the case speaks of what the checker would watch."""
    stated: Sequence[RxDecoy | RxFinding] = [*case.decoys, *case.findings]
    pair = sorted(watch.pair)
    return any(
        one.component == watch.component
        and (sorted(one.pair) == pair or _meet(one.names, watch.names))
        for one in stated
    )


def _meet(names: Sequence[str], others: Sequence[str]) -> bool:
    if not set(names).isdisjoint(others):
        return True
    keys = {key for name in names for key in keys_of(name)}
    return any(keys & keys_of(name) for name in others)


def _of_answer(case: RxCase, report: Any) -> Iterator[str]:
    if report.dosage_safe != case.dosage_safe:
        yield f"the dose is {'safe' if report.dosage_safe else 'not safe'}"
    if report.recommendation != case.recommendation:
        yield f"the checker says {report.recommendation}, not {case.recommendation}"
    if sorted(report.also_accepted) != sorted(case.also_accepted):
        yield f"as right is {report.also_accepted}, not {case.also_accepted}"
    by_key = {_key(one): one for one in report.findings}
    for one in case.findings:
        other = by_key[_key(one)]
        if one.component != "dose" and not _meet(one.names, other.names[:1]):
            yield f"the checker calls {one.names[:1]} {other.names[:1]}"
        if one.severity != other.severity:
            yield f"{one.pair}: {other.severity}, not {one.severity}"
    for fact in case.record:
        for span in fact.spans:
            if case.note[span.start : span.end] != span.text:
                yield f"fact {fact.id}: the note does not read {span.text!r} at {span.start}"
