"""The form of a case that was made elsewhere: what must hold so that it can be played and graded.

The schema says what each field is; here the fields are held against one another. What a family
alone has is looked at by the family.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from casegen.schemas import Fact, Span
from casegen.schemas.anycase import AnyCase
from casegen.schemas.rx_case import RxFact

from .codes import fold
from .families import family

MOST_STEPS = 1000


class Fault(NamedTuple):
    """What does not hold, as an InputError tells it."""

    field: str
    value: object
    mend: str


def fault_of(case: AnyCase) -> Fault | None:
    """The first fault of a case, None where its form holds. Raises InputError for a family that
    can't be played."""
    return next(_faults(case), None)


def _faults(case: AnyCase) -> Iterator[Fault]:
    if not case.max_steps <= MOST_STEPS:
        yield Fault("max_steps", case.max_steps, f"a whole number from 1 to {MOST_STEPS}")
    yield from _dates(case)
    record: Sequence[Fact | RxFact] = case.record
    for number, fact in enumerate(record):
        yield from misquoted(case.note, f"record[{number}].spans", fact.spans)
    yield from family(case.family).faults(case)


def _dates(case: AnyCase) -> Iterator[Fault]:
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


def blank_code(field: str, code: str) -> Iterator[Fault]:
    """The fault of what is no code at all."""
    if not fold(code) or not code.isprintable():
        yield Fault(field, code, "must be a code, not blank")


def misquoted(note: str, where: str, spans: Iterable[Span]) -> Iterator[Fault]:
    """The faults of spans that the note does not bear out."""
    for number, span in enumerate(spans):
        if note[span.start : span.end] != span.text:
            told = f"the note does not read so at {span.start}:{span.end}"
            yield Fault(f"{where}[{number}]", span.text, told)
