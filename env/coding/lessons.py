"""Which turns of a coding episode are sound, and what is wrong with others.

A code that is put into the draft is taken for the agent's word: who goes on adds what is missing
and takes nothing back. So a draft with a wrong code is worse than one without it, though under
``strict`` it could be taken back at no cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from casegen.schemas.coding_case import CodingCase
from casegen.schemas.coding_play import CodingAction
from casegen.schemas.pack import Task
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

from ..codes import fold
from ..lessons import Judged, Lessons, Outlook
from .acts import carry_out
from .draft import Draft, Ledger
from .grading import quality
from .parse import action_from
from .profiles import strict

_CODES = ("primary_code", "secondary_codes")


def _mistake(
    case: CodingCase, label: str, act: CodingAction, seen: Mapping[str, Any]
) -> str | None:
    """A label stands where the draft after the act is wrong in what the act brings."""
    draft = _after(case, seen, act)
    named = [act.primary_code, *(act.secondary_codes or ())]
    if label.startswith("review_"):
        return label if draft.needs_review != case.needs_review else None
    if label == "order_swapped":
        return label if quality(case.primary, draft.primary) < 1 else None
    return label if any(not _right(case, code) for code in named if code) else None


def _right(case: CodingCase, code: str) -> bool:
    """Whether a code stands in the answer, wherever."""
    return any(quality(gold, code) == 1 for gold in case.gold())


def _judged(case: CodingCase, episode: Trajectory, step: TrajectoryStep) -> Judged | None:
    """Sound are a draft whose new codes are all right and in their place, a flag that is right,
    and the end of an episode without a fault."""
    if not step.rationale:
        return None
    if step.mistake is not None:
        return Judged(False, step.mistake)
    act = action_from(step.action)
    if step.result.get("last_action_error") or act.request_hint:
        return None
    if act.finalize:
        return Judged(True) if episode.score == 1.0 else None
    fault = next(
        _faults(case, _before(step.observation), _after(case, step.observation, act)), None
    )
    return Judged(True) if fault is None else Judged(False, fault) if fault else None


def _faults(case: CodingCase, before: Draft, after: Draft) -> Iterator[str]:
    """What is wrong with what a draft brings; empty text for what is half right."""
    if after.primary != before.primary:
        share = quality(case.primary, after.primary)
        if share < 1:
            yield "" if share else _of_code(case, after.primary, "order_swapped")
    for code in after.secondary:
        if code not in before.secondary:
            share = max((quality(gold, code) for gold in case.secondary), default=0.0)
            if share < 1:
                yield "" if share else _of_code(case, code, "order_swapped")
    if after.needs_review != before.needs_review and after.needs_review != case.needs_review:
        yield "review_wrong" if after.needs_review else "review_missed"


def _of_code(case: CodingCase, code: str, elsewhere: str) -> str:
    """Why a code is wrong where it stands: its kind, or that it is right in another place."""
    wrong = next((one for one in case.wrong if fold(one.code) == fold(code)), None)
    return elsewhere if wrong is None else wrong.kind


def _outlook(task: Task, seen: Mapping[str, Any], action: Mapping[str, Any]) -> Outlook:
    ledger = Ledger(task)
    ledger.draft = _before(seen)
    ledger.drafts = {Draft().key, ledger.draft.key}
    ledger.hints = len(seen["revealed_hints"])
    ledger.steps = seen["step_count"] + 1
    event = carry_out(ledger, action_from(action))
    ledger.invalid += event.invalid
    if not ledger.over:
        _go_on(ledger)
    return Outlook(strict.score(ledger), event.error)


def _go_on(ledger: Ledger) -> None:
    """Add what is missing, and set the flag where it was not set."""
    case, draft = ledger.case, ledger.draft
    primary = draft.primary or case.primary.code
    missing = [
        gold.code
        for gold in case.secondary
        if not any(quality(gold, code) for code in (primary, *draft.secondary))
    ]
    ledger.draft = Draft(
        primary, (*draft.secondary, *missing), draft.needs_review or case.needs_review
    )


def _same(action: Mapping[str, Any]) -> object:
    act = action_from(action)
    codes = None if act.secondary_codes is None else tuple(sorted(map(fold, act.secondary_codes)))
    return fold(act.primary_code), codes, act.needs_review, act.request_hint, act.finalize


def _fits(step: TrajectoryStep, there: TrajectoryStep) -> bool:
    """An act that leaves a part of the draft as it stands needs the same there."""
    own, seen = _before(step.observation), _before(there.observation)
    if "primary_code" not in step.action and own.primary != seen.primary:
        return False
    return "secondary_codes" in step.action or own.key[1] == seen.key[1]


def _why(case: CodingCase, step: TrajectoryStep, complaint: str | None) -> str:
    act = action_from(step.action)
    told = "it leaves too few steps"
    if complaint is not None:
        told = f"it can't be carried out: {complaint}"
    elif reasons := list(
        _reasons(case, _before(step.observation), _after(case, step.observation, act))
    ):
        told = "; ".join(reasons)
    elif act.request_hint:
        told = "a hint costs"
    elif act.finalize:
        told = "it ends the episode, and the draft is not right"
    return f"{step.mistake}: {told}" if step.mistake else told


def _reasons(case: CodingCase, before: Draft, after: Draft) -> Iterator[str]:
    """What is wrong with what a draft brings, in words."""
    brought = [code for code in after.codes if code not in before.codes]
    for wrong in case.wrong:
        if wrong.code in brought:
            yield f"{wrong.code} is wrong: {wrong.reason}"
    for code in brought:
        if any(0 < quality(gold, code) < 1 for gold in case.gold()):
            yield f"{code} says less than the record"
    first = after.primary
    if first != before.primary and _right(case, first) and quality(case.primary, first) < 1:
        yield f"{first} does not go first; {case.primary.code} does"
    if after.needs_review != before.needs_review and after.needs_review != case.needs_review:
        yield "nothing is left open" if after.needs_review else "the record leaves something open"


def _before(seen: Mapping[str, Any]) -> Draft:
    """The draft that an observation shows."""
    return Draft(
        seen["current_primary_code"],
        tuple(seen["current_secondary_codes"]),
        seen["current_needs_review"],
    )


def _after(case: CodingCase, seen: Mapping[str, Any], act: CodingAction) -> Draft:
    """The draft that an act leads to, whatever codes it names."""
    spelled = {fold(one.code): one.code for one in case.allowed}
    old = _before(seen)
    secondary = old.secondary
    if act.secondary_codes is not None:
        secondary = tuple(spelled.get(fold(code), code) for code in act.secondary_codes)
    primary = spelled.get(fold(act.primary_code), act.primary_code) or old.primary
    flag = old.needs_review if act.needs_review is None else act.needs_review
    return Draft(primary, secondary, flag)


LESSONS = Lessons(_mistake, _judged, _outlook, _same, _fits, _why)
