"""The honest agent on a bad day: its errors come at set rates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from casegen.env.writing.words import listed
from casegen.randomness import Lane
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditObservation

from ..acts import ERROR_TYPES
from .judge import Judge, Suspect
from .passages import of_reader
from .reasons import Reasons
from .rules import investigate, suspected
from .script import Move, Script, Scripted, submit

_REASON = "This code does not look right."


@dataclass(frozen=True, slots=True)
class Noise:
    """How often, in per cent, it errs.

    Of each suspect: it is missed (``missed``); the other member of its pair is named, though
    it is the one that stays (``wrong_member``); a code that is not on the claim is named
    before it (``invented``). Of each injury that is not suspected: its phase of care is taken
    for wrong (``wrong_phase``). Of each audit: some other code is flagged (``false_alarm``).
    """

    missed: int = 15
    wrong_member: int = 15
    invented: int = 10
    wrong_phase: int = 15
    false_alarm: int = 30


def noisy(task: Task, seed: int) -> Scripted:
    """``rules`` with the errors of ``Noise``, drawn from the seed and labelled."""
    lane = Lane((), ("agent/noisy", seed, 0), "noise")

    def script(observation: AuditObservation) -> Script:
        judge = Judge(observation)
        reasons = Reasons(observation, of_reader(judge.reader, judge.titles))
        suspects = yield from investigate(judge, reasons)
        missed = []
        for one in disturbed(suspects, judge, lane, Noise()):
            if one.mistake == "missed_error":
                missed.append(one.suspect.code)
            elif one.mistake is None:
                yield from reasons.doing(suspected(reasons, one.suspect))
            else:
                yield from reasons.doing(_mistaken(reasons, one.suspect, one.mistake))
        if not missed:
            yield reasons.hand_in()
            return
        yield Move(
            submit(), reasons.say("missed_error", {"missed": listed(missed)}), "missed_error"
        )

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
            invented = replace(suspect, code=_invented(suspect.code, lane))
            if invented.code not in judge.titles:
                yield Disturbed(invented, "invented_code")
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
            phase = Suspect(code, "specificity_error", "The phase of care does not look right.")
            yield Disturbed(phase, "wrong_phase")
            named.add(code)
    free = [code for code in free if code not in named]
    if free and lane.chance(noise.false_alarm, 100):
        alarm = Suspect(lane.pick(free), lane.pick(ERROR_TYPES), _REASON)
        yield Disturbed(alarm, "false_alarm")


def _mistaken(reasons: Reasons, suspect: Suspect, mistake: str) -> Move:
    """A flag that is wrong on purpose, with what one would say who makes that error."""
    words = {
        **reasons.of_code(suspect.code),
        "related": suspect.related,
        "kind": suspect.error_type,
    }
    return Move(suspect.act(), reasons.say(mistake, words), mistake)


def _invented(code: str, lane: Lane) -> str:
    """A code like another, of which the claim knows nothing."""
    return f"{code[:-1]}{lane.below(10)}{lane.below(10)}"
