"""Where an agent that follows another errs, and whether what it does there is worse.

The one whose steps are followed (the guide) has done nothing wrong so far. What can be reached
after an act, by whoever plays on, follows from the rules of the score: a flag can't be taken back,
and an act that could not be carried out counts to the end. Only what surely costs is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from casegen.env.families import family
from casegen.schemas import Case
from casegen.schemas.pack import Task
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

from .judged import judged

# Fields of an act that say why, not what.
_WORDS = frozenset({"justification", "suggested_code", "related_code"})
_SKIPPED = 2  # acts of the guide that its follower may leave out at a time


@dataclass(frozen=True, slots=True)
class Parting:
    """A mistake in place of the guide's step ``at``, and the best score that can be reached after
    it; after the guide's own step that is 1."""

    at: int
    number: int  # of those of one agent
    rejected: TrajectoryStep
    score: float
    why: str


def partings(task: Task, guide: Trajectory, other: Trajectory) -> Iterator[Parting]:
    """The mistakes of ``other`` that are surely worse than what the guide does in their place,
    which has to be sound and to lose nothing."""
    if not any(step.mistake for step in other.steps):
        return
    played = family(task.family)
    number = 0
    for at, step in _places(guide, other):
        mine = guide.steps[at]
        found = judged(task.case, guide, mine)
        if found is None or not found.sound:
            continue
        score, complaint = played.outlook(task, mine.observation, played.action(step.action))
        if score < 1.0 == _reached(task, guide, mine):
            yield Parting(at, number, step, score, _why(task.case, step, complaint))
            number += 1


def _reached(task: Task, guide: Trajectory, step: TrajectoryStep) -> float:
    """The best score after an act of the guide."""
    if guide.score == 1.0:
        return 1.0
    played = family(task.family)
    score, _ = played.outlook(task, step.observation, played.action(step.action))
    return score


def _places(guide: Trajectory, other: Trajectory) -> Iterator[tuple[int, TrajectoryStep]]:
    """The mistakes of one who follows the guide, each with the place that it has come to in the
    guide's history, if that has shown what the mistake speaks of."""
    at = 0
    for step in other.steps:
        if step.mistake is None:
            # A mistake may have stood in place of the guide's act, or nothing.
            ahead = guide.steps[at : at + 1 + _SKIPPED]
            passed = next((n for n, one in enumerate(ahead) if _same(one, step)), None)
            if passed is None:
                return
            at += passed + 1
        elif at < len(guide.steps):
            there = guide.steps[at]
            if not _same(there, step) and _fits(step, there):
                yield at, step


def _same(step: TrajectoryStep, other: TrajectoryStep) -> bool:
    """Whether two steps are the same act."""
    mine, its = step.action, other.action
    return mine == its or what(mine) == what(its)


def _fits(step: TrajectoryStep, there: TrajectoryStep) -> bool:
    """Whether an act could stand there: a draft that is handed in holds the same flags, and rests
    on the same look-ups."""
    if not step.action["action_type"].startswith("submit_"):
        return True
    own, seen = step.observation, there.observation
    return _drafted(own) == _drafted(seen) and all(
        set(own[name]) == set(seen[name]) for name in ("codes_queried", "pairs_checked")
    )


def _drafted(seen: dict[str, Any]) -> set[tuple[str, str]]:
    return {(entry["code"], entry["error_type"]) for entry in seen["draft_report"]}


def what(act: dict[str, Any]) -> dict[str, Any]:
    """An act without the words that give its reason. A pair has no order."""
    if "code1" in act and "code2" in act:
        pair = sorted((act["code1"], act["code2"]))
        return {"action_type": act["action_type"], "pair": pair}
    return {name: value for name, value in act.items() if name not in _WORDS}


def _why(case: Case, step: TrajectoryStep, complaint: str | None) -> str:
    """The label of a mistake, and what is wrong with it."""
    act = step.action
    kind, code = act["action_type"], act.get("code")
    told = "it leaves too few steps"
    if kind.startswith("submit_"):
        told = "it hands in, and errors are not flagged"
    elif kind == "flag_error" and code not in {line.code for line in case.claim}:
        told = f"{code} is not on the claim"
    elif complaint is not None:
        told = f"it can't be carried out: {complaint}"
    elif kind == "flag_error":
        about = [f for f in case.findings if code in f.accepted_codes]
        if not about:
            told = f"{code} is right and was flagged"
        elif not any(act["error_type"] in f.accepted_error_types for f in about):
            told = f"{code} is in error, but not of the type {act['error_type']}"
    return f"{step.mistake}: {told}"
