"""Where another agent parts from the expert, and whether what it does there is worse.

What can be reached after the other's act, and what is wrong with it, the family tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from casegen.env.families import family
from casegen.env.lessons import Lessons
from casegen.schemas.pack import Task
from casegen.schemas.trajectory import Trajectory, TrajectoryStep


@dataclass(frozen=True, slots=True)
class Parting:
    """An act that is worse than the expert's at step ``at``, and what it costs."""

    at: int
    number: int  # of those of one agent
    rejected: TrajectoryStep
    score: float
    why: str


def partings(task: Task, expert: Trajectory, other: Trajectory) -> Iterator[Parting]:
    """The first act in which the other differs, and its labelled mistakes, each at the place of
    the expert's history where it would stand; those alone that are surely worse."""
    lessons = family(task.family).lessons()
    places = list(_places(lessons, expert, other))
    number = 0
    for at, step in places:
        score = lessons.reachable(task, expert, at, step.action)
        why = lessons.why(task.case, step, score, expert.score)
        if why is not None:
            yield Parting(at, number, step, score, why)
            number += 1


def _places(
    lessons: Lessons, expert: Trajectory, other: Trajectory
) -> Iterator[tuple[int, TrajectoryStep]]:
    first = next(
        (
            at
            for at, (mine, its) in enumerate(zip(expert.steps, other.steps, strict=False))
            if lessons.same(mine.action) != lessons.same(its.action)
        ),
        None,
    )
    if first is not None:
        yield first, other.steps[first]
    for at, step in enumerate(other.steps):
        if step.mistake is not None and at != first:
            yield lessons.place(expert, step.action), step
