"""What the steps of making a coding case hand on to each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from casegen.schemas import Authority
from casegen.schemas.coding_case import ReviewKind, WrongKind

from ..chart.model import Chart, Problem
from ..coder import Draft
from ..randomness import Lane
from .words import words

if TYPE_CHECKING:
    from ..world import World
    from .known import Known


@dataclass(slots=True)
class Open:
    """What the record leaves open: the facts it is about, and the statement that says so."""

    kind: ReviewKind
    facts: list[str]


@dataclass(slots=True)
class Drawn:
    """A chart, what of it is open, the problem that the encounter is for, those that are told
    alike with it (by id), and the rules in play beside those of guided charts."""

    chart: Chart
    reason: Problem
    aired: list[str]
    kinds: list[str]
    open: Open | None = None


@dataclass(slots=True)
class Given:
    """A code of the right answer; ``facts`` are the ids of those that call for it, ``also`` those
    of statements that the rule for it rests on."""

    draft: Draft
    reason: str
    authority: Authority
    facts: list[str]
    alternates: list[str] = field(default_factory=list)
    also: list[str] = field(default_factory=list)

    @property
    def code(self) -> str:
        return self.draft.code


@dataclass(slots=True)
class Candidate:
    """A wrong code that could stand in the allowed set; ``facts`` show it to be wrong."""

    code: str
    kind: WrongKind
    gold: str | None
    reason: str
    authority: Authority
    facts: Sequence[str] = ()


@dataclass(slots=True)
class Work:
    """The answer while wrong codes are looked for. ``taken`` are the codes that stand already or
    must not: right ones, and those that nobody could call wrong, also by their beginnings
    (``barred``)."""

    world: World
    known: Known
    drawn: Drawn
    given: list[Given]
    lane: Lane
    taken: set[str] = field(default_factory=set)
    barred: tuple[str, ...] = ()
    _texts: list[str] = field(default_factory=list)
    _told: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def date(self) -> str:
        """The date on which codes must be valid."""
        return self.drawn.chart.encounter.service_date

    def texts(self) -> list[str]:
        """All texts that the note may hold on the patient's problems."""
        if not self._texts:
            for problem in self.drawn.chart.problems:
                words = problem.wording
                parts = (words.names, words.story, words.background, words.exam, words.results)
                self._texts += [text for part in parts for text in part]
        return self._texts

    def told_beside(self, given: Given) -> frozenset[str]:
        """The words of the record's other problems: a code that says them might be called for."""
        told = self._told
        if not told:
            for problem in self.drawn.chart.problems:
                told[problem.id] = words(problem.term)
        own = given.draft.problem
        return frozenset().union(
            *(said for name, said in told.items() if own is None or name != own.id)
        )

    def free(self, code: str) -> bool:
        """Whether a code may still join the allowed set."""
        return (
            code not in self.taken
            and not code.startswith(self.barred)
            and self.world.tables.status(code, self.date) == "valid"
        )
