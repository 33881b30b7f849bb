"""Whether the parts of a case fit one another, its spans the note and its words the tables:
what no schema can say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

from casegen.schemas import Case, ClaimLine, Finding, InputError, Question, Span
from casegen.schemas.case import case_id
from casegen.seeds import data
from casegen.seeds.icd10cm.codes import canonical, stem

from ..audit import FAMILY, LAST_INDEX, VERSION
from ..checker import read_claim
from ..config import config_from_options

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

ICD = "ICD-10-CM"
# What `read_claim` calls the parts of a claim, and where a case holds them.
_PLACES = {"lines": "claim", "service_date": "encounter.service_date",
           "admission_date": "encounter.admission_date", "setting": "encounter.setting",
           "claim_type": "encounter.claim_type"}  # fmt: skip


class Where:
    """Where the case stands that is examined."""

    def __init__(self, path: str, line: int) -> None:
        self.path = path
        self.line = line

    def fail(self, field: str, value: object, mend: str) -> NoReturn:
        """Raise the InputError about one field."""
        raise InputError(field, value, mend, path=self.path, line=self.line)


def consistent(case: Case, where: Where, tables: Tables, services: Services) -> None:
    """Raise InputError, by ``where``, for the first part of the case that does not fit."""
    for field, value, wanted in (
        ("family", case.family, FAMILY),
        ("version", case.version, VERSION),
    ):
        if value != wanted:
            where.fail(field, value, f"must be {wanted}")
    told = case_id(case.family, case.version, case.split, case.seed, case.index, case.options)
    if case.id != told:
        where.fail("id", case.id, f"must be {told} by its own fields")
    if case.index >= LAST_INDEX:
        where.fail("index", case.index, "must be below 2**63")
    try:
        config_from_options(case.options)
    except InputError as error:
        where.fail(error.field, error.value, error.mend)
    steps = _steps()[case.difficulty]
    if case.max_steps != steps:
        where.fail("max_steps", case.max_steps, f"must be {steps} for {case.difficulty}")
    if not re.fullmatch("[0-9a-f]{32}", case.structural_key):
        where.fail("structural_key", case.structural_key, "must be 32 hexadecimal digits")
    _readable(case, where)
    for place, span in _spans(case):
        if case.note[span.start : span.end] != span.text:
            where.fail(place, span.text, f"the note does not read so at {span.start}:{span.end}")
    _facts(case, where)
    for number, question in enumerate(case.questions):
        _settled(case, f"questions[{number}]", question, where)
    topics = {question.topic for question in case.questions}
    for number, finding in enumerate(case.findings):
        place = f"findings[{number}]"
        if finding in case.findings[:number]:
            where.fail(place, finding.code, "stands there twice")
        _on_claim(case, place, finding.line, finding.code, where)
        _topics(place, finding.questions, topics, where)
        _explained(place, finding, where)
    _decoys(case, topics, where)
    for number, line in enumerate(case.claim):
        if line.line != number + 1:
            where.fail(f"claim[{number}].line", line.line, f"must be {number + 1}")
        _spelt(f"claim[{number}]", line, tables, where)
        _described(case, f"claim[{number}]", line, tables, services, where)


def _facts(case: Case, where: Where) -> None:
    facts = {fact.id for fact in case.record}
    for number, fact in enumerate(case.record):
        for other in fact.about:
            if other not in facts or other == fact.id:
                where.fail(f"record[{number}].about", other, "no other fact of the record")
        if len(set(fact.about)) < len(fact.about):
            where.fail(f"record[{number}].about", fact.about, "names a fact twice")
    for kind in ("sex", "age"):
        stated = [fact.term for fact in case.record if fact.kind == kind and fact.spans]
        if len(stated) != 1:
            where.fail("record", stated, f"must state the {kind} of the patient once")


def stated(case: Case, where: Where) -> None:
    """Raise InputError, by ``where``, for a fact that the note does not state. The checker passes
    over such a fact; that no finding falls with it makes it no part of the record."""
    for number, fact in enumerate(case.record):
        if not fact.spans:
            where.fail(f"record[{number}].spans", [], "the note must state every fact")


def _settled(case: Case, place: str, question: Question, where: Where) -> None:
    """A question must be one that we ask, its answer the one that settles the value."""
    fact = next((fact for fact in case.record if fact.id == question.fact), None)
    if fact is None:
        where.fail(f"{place}.fact", question.fact, "no fact of the record")
    answers = _answers()
    if question.topic not in answers:
        where.fail(f"{place}.topic", question.topic, f"must be one of {', '.join(answers)}")
    if question.attribute != question.topic:
        where.fail(f"{place}.attribute", question.attribute, f"must be {question.topic}")
    if question.value not in answers[question.topic]:
        known = ", ".join(answers[question.topic])
        where.fail(f"{place}.value", question.value, f"must be one of {known}")
    if question.answer not in answers[question.topic][question.value]:
        where.fail(f"{place}.answer", question.answer, f"does not say {question.value}")
    if fact.kind != "problem" or fact.status != "active":
        where.fail(f"{place}.fact", question.fact, "must be an active problem")
    if question.attribute in fact.attributes:
        where.fail(f"{place}.attribute", question.attribute, "the record says so much already")
    twins = [q for q in case.questions if q.topic == question.topic and q.fact == question.fact]
    if len(twins) > 1:
        where.fail(place, question.topic, "is asked twice")


@lru_cache(maxsize=1)
def _steps() -> dict[str, int]:
    """The step limit by difficulty."""
    levels: dict[str, Any] = data.read("difficulty.yaml")
    return {name: level["max_steps"] for name, level in levels.items()}


@lru_cache(maxsize=1)
def _answers() -> dict[str, dict[str, list[str]]]:
    """The fixed answers by topic and value."""
    forms: dict[str, Any] = data.read("questions.yaml")
    return {topic: form["answers"] for topic, form in forms.items()}


def _explained(place: str, finding: Finding, where: Where) -> None:
    text = finding.explanation
    # An age or a sex that does not fit is told of the line itself: "the code describes ...".
    own = finding.error_type == "demographic_mismatch" and "the code" in text.lower()
    if finding.code not in text and not own:
        where.fail(f"{place}.explanation", text, f"must name {finding.code}")
    if not finding.key_terms or not all(term.strip() for term in finding.key_terms):
        where.fail(f"{place}.key_terms", finding.key_terms, "must name some words")


def _decoys(case: Case, topics: set[str], where: Where) -> None:
    broken = {finding.line: finding.error_type for finding in case.findings}
    stated = [span for fact in case.record for span in fact.spans]
    codes = {line.code for line in case.claim}
    for number, decoy in enumerate(case.decoys):
        place = f"decoys[{number}]"
        if decoy in case.decoys[:number]:
            where.fail(place, decoy.code, "stands there twice")
        _on_claim(case, place, decoy.line, decoy.code, where)
        _topics(place, decoy.questions, topics, where)
        if decoy.line in broken:
            where.fail(place, decoy.code, f"its line is also a finding: {broken[decoy.line]}")
        if decoy.related_code is not None and decoy.related_code not in codes - {decoy.code}:
            where.fail(f"{place}.related_code", decoy.related_code, "stands nowhere on the claim")
        for i, span in enumerate(decoy.evidence):
            if span not in stated:
                where.fail(f"{place}.evidence[{i}]", span.text, "is no span of the record")


def _spelt(place: str, line: ClaimLine, tables: Tables, where: Where) -> None:
    """A code stands as its list prints it; one that no list has, in capitals."""
    right = stem(line.code) if "." not in line.code else canonical(line.code)
    if line.system == ICD and tables.exists(line.code):
        right = canonical(line.code)
    if line.code != right:
        where.fail(f"{place}.code", line.code, f"must be spelt {right}")


def _described(
    case: Case, place: str, line: ClaimLine, tables: Tables, services: Services, where: Where
) -> None:
    """A line says what its code means, unless that is the very error on it."""
    if line.system == ICD and line.units != 1:
        where.fail(f"{place}.units", line.units, "must be 1; a diagnosis has no units")
    for finding in case.findings:
        if finding.line == line.line and (
            finding.error_type == "untraceable_code" or finding.kind == "incomplete"
        ):
            return
    if line.system != ICD:
        service = services.get(line.code)
        right = [] if service is None else [service.label]
    elif tables.status(line.code, case.encounter.service_date) == "valid":
        names = (line.code, line.code.partition(".")[0])
        right = [tables.title(name) for name in names if tables.exists(name)]
    else:
        right = []
    if right and line.description not in right:
        where.fail(f"{place}.description", line.description, f"{line.code} is {right[0]!r}")


def _readable(case: Case, where: Where) -> None:
    """Patient, dates, claim and facts must be such as the checker takes from anyone. (What
    relations do to them is for the checker itself.)"""
    encounter = case.encounter
    claim = {
        "patient": {"sex": case.patient.sex, "birth_date": case.patient.birth_date},
        "service_date": encounter.service_date,
        "admission_date": encounter.admission_date,
        "setting": encounter.setting,
        "claim_type": encounter.claim_type,
        "lines": [
            {"code": line.code, "system": line.system, "modifiers": line.modifiers,
             "units": line.units}
            for line in case.claim
        ],
        "record": [
            {"id": fact.id, "kind": fact.kind, "term": fact.term, "attributes": fact.attributes}
            if fact.kind != "relation"
            else {"id": fact.id, "kind": "problem", "term": fact.term}
            for fact in case.record
        ],
    }  # fmt: skip
    try:
        read_claim(claim, where.path)
    except InputError as error:
        head = error.field.partition("[")[0]
        field = _PLACES.get(head, head) + error.field[len(head) :]
        where.fail(field, error.value, error.mend)


def _spans(case: Case) -> Iterator[tuple[str, Span]]:
    """Each span of the case with its place."""
    holders: list[tuple[str, list[Span]]] = []
    holders += [(f"record[{i}].spans", fact.spans) for i, fact in enumerate(case.record)]
    holders += [(f"findings[{i}].evidence", f.evidence) for i, f in enumerate(case.findings)]
    holders += [(f"decoys[{i}].evidence", d.evidence) for i, d in enumerate(case.decoys)]
    for place, spans in holders:
        for number, span in enumerate(spans):
            yield f"{place}[{number}]", span


def _on_claim(case: Case, place: str, line: int, code: str, where: Where) -> None:
    if line > len(case.claim):
        where.fail(f"{place}.line", line, f"the claim has {len(case.claim)} lines")
    if case.claim[line - 1].code != code:
        where.fail(f"{place}.code", code, f"line {line} holds {case.claim[line - 1].code}")


def _topics(place: str, asked: list[str], topics: set[str], where: Where) -> None:
    for number, topic in enumerate(asked):
        if topic not in topics:
            where.fail(f"{place}.questions[{number}]", topic, "no question of the case")
