"""Whether the parts of an rx case fit one another: patient, lists, record, answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from casegen.schemas import RxCase, Span
from casegen.schemas.rx_case import RxFact, RxFinding
from casegen.seeds.rx.loader import load
from casegen.seeds.rx.recommending import recommend

from ..consistent import read_so
from ..where import Where

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

_LISTS = (("allergies", "allergies"), ("medications", "medications"),
          ("conditions", "conditions_listed"))  # fmt: skip
_SOURCES = {
    "sex": "shown", "age": "shown", "weight": "conditions", "pregnancy": "conditions",
    "allergy": "allergies", "intolerance": "allergies", "medication": "medications",
    "condition": "conditions", "lab": "conditions",
}  # fmt: skip
_STRICTNESS = ("approve", "modify", "reject")


def consistent(case: RxCase, where: Where, tables: Tables) -> None:
    """Raise InputError, by ``where``, for the first part of the case that does not fit."""
    from ...rx.levels import levels

    task = levels()[case.difficulty].task
    if case.task != task:
        where.fail("task", case.task, f"must be {task} for {case.difficulty}")
    _patient(case, where)
    read_so(case, _spans(case), where)
    _lists(case, where)
    _record(case, where, tables)
    _answer(case, where)


def _patient(case: RxCase, where: Where) -> None:
    """Age and sex of the record are those of the patient on the day of the prescription."""
    on = _day(case.encounter.service_date, "encounter.service_date", where)
    born = _day(case.patient.birth_date, "patient.birth_date", where)
    months = (on.year - born.year) * 12 + on.month - born.month - (on.day < born.day)
    for kind, right in (("sex", case.patient.sex), ("age", str(months))):
        stated = [fact.term for fact in case.record if fact.kind == kind]
        if stated != [right]:
            where.fail("record", stated, f"must state the {kind} of the patient once, {right}")


def _day(text: str, field: str, where: Where) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        where.fail(field, text, "must be a date such as 2026-04-30")


def _spans(case: RxCase) -> Iterator[tuple[str, list[Span]]]:
    """The spans of lists and answer, each list with its place."""
    for _, field in _LISTS:
        yield field, getattr(case, field)
    for number, finding in enumerate(case.findings):
        yield f"findings[{number}].evidence", finding.evidence
    for number, decoy in enumerate(case.decoys):
        yield f"decoys[{number}].evidence", decoy.evidence


def _lists(case: RxCase, where: Where) -> None:
    """Each fact that is not shown at once stands within a line of its own list."""
    for number, fact in enumerate(case.record):
        place = f"record[{number}]"
        if fact.source != _SOURCES[fact.kind]:
            where.fail(f"{place}.source", fact.source, f"must be {_SOURCES[fact.kind]}")
        field = dict(_LISTS).get(fact.source)
        lines: list[Span] = [] if field is None else getattr(case, field)
        for span in fact.spans if field is not None else ():
            if not any(line.start <= span.start and span.end <= line.end for line in lines):
                where.fail(f"{place}.spans", span.text, f"stands in no line of {field}")


def _record(case: RxCase, where: Where, tables: Tables) -> None:
    rx = load()
    ids: set[str] = set()
    allergens = {one.id for one in rx.allergies} | set(rx.drugs) | set(rx.classes)
    for number, fact in enumerate(case.record):
        place = f"record[{number}]"
        if fact.id in ids:
            where.fail(f"{place}.id", fact.id, "stands there twice")
        ids.add(fact.id)
        if fact.kind == "medication" and fact.term not in rx.drugs:
            where.fail(f"{place}.term", fact.term, "is no drug of the knowledge")
        if fact.kind in ("allergy", "intolerance") and fact.term not in allergens:
            where.fail(f"{place}.term", fact.term, "is no allergen of the knowledge")
        if fact.kind == "condition":
            on = case.encounter.service_date
            if tables.status(fact.term, on) != "valid":
                where.fail(f"{place}.term", fact.term, f"is no code that is valid on {on}")
        for name, text in _numbers(fact):
            if not _exact(text):
                where.fail(f"{place}.{name}", text, "must be an exact number")


def _numbers(fact: RxFact) -> Iterator[tuple[str, str]]:
    if fact.kind in ("age", "weight"):
        yield "term", fact.term
    if fact.kind == "lab":
        yield "attributes.value", fact.attributes.get("value", "")
    if fact.kind == "medication" and "dose" in fact.attributes:
        yield "attributes.dose", fact.attributes["dose"]


def _exact(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def _answer(case: RxCase, where: Where) -> None:
    named: set[tuple[str, ...]] = set()
    for number, one in enumerate(case.findings):
        place = f"findings[{number}]"
        key = (one.component, one.problem, *sorted(one.pair))
        if key in named:
            where.fail(f"{place}.pair", one.pair, "stands there twice")
        named.add(key)
        if (one.component == "dose") == bool(one.names):
            where.fail(f"{place}.names", one.names, "must be there but for a dose")
        if not one.authority:
            where.fail(f"{place}.authority", [], "must name who says so")
        if not one.evidence:
            where.fail(f"{place}.evidence", [], "must hold the words on which it rests")
    if case.dosage_safe == any(one.component == "dose" for one in case.findings):
        where.fail("dosage_safe", case.dosage_safe, "does not go with the findings")
    right = recommend(one.asks for one in case.findings)
    if case.recommendation != right:
        where.fail("recommendation", case.recommendation, f"must be {right} by the findings")
    _also(case, where)
    _room(case, where)


def _also(case: RxCase, where: Where) -> None:
    """What is as right is stricter, and rests on something that authorities dispute or on a major
    interaction, which a label may leave to watching; which of them do, the checker judges."""
    for number, one in enumerate(case.also_accepted):
        if _STRICTNESS.index(one) <= _STRICTNESS.index(case.recommendation):
            told = f"must be stricter than {case.recommendation}"
            where.fail(f"also_accepted[{number}]", one, told)
    disputed = any(decoy.kind == "disputed" for decoy in case.decoys)
    grave = any(one.problem == "interaction" and one.severity == "major" for one in case.findings)
    if case.also_accepted and not (disputed or grave):
        told = "nothing is disputed, and no grave pair is left to watching"
        where.fail("also_accepted", case.also_accepted, told)


def items(findings: list[RxFinding]) -> int:
    """What there is to find: the dose, and each pair."""
    dose = any(one.component == "dose" for one in findings)
    return dose + sum(one.component != "dose" for one in findings)


def _room(case: RxCase, where: Where) -> None:
    """There is at most half as much to find as the record could hold."""
    entries = 1 + sum(len(getattr(case, field)) for _, field in _LISTS)
    if 2 * items(case.findings) > entries:
        where.fail("findings", len(case.findings), f"too many for {entries - 1} entries")
