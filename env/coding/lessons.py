"""What is wrong with the turns of a coding episode.

A code that is put into the draft is taken for the agent's word: who goes on adds what is missing
and takes nothing back. So a draft with a wrong code is worse than one without it, though under
``strict`` it could be taken back at no cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casegen.schemas.coding_case import CodingCase, GoldCode
from casegen.schemas.coding_play import CodingAction
from casegen.schemas.pack import Task
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

from ..codes import fold
from ..lessons import SOUND, Act, Judged, Lessons, Seen
from .acts import carry_out
from .draft import Draft, Ledger
from .grading import quality, worths_of
from .parse import action_from
from .profiles import strict
from .told import ended, faults, merits, missed

# Who speaks like whom.
_VOICES = {"expert": "expert", "careless": "expert", "noisy": "rules", "rules": "rules"}
_FOLLOWS = (("careless", "expert"), ("noisy", "rules"))


def _mistake(
    case: CodingCase, label: str, act: CodingAction, seen: Mapping[str, Any]
) -> str | None:
    """A label stands where the draft after the act is wrong in what the act brings."""
    draft = _after(case, seen, act)
    if label.startswith("review_"):
        return label if draft.needs_review != case.needs_review else None
    if label == "order_swapped":
        return label if quality(case.primary, draft.primary) < 1 else None
    named = [act.primary_code, *(act.secondary_codes or ())]
    return label if any(not _right(case, code) for code in named if code) else None


def _right(case: CodingCase, code: str) -> bool:
    """Whether a code stands in the answer, wherever."""
    return any(quality(gold, code) == 1 for gold in case.gold())


def _same(act: Act) -> object:
    """The order of secondary codes does not count."""
    one = CodingAction(**act)
    codes = None if one.secondary_codes is None else sorted(map(fold, one.secondary_codes))
    return fold(one.primary_code), codes, one.needs_review, one.request_hint, one.finalize


def _judged(case: CodingCase, episode: Trajectory, step: TrajectoryStep) -> Judged | None:
    """Sound is a draft that holds nothing wrong, all of it: the codes that stood before are given
    again; and the end of an episode without a fault."""
    if not step.rationale:
        return None
    if step.mistake is not None:
        return Judged(False, step.mistake)
    act, seen = CodingAction(**step.action), step.observation
    if step.result.get("last_action_error") or act.request_hint:
        return None
    draft = _after(case, seen, act)
    fault = next(faults(case, _before(seen), draft), None)
    if fault is not None:
        return Judged(False, fault.label)
    if (act.finalize and episode.score != 1.0) or not _in_place(case, draft):
        return None
    return SOUND


def _in_place(case: CodingCase, draft: Draft) -> bool:
    """Whether all codes of a draft are right where they stand."""
    if draft.primary and quality(case.primary, draft.primary) < 1:
        return False
    right = _worth(case.secondary, 1.0)
    return all(fold(code) in right for code in draft.secondary)


def _worth(golds: list[GoldCode], share: float) -> set[str]:
    """The folded codes that say what one of the answer says, and are worth that share of it."""
    return {code for gold in golds for code, worth in worths_of(gold).items() if worth == share}


def _outlook(task: Task, seen: Seen, act: Act) -> tuple[float, str | None]:
    ledger = Ledger(task)
    ledger.draft = _before(seen)
    ledger.drafts = {Draft().key, ledger.draft.key}
    ledger.hints = len(seen["revealed_hints"])
    ledger.steps = seen["step_count"] + 1
    event = carry_out(ledger, action_from(act))
    ledger.invalid += event.invalid
    if not ledger.over:
        _go_on(ledger)
    return strict.score(ledger), event.error


def _fits(step: TrajectoryStep, there: TrajectoryStep) -> bool:
    """Both begin with the same draft."""
    return _before(step.observation).key == _before(there.observation).key


def _near(act: Act, other: Act) -> int:
    """Those that give as many codes of the same kind before others."""
    return 2 if _shape(act) == _shape(other) else 1


def _shape(act: Act) -> object:
    return set(act) - {"needs_review"}, len(act.get("secondary_codes", ()))


def _alone(name: str, case: CodingCase | None) -> bool:
    return False


def _go_on(ledger: Ledger) -> None:
    """Add what is missing, and set the flag where it was not set."""
    case, draft = ledger.case, ledger.draft
    primary = draft.primary or case.primary.code
    missing = [
        gold.code
        for gold in case.secondary
        if not any(quality(gold, code) for code in (primary, *draft.secondary))
    ]
    flag = draft.needs_review or case.needs_review
    ledger.draft = Draft(primary, (*draft.secondary, *missing), flag)


def _why(case: CodingCase, step: TrajectoryStep, complaint: str | None) -> str:
    if complaint is not None:
        return f"it can't be carried out: {complaint}"
    act, seen = CodingAction(**step.action), step.observation
    after = _after(case, seen, act)
    found = [fault.why for fault in faults(case, _before(seen), after)]
    if found:
        return " ".join(found)
    if act.request_hint:
        return "a hint costs, and the record tells what the codes turn on."
    if act.finalize and case.needs_review and not after.needs_review:
        return f"it ends the episode, but {missed(case).why}"
    if act.finalize:
        return "it ends the episode before each code that the record calls for is in the draft."
    return "it leaves too few steps for the codes that the record calls for."


def _merit(case: CodingCase, step: TrajectoryStep) -> str:
    act, seen = CodingAction(**step.action), step.observation
    after = _after(case, seen, act)
    told = list(merits(case, _before(seen), after))
    if act.finalize:
        told.append(ended(case, after))
    return " ".join(told)


def _before(seen: Mapping[str, Any]) -> Draft:
    """The draft that an observation shows."""
    return Draft(
        seen["current_primary_code"],
        tuple(seen["current_secondary_codes"]),
        seen["current_needs_review"],
    )


def _after(case: CodingCase, seen: Mapping[str, Any], act: CodingAction) -> Draft:
    """The draft that an act leads to, whatever codes it names."""
    old = _before(seen)
    secondary = old.secondary
    if act.secondary_codes is not None:
        secondary = tuple(_spelled(case, seen, code) for code in act.secondary_codes)
    primary = _spelled(case, seen, act.primary_code) or old.primary
    flag = old.needs_review if act.needs_review is None else act.needs_review
    return Draft(primary, secondary, flag)


def _spelled(case: CodingCase, seen: Mapping[str, Any], code: str) -> str:
    """A code as the allowed set has it, itself where it is none of that."""
    if code in seen["code_titles"]:  # most are written so
        return code
    folded = fold(code)
    return next((one.code for one in case.allowed if fold(one.code) == folded), code)


LESSONS = Lessons(
    _VOICES, _FOLLOWS, _mistake, _judged, _outlook, _same, _fits, _near, _alone, _why, _merit
)  # fmt: skip
