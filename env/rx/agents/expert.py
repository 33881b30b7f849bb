"""The agent that knows the answer, and comes to it as a pharmacist would, a reason at each step."""

from __future__ import annotations

from dataclasses import dataclass

from casegen.schemas.pack import Task
from casegen.schemas.rx_case import Component, RxCase, RxDecoy, RxFinding
from casegen.schemas.rx_play import RxObservation

from ..case import FIELDS, case_of, ground
from .reasons import Reasons, Words, clause, named, quoted
from .script import Move, Script, Scripted, ask, requests, submit

_MOST_PASSED = 2  # decoys that are told of at the end


@dataclass(frozen=True, slots=True)
class Believed:
    """What one takes for the answer, and the label of what is wrong in it."""

    dosage_safe: bool
    findings: tuple[RxFinding, ...]
    passed: tuple[RxDecoy, ...]
    recommendation: str
    rationale: str | None
    mistake: str | None = None


def expert(task: Task, seed: int) -> Scripted:
    """Asks for the record part by part, says what it holds, and submits each finding with the
    authority behind it, and why what looks wrong is passed over."""
    case = case_of(task)
    return judged(case, truth(case))


def truth(case: RxCase) -> Believed:
    """The answer of a case."""
    return Believed(
        case.dosage_safe,
        tuple(case.findings),
        tuple(case.decoys),
        case.recommendation,
        ground(case),
    )


def judged(case: RxCase, believed: Believed) -> Scripted:
    """Judges as is believed in the voice of the expert; the answer that holds an error bears its
    label."""

    def script(observation: RxObservation) -> Script:
        reasons = Reasons(observation)
        seen = observation
        for source in requests(observation.max_steps):
            seen = yield Move(ask(source), reasons.asking(source, seen))
        why = _why(reasons, believed)
        pairs: dict[Component, list[str]] = {
            part: [one.names[0] for one in believed.findings if one.component == part]
            for part in FIELDS
        }
        act = submit(case.task, believed.dosage_safe, pairs, believed.recommendation, why)
        yield Move(act, why, believed.mistake)

    return Scripted(script)


def _why(reasons: Reasons, believed: Believed) -> str:
    texts = []
    doses = [one for one in believed.findings if one.component == "dose"]
    if believed.dosage_safe:
        texts.append(reasons.say("dose_right", 0, {}))
    texts += [reasons.say("dose_wrong", at, _words(one)) for at, one in enumerate(doses)]
    others = [one for one in believed.findings if one.component != "dose"]
    texts += [reasons.say(one.component, at, _words(one)) for at, one in enumerate(others)]
    if not others:
        texts.append(reasons.say("nothing", 0, {}))
    for at, decoy in enumerate(believed.passed[:_MOST_PASSED]):
        words: Words = {
            "quote": quoted(span.text for span in decoy.evidence),
            "because": clause(decoy.reason),
            "authority": named(decoy.authority),
            "pair": decoy.names[0] if decoy.names else decoy.pair[-1],
        }
        texts.append(reasons.say("passed", at, words))
    because = None if believed.rationale is None else clause(believed.rationale)
    texts.append(reasons.say(believed.recommendation, 0, {"because": because}))
    return " ".join(texts)


def _words(one: RxFinding) -> Words:
    return {
        "quote": quoted(span.text for span in one.evidence),
        "because": clause(one.reason),
        # What the reason says already is not said again.
        "effect": None if one.effect in one.reason else one.effect,
        "manage": None if one.management in one.reason else one.management,
        "authority": named(one.authority),
    }
