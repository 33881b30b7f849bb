"""What the checker remembers of the tables between claims, and the state of one check.

The memo holds answers of the tables in the shape that the rules ask for, so that a clean
claim costs a few dictionary look-ups. It is bounded: a full part is emptied.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from casegen.schemas import Authority, Correction, Fact, Question, Span
from casegen.schemas.case import ErrorType
from casegen.seeds.editions import editions_of
from casegen.seeds.icd10cm.codes import canonical

from .model import ClaimView, Report, Review, Verdict, ViewLine

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.conflicts import ExcludesHit
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Service, Services

ICD = "ICD-10-CM"
LIMIT = 50_000  # entries of one part of the memo, about 10 MB at most
NEVER = "~"  # sorts after every ISO date

# Flags of a resolved fact: it may take part in a link that the guidelines assume.
HYPERTENSION, DIABETES, KIDNEY, HEART, COMPLICATION = 1, 2, 4, 8, 16


@dataclass(slots=True)
class Icd:
    """One ICD-10-CM code, canonical. ``lo``..``hi`` is the last period found valid; ``bit``
    and ``mask`` tell its category and those with which an Excludes1 note could tie it.
    ``misspelled``: claimed with a dot in another place than the code has it."""

    code: str
    stem: str
    lo: str
    hi: str
    sex: tuple[str, str] | None
    age: tuple[int, int, str] | None
    limited: bool
    bit: int
    mask: int
    head: str
    misspelled: bool


@dataclass(slots=True)
class Svc:
    """One service of our list. ``em``: modifier 25 belongs on it; ``limited``: bound to a sex
    or an age."""

    code: str
    service: Service
    em: bool
    limited: bool
    mue: int | None
    primaries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The codes that a fact's wording names, the only one of them, and the link flags."""

    codes: tuple[str, ...]
    code: str | None
    flags: int


def link_flags(codes: tuple[str, ...]) -> int:
    """Which sides of the links in ``facts`` the codes could stand on."""
    flags = 0
    for code in codes:
        head = code[:3]
        if code == "I10":
            flags |= HYPERTENSION
        elif head in ("E10", "E11"):
            flags |= DIABETES
        elif head == "N18":
            flags |= KIDNEY
        elif head in ("I50", "I51"):
            flags |= HEART
        elif head in COMPLICATED:
            flags |= COMPLICATION
    return flags


# Categories that hold a condition which the titles under E10 and E11 name ("with diabetic
# cataract", "with hyperglycemia", ...); the codes themselves stand in ``facts``.
COMPLICATED = frozenset(
    [
        *("E16", "G58", "G60", "G62", "H25", "H26", "H35", "I70"),
        *("I73", "I96", "K05", "K31", "L97", "L98", "M14", "R73"),
    ]
)


class Memo:
    """Answers of one pair of tables."""

    __slots__ = (
        "_excludes",
        "_icd",
        "_labels",
        "_pairs",
        "_svc",
        "editions",
        "facts",
        "services",
        "tables",
    )

    def __init__(self, tables: Tables, services: Services) -> None:
        self.tables = tables
        self.services = services
        self.editions = editions_of(tables, services)
        self._icd: dict[str, Icd] = {}
        self._svc: dict[str, Svc | None] = {}
        self._labels: dict[str, str | None] = {}
        self._excludes: dict[tuple[str, str], tuple[ExcludesHit, ...]] = {}
        self._pairs: dict[tuple[str, str], bool] = {}
        self.facts: dict[object, Resolved] = {}

    def icd(self, raw: str) -> Icd:
        """The code as claimed, read as ICD-10-CM; valid or not."""
        info = self._icd.get(raw)
        if info is None:
            if len(self._icd) >= LIMIT:
                self._icd.clear()
            code = canonical(raw)
            bit, mask = self.tables.tie(code)
            odd = "." in raw and "".join(raw.split()).upper() != code
            stem = code.replace(".", "")
            info = Icd(code, stem, NEVER, "", None, None, False, bit, mask, code[:3], odd)
            self._icd[raw] = info
        return info

    def valid(self, info: Icd, on: str) -> bool:
        """True if the code is complete and valid on the ISO date ``on``."""
        if info.lo <= on <= info.hi:
            return True
        tables = self.tables
        period = tables.period(info.code, on)
        if period is None:
            return False
        if info.lo == NEVER:
            info.sex = tables.sex_by_meaning(info.code)
            info.age = tables.age_by_meaning(info.code)
            info.limited = info.sex is not None or info.age is not None
        info.lo, info.hi = period
        return True

    def svc(self, raw: str) -> Svc | None:
        """The service of our list, or None."""
        try:
            return self._svc[raw]
        except KeyError:
            pass
        if len(self._svc) >= LIMIT:
            self._svc.clear()
        code = service_code(raw)
        service = self.services.get(code)
        info = None
        if service is not None:
            lo, hi = service.age
            info = Svc(
                code,
                service,
                service.takes_25,
                service.sex in ("female", "male") or lo > 0 or hi < 110,
                self.services.mue(code),
                self.services.primaries(code),
            )
        self._svc[raw] = info
        return info

    def label(self, term: str) -> str | None:
        """The code of the service with that plain label."""
        try:
            return self._labels[term]
        except KeyError:
            pass
        if len(self._labels) >= LIMIT:
            self._labels.clear()
        service = self.services.by_label(term)
        code = None if service is None else service.code
        self._labels[term] = code
        return code

    def resolve(self, key: object, term: str, attributes: Mapping[str, str]) -> Resolved:
        """What an official wording names; remembered under ``key``."""
        if len(self.facts) >= LIMIT:
            self.facts.clear()
        codes = tuple(self.tables.resolve(term, attributes))
        info = Resolved(codes, codes[0] if len(codes) == 1 else None, link_flags(codes))
        self.facts[key] = info
        return info

    def excludes1(self, a: str, b: str) -> tuple[ExcludesHit, ...]:
        """Excludes1 notes between two canonical codes, in either direction."""
        key = (a, b)
        hits = self._excludes.get(key)
        if hits is None:
            if len(self._excludes) >= LIMIT:
                self._excludes.clear()
            hits = self._excludes[key] = tuple(self.tables.excludes1(a, b))
        return hits

    def paired(self, a: str, b: str) -> bool:
        """True if the two services form or ever formed an NCCI pair."""
        key = (a, b)
        known = self._pairs.get(key)
        if known is None:
            if len(self._pairs) >= LIMIT:
                self._pairs.clear()
            known = self._pairs[key] = bool(self.services.pair_any(a, b))
        return known


_last: Memo | None = None


def memo_of(tables: Tables, services: Services) -> Memo:
    """The memo of these tables; kept until other tables are used."""
    global _last
    memo = _last
    if memo is None or memo.tables is not tables or memo.services is not services:
        memo = _last = Memo(tables, services)
    return memo


def service_code(raw: str) -> str:
    """A CPT or HCPCS code in capitals without surrounding white space."""
    return raw.strip().upper()


@dataclass(slots=True)
class Record:
    """The facts that the chart states, read. Lists are in the order of the record."""

    expected: dict[str, list[Fact]] = field(default_factory=dict)
    services: dict[str, list[Fact]] = field(default_factory=dict)
    unclear: list[tuple[Fact, tuple[str, ...]]] = field(default_factory=list)
    possible: dict[str, Fact] = field(default_factory=dict)
    others: list[Fact] = field(default_factory=list)
    sex: list[Fact] = field(default_factory=list)
    age: list[Fact] = field(default_factory=list)
    relations: list[Fact] = field(default_factory=list)
    answers: dict[str, list[Question]] = field(default_factory=dict)


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
    """The state of one check. ``owed``: expected codes that a correction already brings;
    ``replaced``: lines whose code is to change; ``named``: lines that stand in a verdict or
    in a review of their own."""

    view: ClaimView
    memo: Memo
    report: Report
    record: Record | None
    icd: list[tuple[ViewLine, Icd]]
    svc: list[tuple[ViewLine, Svc]]
    broken: list[Broken]
    billed: set[str]
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
        if replacement is not None:
            correction = Correction("replace", line.line, line.code, replacement)
            self.owed.add(replacement)
            self.replaced.add(line.line)
        elif modifier is not None:
            correction = Correction("add_modifier", line.line, line.code, modifier)
        else:
            correction = Correction("remove", line.line, line.code, None)
        self.named.add(line.line)
        self.report.verdicts.append(
            Verdict(
                error_type=error_type,
                kind=kind,
                line=line.line,
                code=line.code,
                related_code=related,
                accepted_codes=[line.code] if related is None else [line.code, related],
                accepted_error_types=[error_type] if also is None else [error_type, also],
                correction=correction,
                evidence=spans_of(facts or []),
                questions=questions or [],
                authority=authority,
                message=message,
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
    spans = {(s.start, s.end): s for fact in facts for s in fact.spans}
    return [spans[place] for place in sorted(spans)]
