"""The honest agent: it reads the record and goes by the drug knowledge and simple rules."""

from __future__ import annotations

from casegen.schemas.pack import Task
from casegen.schemas.rx_play import RxObservation

from .judge import judge
from .said import Said, told
from .script import Script, Scripted


def rules(task: Task, seed: int) -> Scripted:
    """Reads all, judges, and submits."""

    def script(observation: RxObservation) -> Script:
        yield from told(observation, lambda seen: Said(judge(seen)))

    return Scripted(script)
