"""The honest agent: it reads the excerpt and the titles, and goes by simple rules."""

from __future__ import annotations

from casegen.schemas.coding_play import CodingObservation
from casegen.schemas.pack import Task

from .judge import Judgment, judge
from .said import Told
from .script import Script, Scripted


def rules(task: Task, seed: int) -> Scripted:
    """Reads, chooses codes, orders them, and finalizes."""
    return Scripted(code)


def code(observation: CodingObservation) -> Script:
    """The script of an honest coder."""
    found: Judgment = judge(observation)
    yield from Told(observation, found).script()
