"""Whether a turn is sound: by the answer of its case, and by the label of its mistake."""

from __future__ import annotations

from typing import NamedTuple

from casegen.env.audit.ledger import unnamed
from casegen.schemas import Case
from casegen.schemas.trajectory import Trajectory, TrajectoryStep


class Judged(NamedTuple):
    """A turn that is ``sound``, or what is the ``mistake`` in it."""

    sound: bool
    mistake: str | None = None


_SOUND = Judged(True)


def judged(case: Case, episode: Trajectory, step: TrajectoryStep) -> Judged | None:
    """What is to be said of a turn, None where that is neither good nor bad for certain, or where
    it gives no reason.

    Sound are a flag that names an error by the code that has to go or to change and proposes
    nothing wrong, the end of an episode without a fault, and a first look, question or passage
    that could be carried out.
    """
    if not step.rationale:
        return None
    if step.mistake is not None:
        return Judged(False, step.mistake)
    kind = step.action["action_type"]
    if kind == "flag_error":
        return _flag(case, step)
    if kind.startswith("submit_"):
        if episode.score == 1.0:
            return _SOUND
        missed = unnamed(case, step.observation["draft_report"])
        return Judged(False, "missed_error") if missed else None
    return None if step.result["last_action_error"] else _SOUND


def _flag(case: Case, step: TrajectoryStep) -> Judged | None:
    act = step.action
    if step.result["last_action_error"]:
        return None
    about = [finding for finding in case.findings if act["code"] in finding.accepted_codes]
    named = [f for f in about if act["error_type"] in f.accepted_error_types]
    if not named:
        return Judged(False, "wrong_type" if about else "false_alarm")
    proposed = act.get("suggested_code")
    for finding in named:
        right = finding.correction
        if right.code == act["code"] and proposed in (None, right.replacement):
            return _SOUND
    return None
