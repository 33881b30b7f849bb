"""What is right and what is wrong with the turns of an audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casegen.schemas import Case
from casegen.schemas.play import AuditAction
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

from ..lessons import SOUND, Act, Judged, Lessons, Seen
from .ledger import unnamed
from .outlook import outlook
from .told import why_right, why_wrong

# Fields of an act that say why, not what.
_WORDS = frozenset({"justification", "suggested_code", "related_code"})
_VERDICTS = frozenset(("flag_error", "submit_audit"))
_ASK = "ask_clarifying_question"
# Who speaks like whom.
_VOICES = {"expert": "expert", "careless": "expert", "noisy": "rules", "rules": "rules"}
_FOLLOWS = (("careless", "expert"), ("noisy", "rules"))


def _mistake(case: Case, label: str, act: AuditAction, seen: Mapping[str, Any]) -> str | None:
    code, kind = act.code, act.error_type
    about = [
        f for f in case.findings if code in f.accepted_codes and kind in f.accepted_error_types
    ]
    if label == "missed_error":
        return label if unnamed(case, seen["draft_report"]) else None
    if label == "wrong_member":
        # Both members name a pair; it is wrong to say that the one to keep is to go.
        return label if not any(f.correction.code == code for f in about) else None
    return label if not about else None


def judged(case: Case, episode: Trajectory, step: TrajectoryStep) -> Judged | None:
    """Sound are a flag that names an error by the code that has to go or to change and proposes
    nothing wrong, the end of an episode without a fault, and a first look, question or passage
    that could be carried out."""
    if not step.rationale:
        return None
    if step.mistake is not None:
        return Judged(False, step.mistake)
    kind = step.action["action_type"]
    if kind == "flag_error":
        return _flag(case, step)
    if kind.startswith("submit_"):
        if episode.score == 1.0:
            return SOUND
        missed = unnamed(case, step.observation["draft_report"])
        return Judged(False, "missed_error") if missed else None
    return None if step.result["last_action_error"] else SOUND


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
            return SOUND
    return None


def _same(act: Act) -> object:
    """An act without the words that give its reason. A pair has no order."""
    if "code1" in act and "code2" in act:
        pair = sorted((act["code1"], act["code2"]))
        return {"action_type": act["action_type"], "pair": pair}
    return {name: value for name, value in act.items() if name not in _WORDS}


def _fits(step: TrajectoryStep, there: TrajectoryStep) -> bool:
    """Acts of one kind fit, a flag and the end, and a question for a look; two flags are of one
    code or one type, and two look-ups of diagnoses or of services. A draft that is handed in holds
    the same flags, and rests on the same look-ups."""
    kinds = {step.action["action_type"], there.action["action_type"]}
    asked = step.action["action_type"] == _ASK
    if len(kinds) > 1 and not kinds <= _VERDICTS and not (asked and not kinds & _VERDICTS):
        return False
    if kinds == {"flag_error"} and not _alike(step.action, there.action):
        return False
    if kinds == {"query_guideline"}:
        lines = there.observation["proposed_codes"]
        one, other = (lines[s.action["code"]]["code_type"] for s in (step, there))
        return bool(one == other)
    if not step.action["action_type"].startswith("submit_"):
        return True
    own, seen = step.observation, there.observation
    return _drafted(own) == _drafted(seen) and all(
        set(own[name]) == set(seen[name]) for name in ("codes_queried", "pairs_checked")
    )


def _alike(act: Act, other: Act) -> bool:
    """Whether two flags are of one type or name one code."""
    same = act["error_type"] == other["error_type"]
    return same or act["code"] in (other["code"], other.get("related_code"))


def _drafted(seen: Seen) -> set[tuple[str, str]]:
    return {(entry["code"], entry["error_type"]) for entry in seen["draft_report"]}


def _near(act: Act, other: Act) -> int:
    """Those about one code before others; two flags may have nothing in common."""
    if act["action_type"] != "flag_error":
        return 1 + ("code" in act and act["code"] == other["code"])
    if act["code"] in (other["code"], other.get("related_code")):
        return 2
    same = act["error_type"] == other["error_type"] and _section(act) == _section(other)
    return int(same)


def _section(act: Act) -> str:
    """The section of the guidelines on which a flag rests, if it names one."""
    told: str = act["justification"].rpartition("Authority: ")[2]
    return told if told.startswith("section ") else ""


def _alone(name: str, case: Case | None) -> bool:
    """Questions, of which those that have to be asked are rare, and the end of a clean claim."""
    return name == _ASK or (case is not None and name.startswith("submit_") and not case.findings)


def _why(case: Case, step: TrajectoryStep, complaint: str | None) -> str:
    return why_wrong(case, step.observation, step.action, complaint)


def _merit(case: Case, step: TrajectoryStep) -> str:
    return why_right(case, step.observation, step.action)


LESSONS = Lessons(
    _VOICES, _FOLLOWS, _mistake, judged, outlook, _same, _fits, _near, _alone, _why, _merit
)
