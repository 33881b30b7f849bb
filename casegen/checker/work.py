"""The state of one check: the record as read, the lines that fall away, what was found."""

from __future__ import annotations

from dataclasses import dataclass, field

from casegen.schemas import Authority, Correction, Fact, Question, Span
from casegen.schemas.case import ErrorType

from .memo import Icd, Memo, Svc
from .model import ClaimView, Report, Review, Verdict, ViewLine


@dataclass(slots=True)
class Record:
    """The facts that the chart states, read. Lists are in the order of the record.

    ``named``: the codes that a problem names alone, all valid on the date of service.
    ``expected`` and ``services``: code -> the facts that call for it. ``unclear``: facts that
    name several codes; ``possible``: each of those codes -> the first such fact. ``others``:
    problems that are not active. ``answers``: id of a fact -> the physician's answers on it.
    ``doubtful``: codes of diagnoses that are not certain and so not coded -> the fact.
    """

    named: dict[str, Icd]
    expected: dict[str, list[Fact]]
    services: dict[str, list[Fact]]
    unclear: list[tuple[Fact, tuple[str, ...]]]
    possible: dict[str, Fact]
    others: list[Fact]
    sex: list[Fact]
    age: list[Fact]
    relations: list[Fact]
    answers: dict[str, list[Question]]
    doubtful: dict[str, Fact] = field(default_factory=dict)


@dataclass(slots=True)
class Broken:
    """A line whose code isn't valid on the date of service."""

    line: ViewLine
    code: str
    system: str
    kind: str
    authority: Authority
    message: str


@dataclass(slots=True)
class Work:
    """The state of one check.

    ``icd`` and ``svc``: the lines with a valid diagnosis, each code once, and with a service of
    our list; ``broken``: those with a code that isn't valid. ``categories``: the bits of the
    diagnoses' categories. ``owed``: expected codes that a correction already brings;
    ``replaced``: lines whose code is to change; ``named``: lines that stand in a verdict or in
    a review of their own.
    """

    view: ClaimView
    memo: Memo
    report: Report
    record: Record | None
    icd: list[tuple[ViewLine, Icd]]
    svc: list[tuple[ViewLine, Svc]]
    broken: list[Broken]
    billed: set[str]
    categories: int
    owed: set[str] = field(default_factory=set)
    replaced: set[int] = field(default_factory=set)
    named: set[int] = field(default_factory=set)

    def unbilled(self) -> list[str]:
        """Expected ICD-10-CM codes that no line and no correction brings yet."""
        if self.record is None:
            return []
        return [c for c in self.record.expected if c not in self.billed and c not in self.owed]

    def unbilled_services(self) -> list[str]:
        """Expected services that no line and no correction brings yet."""
        if self.record is None:
            return []
        return [c for c in self.record.services if c not in self.billed and c not in self.owed]

    def verdict(
        self,
        error_type: ErrorType,
        kind: str,
        line: ViewLine,
        authority: Authority,
        message: str,
        *,
        replacement: str | None = None,
        modifier: str | None = None,
        related: str | None = None,
        also: ErrorType | None = None,
        facts: list[Fact] | None = None,
        questions: list[str] | None = None,
    ) -> None:
        """Enter an error on ``line``; the correction follows from the arguments."""
        number = line.line
        code = line.code
        if replacement is not None:
            correction = Correction("replace", number, code, replacement)
            self.owed.add(replacement)
            self.replaced.add(number)
        elif modifier is not None:
            correction = Correction("add_modifier", number, code, modifier)
        else:
            correction = Correction("remove", number, code, None)
        self.named.add(number)
        self.report.verdicts.append(
            Verdict(
                error_type,
                kind,
                number,
                code,
                related,
                [code] if related is None else [code, related],
                [error_type] if also is None else [error_type, also],
                correction,
                spans_of(facts) if facts else [],
                questions or [],
                authority,
                message,
            )
        )

    def remark(
        self, line: ViewLine, code: str, kind: str, message: str, authority: Authority | None
    ) -> None:
        """Enter an open point that leaves unsaid whether the record supports the line."""
        self.report.reviews.append(Review(line.line, code, kind, message, authority))

    def in_verdict(self, line: ViewLine) -> bool:
        """True if an error stands on the line already."""
        return any(verdict.line == line.line for verdict in self.report.verdicts)

    def review(
        self,
        line: ViewLine | None,
        code: str,
        kind: str,
        message: str,
        authority: Authority | None = None,
    ) -> None:
        """Enter an open point; on a line, or on the whole claim."""
        number = 0
        if line is not None:
            number = line.line
            self.named.add(number)
        self.report.reviews.append(Review(number, code, kind, message, authority))


def spans_of(facts: list[Fact]) -> list[Span]:
    """The spans of the facts in the order of the note, each once."""
    if len(facts) == 1 and len(facts[0].spans) == 1:
        return [facts[0].spans[0]]
    spans = {}
    for fact in facts:
        for span in fact.spans:
            spans[span.start, span.end] = span
    return [spans[place] for place in sorted(spans)]
