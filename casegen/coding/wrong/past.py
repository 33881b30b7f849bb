"""Codes of personal history, where the condition itself is present (guideline I.C.21.c.4)."""

from __future__ import annotations

from collections.abc import Iterator

from casegen.schemas import authority as sources

from ..model import Candidate, Given, Work

_MOST = 2
_WHY = "The condition is present and under care, so that it is not history."


def past(work: Work, given: Given) -> Iterator[Candidate]:
    """The code of what is over for a condition that is not; none where the record tells of
    anything past, which the code might mean."""
    problem = given.draft.problem
    if problem is None or given.draft.added or problem.status != "active":
        return
    if any(one.status == "history" for one in work.drawn.chart.problems):
        return
    right = given.code
    rows = work.known.past.get(right[:1], ())
    code = next((code for start, code in rows if right.startswith(start)), None)
    already = sum(one.startswith(("Z86", "Z87")) for one in work.taken)
    if code and already < _MOST and not any(one.code.startswith("Z8") for one in work.given):
        yield Candidate(
            code, "history", right, _WHY, sources.guideline("I.C.21.c.4"),
            [*given.facts, *given.also],
        )  # fmt: skip
