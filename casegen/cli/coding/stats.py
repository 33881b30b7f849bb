"""What a file of coding cases is made of: codes, rules in play, what is wrong of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from casegen.schemas import CodingCase


@dataclass(slots=True)
class Stats:
    """Counts over coding cases. ``codes`` holds those of the answers."""

    gold: int = 0
    allowed: int = 0
    reviews: int = 0
    rule: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    review: Counter[str] = field(default_factory=Counter)
    authority: Counter[str] = field(default_factory=Counter)
    chapter: Counter[str] = field(default_factory=Counter)
    codes: set[str] = field(default_factory=set)
    primaries: set[str] = field(default_factory=set)

    def add(self, case: CodingCase, chapter_of: Callable[[str], str]) -> None:
        """Count one case."""
        self.gold += len(case.gold())
        self.allowed += len(case.allowed)
        self.reviews += case.needs_review
        self.rule.update(case.kinds)
        self.primaries.add(case.primary.code)
        for gold in case.gold():
            self.codes.add(gold.code)
            self.authority[gold.authority.source] += 1
            self.chapter[chapter_of(gold.code)] += 1
        for wrong in case.wrong:
            self.wrong[wrong.kind] += 1
        if case.review is not None:
            self.review[case.review.kind] += 1

    def numbers(self) -> dict[str, int]:
        """How many there are of each thing."""
        return {
            "codes": self.gold,
            "allowed_codes": self.allowed,
            "needs_review": self.reviews,
            "distinct_primary_codes": len(self.primaries),
        }

    def rows(self, cases: int) -> Sequence[tuple[str, str]]:
        """The same for a person."""
        return (
            ("to be reviewed", f"{self.reviews} ({self.reviews / cases:.1%})"),
            ("codes", f"{self.gold} ({self.gold / cases:.2f} a case)"),
            ("allowed codes", f"{self.allowed} ({self.allowed / cases:.1f} a case)"),
            ("distinct primary codes", f"{len(self.primaries)}"),
        )

    def counts(self) -> Mapping[str, Counter[str]]:
        """How often each thing of a kind stands there."""
        names = ("rule", "wrong", "review", "authority", "chapter")
        return {name: getattr(self, name) for name in names}

    def titles(self) -> Mapping[str, tuple[str, bool]]:
        """The kinds as a person reads them."""
        return {
            "rule": ("Rules in play", False),
            "review": ("Why a person has to look", False),
            "wrong": ("Wrong codes by kind", False),
            "authority": ("Authority of codes", False),
            "chapter": ("ICD-10-CM chapter of codes", True),
        }
