"""The agent that knows the answer and says it."""

from __future__ import annotations

from casegen.schemas.coding_play import CodingObservation
from casegen.schemas.pack import Task

from ..case import case_of
from .script import Script, Scripted, finalize


def oracle(task: Task, seed: int) -> Scripted:
    """Finalizes with the answer."""
    case = case_of(task)

    def script(observation: CodingObservation) -> Script:
        yield finalize(case.primary.code, [one.code for one in case.secondary], case.needs_review)

    return Scripted(script)
