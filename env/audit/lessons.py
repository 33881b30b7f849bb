"""What is wrong with the turns of an audit.

After the expert's history another's act is put to the environment in place of the expert's; then
the expert goes on. What that ends with is the best that can still be reached: a flag can't be
taken back, an act that could not be carried out counts to the end, and no agent goes on better
than one that makes no fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from casegen.schemas import Case
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

from ..lessons import Act, Lessons
from .episode import AuditEpisode
from .parse import action_from

# Fields of an act that say why, not what.
_WORDS = frozenset({"justification", "suggested_code", "related_code"})
VERDICTS = frozenset({"flag_error", "submit_audit"})


def _mistake(case: Case, label: str, act: AuditAction, seen: Mapping[str, Any]) -> str | None:
    code, kind = act.code, act.error_type
    about = [
        f for f in case.findings if code in f.accepted_codes and kind in f.accepted_error_types
    ]
    if label == "missed_error":
        return label if case.findings else None
    if label == "wrong_member":
        # Both members name a pair; it is wrong to say that the one to keep is to go.
        return label if not any(f.correction.code == code for f in about) else None
    return label if not about else None


def _place(expert: Trajectory, act: Act) -> int:
    """At the flag of the same code, or pair; an early end at the first flag; else at the end."""
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


def _same(act: Act) -> object:
    """An act without the words that give its reason. A pair has no order."""
    if "code1" in act and "code2" in act:
        pair = sorted((act["code1"], act["code2"]))
        return {"action_type": act["action_type"], "pair": pair}
    return {name: value for name, value in act.items() if name not in _WORDS}


def _reachable(task: Task, expert: Trajectory, at: int, act: Act) -> float:
    acts = [step.action for step in expert.steps]
    before, rest = acts[:at], [one for one in acts[at:] if _same(one) != _same(act)]
    best = 0.0
    # What the expert would do may be done by now in other words, or take too many steps.
    left_out = {one["action_type"] for one in rest} - VERDICTS
    for kinds in (set(), {act["action_type"]} & left_out, left_out):
        after = [one for one in rest if one["action_type"] not in kinds]
        best = max(best, _score(task, [*before, act, *after]))
        if best >= expert.score:
            break
    return best


def _score(task: Task, acts: Sequence[Act]) -> float:
    episode = AuditEpisode(task, "reachable")
    seen = episode.start()
    for act in acts:
        if seen.done:
            break
        seen = episode.step(action_from(act))
    episode.close()
    return float(seen.grader_score or 0.0) if seen.done else 0.0


def _why(case: Case, step: TrajectoryStep, score: float, best: float) -> str | None:
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


LESSONS = Lessons(VERDICTS, _mistake, _same, _place, _reachable, _why)
