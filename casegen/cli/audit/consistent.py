"""Whether the parts of an audit fit one another: its claim, questions, findings and decoys."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from casegen.schemas import Case, ClaimLine, Finding, Question, Span
from casegen.seeds import data
from casegen.seeds.icd10cm.codes import canonical, stem

from ..consistent import facts_fit, read_so, readable
from ..where import Where

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

ICD = "ICD-10-CM"


def consistent(case: Case, where: Where, tables: Tables, services: Services) -> None:
    """Raise InputError, by ``where``, for the first part of the case that does not fit."""
    lines = [
        {"code": line.code, "system": line.system, "modifiers": line.modifiers,
         "units": line.units}
        for line in case.claim
    ]  # fmt: skip
    readable(case, lines, "claim", where)
    read_so(case, _evidence(case), where)
    facts_fit(case, where)
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


def _evidence(case: Case) -> Iterator[tuple[str, list[Span]]]:
    """The spans of the answer, each list with its place."""
    for number, finding in enumerate(case.findings):
        yield f"findings[{number}].evidence", finding.evidence
    for number, decoy in enumerate(case.decoys):
        yield f"decoys[{number}].evidence", decoy.evidence


def _on_claim(case: Case, place: str, line: int, code: str, where: Where) -> None:
    if line > len(case.claim):
        where.fail(f"{place}.line", line, f"the claim has {len(case.claim)} lines")
    if case.claim[line - 1].code != code:
        where.fail(f"{place}.code", code, f"line {line} holds {case.claim[line - 1].code}")


def _topics(place: str, asked: list[str], topics: set[str], where: Where) -> None:
    for number, topic in enumerate(asked):
        if topic not in topics:
            where.fail(f"{place}.questions[{number}]", topic, "no question of the case")
