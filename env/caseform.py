"""The form of a case that was made elsewhere: what must hold so that it can be played and graded.

The schema says what each field is; here the fields are held against one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from casegen.schemas import Case
from casegen.schemas.case import Finding, Span

from .codes import fold

MOST_STEPS = 1000


class Fault(NamedTuple):
    """What does not hold, as an InputError tells it."""

    field: str
    value: object
    mend: str


def fault_of(case: Case) -> Fault | None:
    """The first fault of a case, None where its form holds."""
    return next(_faults(case), None)


def _faults(case: Case) -> Iterator[Fault]:
    if not case.max_steps <= MOST_STEPS:
        yield Fault("max_steps", case.max_steps, f"a whole number from 1 to {MOST_STEPS}")
    yield from _dates(case)
    yield from _claim(case)
    for number, fact in enumerate(case.record):
        yield from _spans(case, f"record[{number}].spans", fact.spans)
    for number, finding in enumerate(case.findings):
        yield from _finding(case, f"findings[{number}]", finding)
    for number, decoy in enumerate(case.decoys):
        where = f"decoys[{number}]"
        yield from _on_claim(case, where, decoy.line, decoy.code)
        yield from _spans(case, f"{where}.evidence", decoy.evidence)


def _dates(case: Case) -> Iterator[Fault]:
    for field, told in (
        ("patient.birth_date", case.patient.birth_date),
        ("encounter.service_date", case.encounter.service_date),
        ("encounter.admission_date", case.encounter.admission_date),
    ):
        if told is not None and not _is_date(told):
            yield Fault(field, told, "must be a date of the calendar, YYYY-MM-DD")
    # ISO dates compare in order of time.
    if case.patient.birth_date > case.encounter.service_date:
        told = f"must not be after the date of service, {case.encounter.service_date}"
        yield Fault("patient.birth_date", case.patient.birth_date, told)


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _claim(case: Case) -> Iterator[Fault]:
    if not case.claim:
        yield Fault("claim", [], "must hold a line")
    lines: set[int] = set()
    for number, line in enumerate(case.claim):
        if line.line in lines:
            told = "another line of the claim has the same number"
            yield Fault(f"claim[{number}].line", line.line, told)
        lines.add(line.line)
        yield from _code(f"claim[{number}].code", line.code)


def _code(field: str, code: str) -> Iterator[Fault]:
    if not fold(code) or not code.isprintable():
        yield Fault(field, code, "must be a code, not blank")


def _finding(case: Case, where: str, finding: Finding) -> Iterator[Fault]:
    yield from _on_claim(case, where, finding.line, finding.code)
    for number, code in enumerate(finding.accepted_codes):
        yield from _code(f"{where}.accepted_codes[{number}]", code)
    if fold(finding.code) not in map(fold, finding.accepted_codes):
        told = f"must hold the code of the finding, {finding.code}"
        yield Fault(f"{where}.accepted_codes", finding.accepted_codes, told)
    if finding.error_type not in finding.accepted_error_types:
        told = f"must hold the type of the finding, {finding.error_type}"
        yield Fault(f"{where}.accepted_error_types", finding.accepted_error_types, told)
    mend = finding.correction
    yield from _on_claim(case, f"{where}.correction", mend.line, mend.code)
    yield from _spans(case, f"{where}.evidence", finding.evidence)


def _on_claim(case: Case, where: str, number: int, code: str) -> Iterator[Fault]:
    yield from _code(f"{where}.code", code)
    line = next((line for line in case.claim if line.line == number), None)
    if line is None:
        yield Fault(f"{where}.line", number, "the claim has no such line")
    elif fold(line.code) != fold(code):
        yield Fault(f"{where}.code", code, f"line {number} of the claim holds {line.code}")


def _spans(case: Case, where: str, spans: list[Span]) -> Iterator[Fault]:
    for number, span in enumerate(spans):
        if case.note[span.start : span.end] != span.text:
            told = f"the note does not read so at {span.start}:{span.end}"
            yield Fault(f"{where}[{number}]", span.text, told)
