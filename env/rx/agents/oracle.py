"""The agent that knows the answer and says it."""

from __future__ import annotations

from casegen.schemas.pack import Task
from casegen.schemas.rx_case import Component, RxCase
from casegen.schemas.rx_play import RxObservation

from ..case import FIELDS, FULL, case_of
from .script import Script, Scripted, ask, submit


def oracle(task: Task, seed: int) -> Scripted:
    """Reads the record at once, and submits the answer."""
    case = case_of(task)

    def script(observation: RxObservation) -> Script:
        if observation.max_steps > 1:
            yield ask(FULL)
        yield submit(case.task, case.dosage_safe, named(case), case.recommendation)

    return Scripted(script)


def named(case: RxCase) -> dict[Component, list[str]]:
    """The pairs of the answer, each by its usual name."""
    return {
        part: [one.names[0] for one in case.findings if one.component == part] for part in FIELDS
    }
