"""Where another agent parts from the expert, and whether what it does there is worse.

After the expert's history the other's act is put to the environment in place of the expert's;
then the expert goes on. What that ends with is the best that can still be reached: a flag can't
be taken back, an act that could not be carried out counts to the end, and no agent goes on
better than one that makes no fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from casegen.env.families import family
from casegen.schemas import Case
from casegen.schemas.pack import Task
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

Acts = Sequence[dict[str, Any]]
# Fields of an act that say why, not what.
_WORDS = frozenset({"justification", "suggested_code", "related_code"})


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
    places = list(_places(expert, other))
    number = 0
    for at, step in places:
        score = reachable(task, expert, at, step.action)
        why = _why(cast("Case", task.case), step, score, expert.score)
        if why is not None:
            yield Parting(at, number, step, score, why)
            number += 1


def _places(expert: Trajectory, other: Trajectory) -> Iterator[tuple[int, TrajectoryStep]]:
    first = next(
        (
            at
            for at, (mine, its) in enumerate(zip(expert.steps, other.steps, strict=False))
            if what(mine.action) != what(its.action)
        ),
        None,
    )
    if first is not None:
        yield first, other.steps[first]
    for at, step in enumerate(other.steps):
        if step.mistake is not None and at != first:
            yield _place(expert, step.action), step


def _place(expert: Trajectory, act: dict[str, Any]) -> int:
    """Where in the expert's history an act would stand: at the flag of the same code, or pair;
    an early end at the first flag; else at the end."""
    flags = [at for at, s in enumerate(expert.steps) if s.action["action_type"] == "flag_error"]
    last = len(expert.steps) - 1
    if act["action_type"] != "flag_error":
        return flags[0] if flags else last
    codes = {act.get("code"), act.get("related_code")}
    for at in flags:
        mine = expert.steps[at].action
        if codes & {mine["code"], mine.get("related_code")} - {None}:
            return at
    return last


def what(act: dict[str, Any]) -> dict[str, Any]:
    """An act without the words that give its reason. A pair has no order."""
    if "code1" in act and "code2" in act:
        pair = sorted((act["code1"], act["code2"]))
        return {"action_type": act["action_type"], "pair": pair}
    return {name: value for name, value in act.items() if name not in _WORDS}


def reachable(task: Task, expert: Trajectory, at: int, act: dict[str, Any]) -> float:
    """The best score after the expert's first ``at`` acts and then ``act``."""
    acts = [step.action for step in expert.steps]
    before, rest = acts[:at], [one for one in acts[at:] if what(one) != what(act)]
    best = 0.0
    # What the expert would do may be done by now in other words, or take too many steps.
    left_out = {one["action_type"] for one in rest} - {"flag_error", "submit_audit"}
    for kinds in (set(), {act["action_type"]} & left_out, left_out):
        after = [one for one in rest if one["action_type"] not in kinds]
        best = max(best, _score(task, [*before, act, *after]))
        if best >= expert.score:
            break
    return best


def _score(task: Task, acts: Acts) -> float:
    played = family(task.family)
    episode = played.episode(task, "reachable")
    seen = episode.start()
    for act in acts:
        if seen.done:
            break
        seen = episode.step(played.action(act))
    episode.close()
    return float(seen.grader_score) if seen.done else 0.0


def _why(case: Case, step: TrajectoryStep, score: float, best: float) -> str | None:
    """What is wrong with an act, None where nothing surely is."""
    act = step.action
    kind, code = act["action_type"], act.get("code")
    if kind == "flag_error":
        about = [f for f in case.findings if code in f.accepted_codes]
        typed = [f for f in about if act.get("error_type") in f.accepted_error_types]
        if step.mistake == "wrong_member" and typed:
            stays = typed[0].correction.code
            return f"wrong_member: it says that {code} has to go, and {stays} has"
        if score >= best or typed:
            return None
        label = f"{step.mistake}: " if step.mistake else ""
        if code not in {line.code for line in case.claim}:
            return f"{label}{code} is not on the claim"
        if about:
            return f"{label}{code} is in error, but not of the type {act.get('error_type')}"
        return f"{label}{code} is right and was flagged"
    if score >= best:
        return None
    if kind.startswith("submit_"):
        if not case.findings:
            return "it hands in before all codes were looked at"
        return "missed_error: it hands in, and errors are not flagged"
    if step.result.get("last_action_error"):
        return f"it can't be carried out: {step.result['last_action_error']}"
    return "it leaves too few steps"
