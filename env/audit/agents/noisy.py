"""The honest agent on a bad day: its errors come at set rates."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import NamedTuple

from casegen.randomness import Lane
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditObservation

from .judge import Judge, Suspect
from .passages import of_reader
from .reasons import Reasons
from .rules import investigate, suspected
from .script import Script, Scripted, services
from .told import CodeTold, PairTold


@dataclass(frozen=True, slots=True)
class Noise:
    """How often, in per cent, it errs.

    Of each suspect: it is missed (``missed``); the other member of its pair is named, though
    it is the one that stays (``wrong_member``); a code that is not on the claim is named
    before it (``invented``). Of each injury that is not suspected: its phase of care is taken
    for wrong (``wrong_phase``). Of each audit: some other code is flagged, of which it does not
    remember what it was told (``false_alarm``).
    """

    missed: int = 15
    wrong_member: int = 15
    invented: int = 10
    wrong_phase: int = 15
    false_alarm: int = 30


def noisy(task: Task, seed: int) -> Scripted:
    """``rules`` with the errors of ``Noise``, drawn from the seed and labelled. It gives its
    reasons as ``rules`` does."""
    lane = Lane((), ("agent/noisy", seed, 0), "noise")

    def script(observation: AuditObservation) -> Script:
        judge = Judge(observation)
        reasons = Reasons(observation, of_reader(judge.reader, judge.titles))
        suspects = yield from investigate(judge, reasons)
        missed = False
        for one in disturbed(suspects, judge, lane, Noise()):
            if one.mistake == "missed_error":
                missed = True
            else:
                move = suspected(reasons, one.suspect)
                yield from reasons.doing(move._replace(mistake=one.mistake))
        yield reasons.hand_in()._replace(mistake="missed_error" if missed else None)

    return Scripted(script)


class Disturbed(NamedTuple):
    """A suspect, and the label of the error that was made with it."""

    suspect: Suspect
    mistake: str | None = None


def disturbed(
    suspects: list[Suspect], judge: Judge, lane: Lane, noise: Noise
) -> Iterator[Disturbed]:
    """Suspects with errors among them. One that is missed comes with its label, not to be
    flagged."""
    for suspect in suspects:
        if lane.chance(noise.missed, 100):
            yield Disturbed(suspect, "missed_error")
            continue
        if lane.chance(noise.invented, 100):
            code = _invented(suspect.code, lane)
            if code not in judge.titles:
                reason = suspect.reason.replace(suspect.code, code)
                yield Disturbed(replace(suspect, code=code, reason=reason), "invented_code")
        if suspect.related is not None and lane.chance(noise.wrong_member, 100):
            swapped = replace(suspect, code=suspect.related, related=suspect.code)
            yield Disturbed(swapped, "wrong_member")
        else:
            yield Disturbed(suspect)
    named = {code for suspect in suspects for code in (suspect.code, suspect.related)}
    free = [code for code in judge.titles if code not in named]
    for code in free:
        told = judge.told.get(code)
        if told and told.seventh and lane.chance(noise.wrong_phase, 100):
            phase = "healing" if "initial" in told.seventh else "active"
            reason = f"The note tells of {phase} care, and {code} is of {told.seventh}."
            yield Disturbed(Suspect(code, "specificity_error", reason), "wrong_phase")
            named.add(code)
    free = [code for code in free if code not in named and code in judge.told]
    if free and lane.chance(noise.false_alarm, 100):
        alarm = _misremembered(judge, lane.pick(free), lane)
        if alarm is not None:
            yield Disturbed(alarm, "false_alarm")


def _misremembered(judge: Judge, code: str, lane: Lane) -> Suspect | None:
    """What would be suspected of a code if something else had been told of it."""
    memory = copy(judge)
    memory.told = {code: lane.pick(_otherwise(judge, judge.told[code]))}
    memory.pairs = {}
    others = [one for one in services(judge.seen) if one != code]
    if lane.chance(1, 2) and code in services(judge.seen) and others:
        memory.pairs[lane.pick(others), code] = PairTold(True, code, 1)
    return next((one for one in memory.suspects() if one.code == code), None)


def _otherwise(judge: Judge, told: CodeTold) -> list[CodeTold]:
    """What could have been told of a code, and was not."""
    female = judge.seen.patient_demographics["sex"] == "female"
    return [
        replace(told, gone="no release of the code set holds it"),
        replace(told, incomplete=True),
        replace(told, sex="male" if female else "female"),
    ]


def _invented(code: str, lane: Lane) -> str:
    """A code like another, of which the claim knows nothing."""
    return f"{code[:-1]}{lane.below(10)}{lane.below(10)}"
