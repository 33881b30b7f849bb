"""The real tables, and a short way to write a claim with its record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from casegen.checker import ClaimView, Report, check
from casegen.checker.model import Line
from casegen.schemas import Fact, Question, Span
from casegen.seeds import services as service_tables
from casegen.seeds.icd10cm import tables as icd_tables


@pytest.fixture(scope="session")
def tables() -> Any:
    return icd_tables.load()


@pytest.fixture(scope="session")
def services() -> Any:
    return service_tables.load()


class Claim:
    """A claim under test. Every fact gets a span of its own; ages follow from the dates."""

    def __init__(
        self,
        tables: Any,
        services: Any,
        sex: str = "female",
        born: str = "1961-02-03",
        on: str = "2026-05-04",
        setting: str = "office",
        claim_type: str = "professional",
        admitted: str | None = None,
    ) -> None:
        self.tables = tables
        self.services = services
        self.view = ClaimView(sex, born, setting, claim_type, on, admitted, [], [], [])
        self.lines: list[Line] = []
        self.view.lines = self.lines
        self.record: list[Fact] = []
        self.view.record = self.record
        years = int(on[:4]) - int(born[:4]) - (on[5:] < born[5:])
        self.sex = self._fact("sex", sex)
        self.age = self._fact("age", str(years))

    def _fact(
        self,
        kind: str,
        term: str,
        status: str = "active",
        attributes: dict[str, str] | None = None,
        about: tuple[str, ...] = (),
    ) -> Fact:
        n = len(self.record)
        span = Span(n * 100, n * 100 + len(term), term)
        fact = Fact(f"f{n}", kind, term, status, attributes or {}, list(about), [span])  # type: ignore[arg-type]
        self.record.append(fact)
        return fact

    def has(self, term: str, status: str = "active", **attributes: str) -> Fact:
        return self._fact("problem", term, status, attributes)

    def did(self, code: str) -> Fact:
        return self._fact("service", self.services.get(code).label)

    def relation(self, term: str, *facts: Fact, service: str | None = None) -> Fact:
        attributes = {} if service is None else {"service": self.services.get(service).label}
        return self._fact("relation", term, "active", attributes, tuple(f.id for f in facts))

    def answers(self, topic: str, fact: Fact, attribute: str, value: str) -> None:
        self.view.questions.append(
            Question(topic, [topic], f"It is {value}.", fact.id, attribute, value)
        )

    def bill(self, code: str, *modifiers: str, system: str = "", units: int = 1) -> Claim:
        self.lines.append(Line(len(self.lines) + 1, code, system, list(modifiers), units))
        return self

    def without_record(self) -> Claim:
        self.view.record = None
        return self

    def check(self) -> Report:
        return check(self.view, self.tables, self.services)

    def errors(self) -> list[tuple[str, str, str, str | None]]:
        """Type, kind, code, and the replacement or modifier (None: remove)."""
        return [
            (v.error_type, v.kind, v.code, v.correction.replacement) for v in self.check().verdicts
        ]

    def reviews(self) -> list[tuple[str, str]]:
        return [(r.kind, r.code) for r in self.check().reviews]

    def clean(self) -> bool:
        report = self.check()
        return not report.verdicts and not report.reviews

    def evidence(self) -> set[str]:
        (verdict,) = self.check().verdicts
        return {span.text for span in verdict.evidence}

    def forget_evidence(self) -> None:
        """Delete the spans of the only verdict's evidence from the record."""
        (verdict,) = self.check().verdicts
        gone = {(s.start, s.end) for s in verdict.evidence}
        for fact in self.record:
            fact.spans = [s for s in fact.spans if (s.start, s.end) not in gone]


@pytest.fixture
def claim(tables: Any, services: Any) -> Callable[..., Claim]:
    def make(**options: Any) -> Claim:
        return Claim(tables, services, **options)

    return make
