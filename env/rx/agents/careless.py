"""The agent that judges like the expert, in its voice, and errs at one place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from casegen.randomness import Lane
from casegen.schemas.pack import Task
from casegen.schemas.rx_case import Component, RxCase, RxDecoy, RxFinding

from ..case import FIELDS, case_of, dangerous
from .expert import Believed, judged, truth
from .script import Scripted

_ASKED = {"modify": "reject", "reject": "modify"}
# Why a finding is passed over, and what is made of the rest.
_EXCUSES: dict[Component, str] = {
    "interaction": "the two may be taken together as long as the patient is watched closely",
    "allergy": "that reaction need not come again with this drug, and it can be tried",
    "contraindication": "it is no reason against the drug here, as long as the patient is watched",
}
_RATIONALES = {
    "approve": "what I have looked at leaves nothing that would have to be changed or refused",
    "modify": "what is wrong with it can be mended, and then it may be dispensed",
    "reject": "what I have found speaks against the drug itself, whatever dose is chosen",
}


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
            passed = (_excused(one), *right.passed)
            yield _erring(replace(right, findings=rest, passed=passed), "missed_finding")
    rest = tuple(one for one in right.findings if one.component != "dose")
    if not case.dosage_safe:
        yield _erring(replace(right, findings=rest, dosage_safe=True), "dose_missed")
    for decoy in right.passed:
        if not decoy.tolerated and decoy.component in FIELDS and decoy.names:
            taken = (*right.findings, _taken(decoy))
            passed = tuple(one for one in right.passed if one is not decoy)
            yield _erring(replace(right, findings=taken, passed=passed), "false_finding")
    word = _ASKED.get(case.recommendation)
    if dangerous(case) and word is not None and word not in case.also_accepted:
        told = _RATIONALES[word]
        yield replace(right, recommendation=word, rationale=told, mistake="wrong_recommendation")


def _erring(believed: Believed, mistake: str) -> Believed:
    """What is believed, with the recommendation that follows from it."""
    word = "approve"
    if believed.findings:
        rejects = any(one.asks == "reject" for one in believed.findings)
        word = "reject" if rejects else "modify"
    told = _RATIONALES[word]
    return replace(believed, recommendation=word, rationale=told, mistake=mistake)


def _excused(one: RxFinding) -> RxDecoy:
    """A finding as what looks wrong and is taken to be right."""
    return RxDecoy(
        kind="watch",
        component=one.component,
        pair=one.pair,
        names=one.names,
        tolerated=False,
        reason=_EXCUSES[one.component],
        authority=[],
        evidence=one.evidence,
    )


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
