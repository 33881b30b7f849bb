"""Agents that know nothing: what they earn shows what an environment gives away."""

from __future__ import annotations

from casegen.randomness import Lane
from casegen.schemas.pack import Task
from casegen.schemas.rx_case import Component
from casegen.schemas.rx_play import RxAction, RxObservation

from ..acts import RECOMMENDATIONS, SUBMIT
from ..case import FIELDS, FULL, SOURCES
from ..pairs import fold
from .entries import names_in
from .script import Script, Scripted, ask, submit

_LONGEST = 60  # characters of an entry that stands for itself in a pair


def noop(task: Task, seed: int) -> Scripted:
    """Submits an empty answer at once."""
    return Scripted(_nothing)


def approve(task: Task, seed: int) -> Scripted:
    """Looks at everything, then approves."""
    return Scripted(_approve)


def spray(task: Task, seed: int) -> Scripted:
    """Looks at everything, then calls the dose unsafe and each entry a conflict, and rejects."""
    return Scripted(_everything)


def _nothing(observation: RxObservation) -> Script:
    yield RxAction(SUBMIT)


def _approve(observation: RxObservation) -> Script:
    seen: RxObservation = yield ask(FULL)
    yield submit(seen.task, True, {}, "approve")


def _everything(observation: RxObservation) -> Script:
    seen: RxObservation = yield ask(FULL)
    pairs = every_pair(seen)
    named = {field: pairs[part] for part, field in FIELDS.items()}
    yield RxAction(SUBMIT, dosage_safe=False, recommendation="reject", **named)  # type: ignore[arg-type]


def every_pair(seen: RxObservation) -> dict[Component, list[str]]:
    """A pair of each entry with the drug, by the names that the entry holds, else by itself."""
    entries: dict[Component, list[str]] = {
        "interaction": seen.current_medications or [],
        "allergy": seen.known_allergies or [],
        "contraindication": seen.medical_conditions or [],
    }
    drug = seen.drug_name
    return {
        part: [f"{name}-{drug}" for line in lines for name in names_in(line) or [_whole(line)]]
        for part, lines in entries.items()
    }


def _whole(line: str) -> str:
    return fold(line)[:_LONGEST].replace(" ", "_")


class _Random:
    """Draws each act from those that could be carried out; one in three submits."""

    def __init__(self, seed: int) -> None:
        self._lane = Lane((), ("agent/random", seed, 0), "acts")

    def act(self, observation: RxObservation) -> RxAction:
        lane = self._lane
        if observation.steps_remaining > 1 and not lane.chance(1, 3):
            return ask(lane.pick((*SOURCES, FULL)))
        pairs = every_pair(observation)
        chosen = {part: [name for name in pairs[part] if lane.chance(1, 4)] for part in FIELDS}
        safe, word = lane.chance(1, 2), lane.pick(RECOMMENDATIONS)
        return submit(observation.task, safe, chosen, word)


def random(task: Task, seed: int) -> _Random:
    """Acts at random, drawn from its seed."""
    return _Random(seed)
