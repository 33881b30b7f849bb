"""Examines one stored case: schema, content hash, consistency, spans, truth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from casegen.schemas import Case, CertificationError, InputError, Span
from casegen.schemas.case import case_id
from casegen.schemas.serial import HASH, case_from, content_hash, field_name

from ..certify import AccidentError, certify
from ..checker import read_claim
from ..conform import case_validator
from ..knowledge import reference

# What `read_claim` calls the parts of a claim, and where a case holds them.
_PLACES = {"lines": "claim", "service_date": "encounter.service_date",
           "admission_date": "encounter.admission_date", "setting": "encounter.setting",
           "claim_type": "encounter.claim_type"}  # fmt: skip


class Examiner:
    """Holds the compiled schema and the tables, and examines case after case."""

    def __init__(self) -> None:
        self._schema = case_validator()
        self._tables, self._services = reference()

    def examine(self, data: dict[str, Any], path: str, line: int) -> Case:
        """The case, if it holds. Raises InputError naming path, line and field."""
        where = _Where(path, line)
        for error in self._schema.iter_errors(data):
            where.fail(*_told(error))
        case = case_from(data, path=path, line=line)
        if data.get(HASH) is None:
            where.fail(HASH, None, "is missing; a stored case carries its hash")
        if data[HASH] != content_hash(case):
            where.fail(HASH, data[HASH], "does not fit what the case holds")
        if case.tables.digest != self._tables.digest:
            where.fail(
                "tables.digest",
                case.tables.digest,
                f"made with other tables than these ({self._tables.name})",
            )
        consistent(case, where)
        try:
            certify(case, self._tables, self._services)
        except (CertificationError, AccidentError) as error:
            where.fail("findings", case.id, f"not certified: {error}"[:600])
        return case


class _Where:
    """Where the case stands that is examined."""

    def __init__(self, path: str, line: int) -> None:
        self.path = path
        self.line = line

    def fail(self, field: str, value: object, mend: str) -> NoReturn:
        """Raise the InputError about one field."""
        raise InputError(field, value, mend, path=self.path, line=self.line)


def consistent(case: Case, where: _Where) -> None:
    """What no schema can say of a case: its parts must fit one another, the spans the note."""
    told = case_id(case.family, case.version, case.split, case.seed, case.index, case.options)
    if case.id != told:
        where.fail("id", case.id, f"must be {told} by its own fields")
    _readable(case, where)
    for number, line in enumerate(case.claim):
        if line.line != number + 1:
            where.fail(f"claim[{number}].line", line.line, f"must be {number + 1}")
    for place, span in _spans(case):
        if case.note[span.start : span.end] != span.text:
            where.fail(place, span.text, f"the note does not read so at {span.start}:{span.end}")
    facts = {fact.id for fact in case.record}
    for number, fact in enumerate(case.record):
        for other in fact.about:
            if other not in facts:
                where.fail(f"record[{number}].about", other, "no fact of the record")
    for number, question in enumerate(case.questions):
        if question.fact not in facts:
            where.fail(f"questions[{number}].fact", question.fact, "no fact of the record")
    topics = {question.topic for question in case.questions}
    broken: set[tuple[int, str]] = set()
    for number, finding in enumerate(case.findings):
        place = f"findings[{number}]"
        if finding in case.findings[:number]:
            where.fail(place, finding.code, "stands there twice")
        broken.add((finding.line, finding.error_type))
        _on_claim(case, place, finding.line, finding.code, where)
        _topics(place, finding.questions, topics, where)
    for number, decoy in enumerate(case.decoys):
        place = f"decoys[{number}]"
        _on_claim(case, place, decoy.line, decoy.code, where)
        _topics(place, decoy.questions, topics, where)
        if (decoy.line, decoy.error_type) in broken:
            where.fail(place, decoy.code, f"is also a finding: {decoy.error_type}")


def _readable(case: Case, where: _Where) -> None:
    """Patient, dates, claim and facts must be such as the checker takes from anyone. (What
    attributes and relations do to them is for the checker itself.)"""
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
            {"id": fact.id, "kind": fact.kind, "term": fact.term}
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


def _on_claim(case: Case, place: str, line: int, code: str, where: _Where) -> None:
    if line > len(case.claim):
        where.fail(f"{place}.line", line, f"the claim has {len(case.claim)} lines")
    if case.claim[line - 1].code != code:
        where.fail(f"{place}.code", code, f"line {line} holds {case.claim[line - 1].code}")


def _topics(place: str, asked: list[str], topics: set[str], where: _Where) -> None:
    for number, topic in enumerate(asked):
        if topic not in topics:
            where.fail(f"{place}.questions[{number}]", topic, "no question of the case")


def _told(error: Any) -> tuple[str, object, str]:
    """Field, value and mend of an error of jsonschema."""
    field = field_name(error.absolute_path)
    rule, wanted, value = error.validator, error.validator_value, error.instance
    if rule == "required":
        name = next(name for name in wanted if name not in value)
        return f"{field}.{name}".removeprefix("."), None, "is missing"
    if rule == "additionalProperties" and wanted is False:
        known = error.schema.get("properties", {})
        name = next(name for name in value if name not in known)
        return f"{field}.{name}".removeprefix("."), value[name], "is no field of the schema"
    if rule == "enum":
        return field, value, f"must be one of {', '.join(map(str, wanted))}"
    if rule == "type":
        return field, value, f"must be of type {wanted}"
    if rule == "pattern":
        return field, value, f"must match {wanted}"
    if rule in ("minimum", "minLength"):
        return field, value, f"must be at least {wanted}{' long' if rule == 'minLength' else ''}"
    return field or "case", value, error.message[:160]
