"""The agent that judges like the expert, in its voice, and errs at one place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from casegen.randomness import Lane
from casegen.schemas.pack import Task
from casegen.schemas.rx_case import RxCase, RxDecoy, RxFinding

from ..case import FIELDS, case_of, dangerous
from .expert import Believed, judged, truth
from .script import Scripted

_ASKED = {"modify": "reject", "reject": "modify"}


def careless(task: Task, seed: int) -> Scripted:
    """``expert`` with one error, drawn from the seed and labelled: a finding passed over, a decoy
    taken for a finding, an unsafe dose let pass, or a prescription rejected that could be changed
    (and the other way round). What it quotes stands there; what it makes of it is wrong."""
    case = case_of(task)
    lane = Lane((), ("agent/careless", seed, 0), "slip")
    options = list(_errors(case))
    kinds = sorted({one.mistake or "" for one in options})
    if not kinds:
        return judged(case, truth(case))
    kind = lane.pick(kinds)
    return judged(case, lane.pick([one for one in options if one.mistake == kind]))


def _errors(case: RxCase) -> Iterator[Believed]:
    """Each error that may be made with this case."""
    right = truth(case)
    for at, one in enumerate(right.findings):
        if one.component != "dose":
            rest = right.findings[:at] + right.findings[at + 1 :]
            yield replace(right, findings=rest, rationale=None, mistake="missed_finding",
                          recommendation=_following(case, rest))  # fmt: skip
    rest = tuple(one for one in right.findings if one.component != "dose")
    if not case.dosage_safe:
        yield replace(right, findings=rest, dosage_safe=True, rationale=None, mistake="dose_missed",
                      recommendation=_following(case, rest))  # fmt: skip
    for decoy in right.passed:
        if not decoy.tolerated and decoy.component in FIELDS and decoy.names:
            taken = (*right.findings, _taken(decoy))
            passed = tuple(one for one in right.passed if one is not decoy)
            yield replace(right, findings=taken, passed=passed, rationale=None,
                          mistake="false_finding", recommendation="reject")  # fmt: skip
    word = _ASKED.get(case.recommendation)
    if dangerous(case) and word is not None and word not in case.also_accepted:
        yield replace(right, recommendation=word, rationale=None, mistake="wrong_recommendation")


def _following(case: RxCase, findings: tuple[RxFinding, ...]) -> str:
    """What a recommendation follows from findings."""
    if not findings:
        return "approve"
    return "reject" if any(one.asks == "reject" for one in findings) else "modify"


def _taken(decoy: RxDecoy) -> RxFinding:
    """A decoy as the finding for which it is mistaken."""
    what = {"interaction": "interaction", "allergy": "allergy", "contraindication": "condition"}
    return RxFinding(
        component=decoy.component,
        problem=what[decoy.component],  # type: ignore[arg-type]
        pair=decoy.pair,
        names=decoy.names,
        severity="major",
        asks="reject",
        effect="harm to the patient",
        management="choose another drug",
        reason=f"it speaks against {decoy.pair[-1]}",
        authority=[],
        disputed="",
        evidence=decoy.evidence,
    )
