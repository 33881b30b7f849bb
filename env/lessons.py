"""What exports need to know of a family's acts to teach by them: which are right, which are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from casegen.schemas.pack import Task
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

Act = Mapping[str, Any]
Seen = Mapping[str, Any]


class Judged(NamedTuple):
    """A turn that is ``sound``, or what is the ``mistake`` in it."""

    sound: bool
    mistake: str | None = None


SOUND = Judged(True)


@dataclass(frozen=True, slots=True)
class Lessons:
    """How turns of a family are judged. Acts and observations are plain values, as trajectories
    hold them.

    - ``voices``: the agents whose single turns teach, each with the one in whose voice it speaks.
    - ``follows``: who follows whom step by step and errs.
    - ``mistake(case, label, act, seen)``: the label of a typed act that an agent got wrong on
      purpose, None where it happens to be right; ``seen`` is the observation before it.
    - ``judged(case, episode, step)``: what is to be said of a turn; None where it is neither good
      nor bad for certain, or gives no reason.
    - ``outlook(task, seen, act)``: the best score that can be reached under ``strict`` after an
      act, and why it could not be carried out (None where it could); ``seen`` is the observation
      before it, of an episode in which each act before could be carried out.
    - ``same(act)``: what an act does, without the words that say why: equal for two that do the
      same.
    - ``fits(step, there)``: whether an act could stand in the place of another, in what it says of
      what was done before.
    - ``near(act, other)``: how near two acts of one name are, 0 where they have nothing in common.
    - ``alone(name, case)``: whether sound turns of an act of that name stand without a mistake
      beside them in that case; of None, whether mistakes of it stand without a sound one.
    - ``why(case, step, complaint)``: what is wrong with an act, in sentences for a reader who has
      the record and not the game; ``merit(case, step)``: what is right with a sound one.
    """

    voices: Mapping[str, str]
    follows: tuple[tuple[str, str], ...]
    mistake: Callable[[Any, str, Any, Seen], str | None]
    judged: Callable[[Any, Trajectory, TrajectoryStep], Judged | None]
    outlook: Callable[[Task, Seen, Act], tuple[float, str | None]]
    same: Callable[[Act], object]
    fits: Callable[[TrajectoryStep, TrajectoryStep], bool]
    near: Callable[[Act, Act], int]
    alone: Callable[[str, Any], bool]
    why: Callable[[Any, TrajectoryStep, str | None], str]
    merit: Callable[[Any, TrajectoryStep], str]
