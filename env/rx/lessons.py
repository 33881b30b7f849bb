"""What is wrong with the turns of an rx episode.

A look into the record is sound where it shows something new; an answer is sound where it is right
in all its parts. Nothing can be taken back: an answer ends the episode.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from casegen.schemas.pack import Task
from casegen.schemas.rx_case import RxCase
from casegen.schemas.rx_play import RxAction
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

from ..lessons import SOUND, Act, Judged, Lessons, Seen
from .acts import REQUEST, SUBMIT, carry_out
from .agents.reasons import clause, quoted
from .agents.reasons import named as named_authority
from .case import FIELDS, SOURCES, case_of, dangerous, ground
from .grading import credit, items, judge
from .ledger import Ledger
from .pairs import fold, keys_of
from .parse import action_from
from .profiles import strict

# Who speaks like whom.
_VOICES = {"expert": "expert", "careless": "expert", "noisy": "rules", "rules": "rules"}
_FOLLOWS = (("careless", "expert"), ("noisy", "rules"))
_SHOWS = {
    "allergies": "known_allergies",
    "medications": "current_medications",
    "conditions": "medical_conditions",
}


def _mistake(case: RxCase, label: str, act: RxAction, seen: Mapping[str, Any]) -> str | None:
    """A label stands where the answer is not right."""
    return label if act.action_type == SUBMIT and _worth(case, act) < 1 else None


def _worth(case: RxCase, answer: RxAction) -> float:
    """What an answer is worth when all has been read."""
    return strict.answer(case, answer, 1.0)


def _same(act: Act) -> object:
    """The order of pairs does not count, nor how they are spelled, nor the reasoning."""
    one = action_from(act)
    if one.action_type == REQUEST:
        return one.action_type, one.info_requested
    lists = tuple(_pairs(getattr(one, field)) for field in FIELDS.values())
    return one.action_type, one.dosage_safe, lists, one.recommendation


def _pairs(names: list[str] | None) -> object:
    if names is None:
        return None
    return frozenset(keys_of(name) or fold(name) for name in names)


def _judged(case: RxCase, episode: Trajectory, step: TrajectoryStep) -> Judged | None:
    if not step.rationale:
        return None
    if step.mistake is not None:
        return Judged(False, step.mistake)
    act, seen = action_from(step.action), step.observation
    if step.result.get("last_action_error"):
        return None
    if act.action_type == REQUEST:
        return SOUND if len(_read(step.result)) > len(_read(seen)) else None
    if _worth(case, act) < 1:
        return Judged(False, "wrong_answer")
    return SOUND if episode.score == 1.0 else None


def _read(seen: Mapping[str, Any]) -> list[str]:
    """The sources that an observation shows."""
    return [source for source, field in _SHOWS.items() if seen.get(field) is not None]


def _outlook(task: Task, seen: Seen, act: Act) -> tuple[float, str | None]:
    ledger = Ledger(task, _read(seen), steps=seen["step_count"])
    event = carry_out(ledger, action_from(act))
    ledger.steps += 1
    ledger.invalid += event.invalid
    if not ledger.over:
        _go_on(ledger)
    return strict.score(ledger), event.error


def _go_on(ledger: Ledger) -> None:
    """Read the rest where a step can be spared for it, and submit what is right."""
    case = case_of(ledger.task)
    if case.max_steps - ledger.steps > 1:
        ledger.read = list(SOURCES)
    names = {
        field: [one.names[0] for one in case.findings if one.component == part]
        for part, field in FIELDS.items()
    }
    answer = RxAction(
        SUBMIT,
        dosage_safe=case.dosage_safe,
        recommendation=case.recommendation,
        **names,  # type: ignore[arg-type]
    )
    ledger.submit(answer)


def _fits(step: TrajectoryStep, there: TrajectoryStep) -> bool:
    """Both know as much of the record."""
    return _read(step.observation) == _read(there.observation)


def _near(act: Act, other: Act) -> int:
    """Those that look at the same, or recommend the same, before others."""
    same = ("info_requested", "recommendation", "dosage_safe")
    return 1 + sum(act.get(name) == other.get(name) for name in same)


def _alone(name: str, case: RxCase | None) -> bool:
    return False


def _why(case: RxCase, step: TrajectoryStep, complaint: str | None) -> str:
    if complaint is not None:
        return f"it can't be carried out: {complaint}"
    act = action_from(step.action)
    if act.action_type == REQUEST:
        return "it leaves too few steps"
    return "; ".join(_reasons(case, act)) or "not all of the record was read"


def _reasons(case: RxCase, act: RxAction) -> Iterator[str]:
    """What is wrong with an answer."""
    judged = judge(case, act)
    doses = [one for one in case.findings if one.component == "dose"]
    if judged.dose is not case.dosage_safe:
        told = "; ".join(one.reason.rstrip(".") for one in doses)
        yield f"the dose is not safe: {told}" if doses else "the dose is safe"
    for named in judged.named.values():
        for at in named.wanted:
            if at not in named.found:
                one = case.findings[at]
                yield f"{one.names[0]} is missing: {one.reason.rstrip('.')}"
        for name in named.false:
            yield f"{name} is no finding{_because(case, name)}"
    if credit(case, act.recommendation) < 1:
        yield f"the recommendation is {case.recommendation}: {ground(case).rstrip('.')}"
    if not dangerous(case) and items(case, judged).flags:
        yield "nothing is wrong with the prescription"


def _because(case: RxCase, name: str) -> str:
    keys = keys_of(name)
    for decoy in case.decoys:
        if any(keys & keys_of(one) for one in decoy.names):
            return f": {decoy.reason.rstrip('.')}"
    return ""


def _merit(case: RxCase, step: TrajectoryStep) -> str:
    act = action_from(step.action)
    if act.action_type == REQUEST:
        return "it shows a part of the record that was not read before."
    return " ".join(_merits(case, act))


def _merits(case: RxCase, act: RxAction) -> Iterator[str]:
    """What is right with an answer, each finding with its authority and the words it rests on."""
    judged = judge(case, act)
    doses = [at for at, one in enumerate(case.findings) if one.component == "dose"]
    right = [at for named in judged.named.values() for at in named.found]
    if judged.dose is case.dosage_safe:
        if not doses:
            yield "The dose is safe."
        right = [*doses, *right]
    for at in right:
        one = case.findings[at]
        told = one.names[0] if one.names else "The dose is not safe"
        words = quoted(span.text for span in one.evidence)
        because = f"{clause(one.reason)} ({named_authority(one.authority)})"
        yield f"{told}: {because}." + (f' The record has "{words}".' if words else "")
    if not case.findings:
        yield "Nothing is wrong with the prescription."
    if credit(case, act.recommendation) == 1:
        yield f"The recommendation {act.recommendation} is right: {ground(case).rstrip('.')}."


LESSONS = Lessons(
    _VOICES, _FOLLOWS, _mistake, _judged, _outlook, _same, _fits, _near, _alone, _why, _merit
)
