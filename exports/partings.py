"""Where an agent that follows another errs, and whether what it does there is worse.

The one whose steps are followed (the guide) has done nothing wrong so far. What can be reached
after an act, by whoever plays on, the family tells. Only what surely costs is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from casegen.env.families import family
from casegen.env.lessons import Lessons
from casegen.schemas.pack import Task
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

_SKIPPED = 2  # acts of the guide that its follower may leave out at a time


@dataclass(frozen=True, slots=True)
class Parting:
    """A mistake in place of the guide's step ``at``, the best score that can be reached after it
    (after the guide's own step that is 1), and why either is what it is."""

    at: int
    number: int  # of those of one agent
    rejected: TrajectoryStep
    score: float
    why: str
    merit: str  # what is right with the guide's step


def partings(task: Task, guide: Trajectory, other: Trajectory) -> Iterator[Parting]:
    """The mistakes of ``other`` that are surely worse than what the guide does in their place,
    which has to be sound and to lose nothing."""
    if not any(step.mistake for step in other.steps):
        return
    lessons = family(task.family).lessons()
    number = 0
    for at, step in _places(lessons, guide, other):
        mine = guide.steps[at]
        found = lessons.judged(task.case, guide, mine)
        if found is None or not found.sound:
            continue
        score, complaint = lessons.outlook(task, mine.observation, step.action)
        if score < 1.0 == _reached(lessons, task, guide, mine):
            why = f"{step.mistake}: {lessons.why(task.case, step, complaint)}"
            yield Parting(at, number, step, score, why, lessons.merit(task.case, mine))
            number += 1


def _reached(lessons: Lessons, task: Task, guide: Trajectory, step: TrajectoryStep) -> float:
    """The best score after an act of the guide."""
    if guide.score == 1.0:
        return 1.0
    return lessons.outlook(task, step.observation, step.action)[0]


def _places(
    lessons: Lessons, guide: Trajectory, other: Trajectory
) -> Iterator[tuple[int, TrajectoryStep]]:
    """The mistakes of one who follows the guide, each with the place that it has come to in the
    guide's history, if that has shown what the mistake speaks of."""
    at = 0
    acts = [lessons.same(step.action) for step in guide.steps]
    for step in other.steps:
        act = lessons.same(step.action)
        if step.mistake is None:
            # A mistake may have stood in place of the guide's act, or nothing.
            ahead = acts[at : at + 1 + _SKIPPED]
            if act not in ahead:
                return
            at += ahead.index(act) + 1
        elif at < len(guide.steps):
            there = guide.steps[at]
            if act != acts[at] and lessons.fits(step, there):
                yield at, step
