"""Agents that know nothing: what they earn shows what an environment gives away."""

from __future__ import annotations

from casegen.randomness import Lane
from casegen.schemas.coding_play import CodingAction, CodingObservation
from casegen.schemas.pack import Task

from .script import Script, Scripted, draft, finalize, hint


def noop(task: Task, seed: int) -> Scripted:
    """Finalizes an empty draft at once."""
    return Scripted(_nothing)


def spray(task: Task, seed: int) -> Scripted:
    """Finalizes with all allowed codes."""
    return Scripted(_everything)


def first(task: Task, seed: int) -> Scripted:
    """Finalizes with the first of the allowed codes."""
    return Scripted(_first)


def _nothing(observation: CodingObservation) -> Script:
    yield finalize()


def _everything(observation: CodingObservation) -> Script:
    codes = observation.allowed_codes
    yield finalize(codes[0], codes[1:])


def _first(observation: CodingObservation) -> Script:
    yield finalize(observation.allowed_codes[0])


class _Random:
    """Draws each act from those that could be carried out; one in four finalizes."""

    def __init__(self, seed: int) -> None:
        self._lane = Lane((), ("agent/random", seed, 0), "acts")

    def act(self, observation: CodingObservation) -> CodingAction:
        if observation.attempts_remaining <= 1 or self._lane.chance(1, 4):
            return finalize()
        if self._lane.chance(1, 6) and len(observation.revealed_hints) < 2:
            return hint()
        codes = list(observation.allowed_codes)
        primary = codes.pop(self._lane.below(len(codes)))
        most = min(4, len(codes))
        secondary = [codes.pop(self._lane.below(len(codes))) for _ in range(self._lane.below(most))]
        return draft(primary, secondary, self._lane.chance(1, 5))


def random(task: Task, seed: int) -> _Random:
    """Acts at random, drawn from its seed."""
    return _Random(seed)
