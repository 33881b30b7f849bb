"""Codes near the right ones that nothing in the record names: those that an Excludes1 note keeps
apart from a right one, and those of the categories beside it."""

from __future__ import annotations

from collections.abc import Iterator

from casegen.schemas import authority as sources

from ..model import Candidate, Given, Work
from ..words import OPEN_WORDS, words

_MOST = 5
# Chapters whose codes a record can leave out without anybody missing them: diseases.
_DISEASES = frozenset(range(1, 15))


def partners(work: Work, given: Given) -> Iterator[Candidate]:
    """Codes of which an Excludes1 note says that they are not coded beside a right one. They are
    wrong because the record does not name them: a note decides between two that are named."""
    world = work.world
    stay = work.drawn.chart.encounter.setting == "inpatient"
    for other in work.known.partners.get(given.code, ()):
        hits = world.tables.excludes1(given.code, other)
        if not hits:
            continue
        hit = world.leading_hit(hits)
        if hit.reach == "certain":
            yield Candidate(
                other, "not_documented", given.code,
                f"The record does not state what it names; it states {given.code}.",
                sources.guideline("III" if stay else "IV.J"),
            )  # fmt: skip


def neighbours(work: Work, given: Given) -> Iterator[Candidate]:
    """Codes of the categories beside the right one's, each that which says the least in
    particular."""
    tables = work.world.tables
    if tables.chapter(given.code) not in _DISEASES:
        return
    line = [name for name in tables.ancestors(given.code) if name.startswith("block:")]
    if not line:
        return
    pool = [c for c in tables.children(line[0]) if len(c) == 3 and c != given.code[:3]]
    stay = work.drawn.chart.encounter.setting == "inpatient"
    for head in work.lane.shuffled(pool)[:_MOST]:
        code = next((c for c in (head, f"{head}.9", f"{head}.0") if tables.billable(c)), None)
        if code is None:
            continue
        why = "Nothing in the record names it."
        if (words(tables.title(code)) - OPEN_WORDS) & words(tables.title(given.code)):
            # Nearly the same word, such as another hernia.
            why = "It is not what the record names."
        yield Candidate(
            code, "not_documented", None, why, sources.guideline("III" if stay else "IV.J")
        )
