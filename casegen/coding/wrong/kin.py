"""Codes of the right one's category that say something else than the record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from casegen.schemas import authority as sources
from casegen.schemas.coding_case import WrongKind
from casegen.seeds.icd10cm.listing import billable_below

from ..model import Candidate, Given, Work
from .axes import is_stage
from .words import leaves_open, says_less, words

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

_MOST = 8
_WINDOW = 40
# Codes so wide that somebody could defend them beside nearly anything.
VAGUE = (
    "Z91.19",
    "Z79.899",
    "Z79.8",
    "Z79.0",
    "Z79.1",
    "Z79.2",
    "Z79.3",
    "Z79.5",
    "Z79.6",
    "Z79.7",
)


def others_alike(work: Work, given: Given) -> Iterator[Candidate]:
    """Other codes of the category in a drawn order, those under the same heading first."""
    tables = work.world.tables
    right = given.code
    seventh = tables.seventh(right)
    side = tables.laterality(right)
    told = _told_elsewhere(work, given)
    title = tables.title(right)
    mine = words(title)
    yielded = 0
    for pool in _pools(tables, right):
        for code in _drawn(work, pool):
            if yielded >= _MOST:
                return
            if code == right or not _fits(tables, code, seventh is not None, right, side):
                continue
            other = tables.title(code)
            theirs = words(other)
            if (theirs - mine) & told or not theirs - mine:
                continue
            yielded += 1
            yield _candidate(work, given, code, title, other)


def _candidate(work: Work, given: Given, code: str, title: str, other: str) -> Candidate:
    tables = work.world.tables
    kind: WrongKind = "wrong_type"
    section, why = "I.B.2", "It names another form or kind than the record does."
    if says_less(tables, code, given.code):
        kind, section, why = "less_specific", "I.B.18", "It leaves open what the record states."
    elif code.startswith("Z79"):
        kind, section, why = "not_documented", "I.C.21.c.3", "The record tells of no such drug."
    elif leaves_open(tables, given.code) and not leaves_open(tables, code):
        kind, section = "not_documented", "I.B.18"
        why = "It says more than the record does."
    elif is_stage(title, other):
        kind, why = "wrong_stage", "The record states another stage or degree."
    facts = () if kind == "not_documented" else given.facts
    return Candidate(code, kind, given.code, why, sources.guideline(section), facts)


def _pools(tables: Tables, right: str) -> Iterator[tuple[str, ...]]:
    """Complete codes at and below each code above the right one, the nearest first."""
    for name in tables.ancestors(right)[1:]:
        if ":" in name:
            return
        yield billable_below(tables, name)


def _drawn(work: Work, pool: tuple[str, ...]) -> list[str]:
    """Some codes of a pool in a drawn order."""
    if len(pool) <= _WINDOW:
        return work.lane.shuffled(pool)
    return [pool[work.lane.below(len(pool))] for _ in range(_WINDOW)]


def _fits(tables: Tables, code: str, seventh: bool, right: str, side: str | None) -> bool:
    """Whether a code differs in kind alone: with the same seventh character and side."""
    if code.startswith(VAGUE):
        return False
    if seventh and code[-1] != right[-1]:
        return False
    return side is None or tables.laterality(code) in (None, side)


def _told_elsewhere(work: Work, given: Given) -> frozenset[str]:
    """The words of the record's other problems: a code that says them might be called for."""
    found: frozenset[str] = frozenset()
    for problem in work.drawn.chart.problems:
        if problem is not given.draft.problem:
            found |= words(problem.term)
    return found
