"""What exports need to know of a family's acts to teach by them: which are sound, which are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from casegen.schemas.pack import Task
from casegen.schemas.trajectory import Trajectory, TrajectoryStep


class Judged(NamedTuple):
    """A turn that is ``sound``, or what is the ``mistake`` in it."""

    sound: bool
    mistake: str | None = None


class Outlook(NamedTuple):
    """The best score that can be reached, and why an act could not be carried out, if so."""

    score: float
    complaint: str | None


@dataclass(frozen=True, slots=True)
class Lessons:
    """How turns of a family are judged.

    - ``mistake(case, label, act, seen)``: the label of an act that an agent got wrong on purpose,
      None where it happens to be right; ``seen`` is the plain observation before it.
    - ``judged(case, episode, step)``: what is to be said of a turn, None where that is neither
      good nor bad for certain, or where it gives no reason.
    - ``outlook(task, seen, action)``: the best score that can be reached under ``strict`` after an
      act, given as plain values, in an episode in which each act before could be carried out.
    - ``same(action)``: what an act does, without the words that say why; two acts of which it is
      equal do the same.
    - ``fits(step, there)``: whether an act that was done at ``step`` could as well be done where
      ``there`` was.
    - ``why(case, step, complaint)``: the label of a mistake, and what is wrong with it.
    """

    mistake: Callable[[Any, str, Any, Mapping[str, Any]], str | None]
    judged: Callable[[Any, Trajectory, TrajectoryStep], Judged | None]
    outlook: Callable[[Task, Mapping[str, Any], Mapping[str, Any]], Outlook]
    same: Callable[[Mapping[str, Any]], object]
    fits: Callable[[TrajectoryStep, TrajectoryStep], bool]
    why: Callable[[Any, TrajectoryStep, str | None], str]
