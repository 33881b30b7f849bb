"""What the checker reads and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from casegen.schemas import Authority, Correction, Fact, Question, Span
from casegen.schemas.case import ErrorType


class ViewLine(Protocol):
    """A claim line. ``system`` is empty where the claim doesn't name it.

    The ``ClaimLine`` of a case is one; so is the ``Line`` below.
    """

    @property
    def line(self) -> int: ...
    @property
    def code(self) -> str: ...
    @property
    def system(self) -> str: ...
    @property
    def modifiers(self) -> list[str]: ...
    @property
    def units(self) -> int: ...


@dataclass(slots=True)
class Line:
    """A line of a claim from outside."""

    line: int
    code: str
    system: str
    modifiers: list[str]
    units: int


@dataclass(slots=True)
class ClaimView:
    """All that the checker sees of a case or claim: never the note, never the chart.

    Dates are ISO strings; ``service_date`` is the date of discharge for inpatient stays.
    ``record`` is None where no chart was given, which differs from a chart that says nothing.
    With a note (``noted``) a fact is stated only where it has a span; without, every fact is.
    """

    sex: str
    birth_date: str
    setting: str
    claim_type: str
    service_date: str
    admission_date: str | None
    lines: Sequence[ViewLine]
    record: list[Fact] | None
    questions: list[Question] = field(default_factory=list)
    noted: bool = True


@dataclass(slots=True)
class Verdict:
    """One error, with everything that a finding of a case states about it."""

    error_type: ErrorType
    kind: str
    line: int
    code: str
    related_code: str | None
    accepted_codes: list[str]
    accepted_error_types: list[ErrorType]
    correction: Correction
    evidence: list[Span]
    questions: list[str]
    authority: Authority
    message: str


@dataclass(slots=True)
class Review:
    """Something that a person has to look at; ``line`` is 0 where no line carries it."""

    line: int
    code: str
    kind: str
    message: str
    authority: Authority | None


@dataclass(slots=True)
class Report:
    """The errors, the open points, and what the checker could not judge at all."""

    verdicts: list[Verdict]
    reviews: list[Review]
    unjudged: list[str]
