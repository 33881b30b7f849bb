"""The honest agent on a bad day: its errors come at set rates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from casegen.randomness import Lane
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditObservation

from .cues import speaks_of
from .judge import Judge, Suspect, clash, denied, other_side
from .passages import of_reader
from .reasons import Reasons
from .rules import investigate, suspected
from .script import Script, Scripted


@dataclass(frozen=True, slots=True)
class Noise:
    """How often, in per cent, it errs.

    Of each suspect: it is missed (``missed``); the other member of its pair is named, though
    it is the one that stays (``wrong_member``); a code that is not on the claim is named
    before it (``invented``). Of each injury that is not suspected: its phase of care is taken
    for wrong (``wrong_phase``). Of each audit: a line is flagged to which a note or an edit nearly
    applies (``false_alarm``).
    """

    missed: int = 15
    wrong_member: int = 15
    invented: int = 10
    wrong_phase: int = 20
    false_alarm: int = 35


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
    for code in judge.titles:
        told = judge.told.get(code)
        if code in named or told is None or not told.seventh:
            continue
        phase = "healing" if "initial" in told.seventh else "active"
        if speaks_of(phase, judge.seen.clinical_note) and lane.chance(noise.wrong_phase, 100):
            reason = f"The note tells of {phase} care, and {code} is of {told.seventh}."
            yield Disturbed(Suspect(code, "specificity_error", reason), "wrong_phase")
            named.add(code)
    alarms = [one for one in near_misses(judge) if not {one.code, one.related} & named]
    if alarms and lane.chance(noise.false_alarm, 100):
        yield Disturbed(lane.pick(alarms), "false_alarm")


def near_misses(judge: Judge) -> Iterator[Suspect]:
    """Errors that nearly are some, as who does not read to the end takes for them: an Excludes1
    pair that the note sets apart, an NCCI edit that a modifier lifts, and a side that the note
    names, of something else."""
    for code, told in judge.told.items():
        for other in told.clashes:
            if other in judge.titles and other != code:
                yield clash(code, other)
        note = judge.seen.clinical_note.lower()
        for side, right in told.sides.items():
            if told.side in ("right", "left") and re.search(rf"\b{side}\b", note):
                yield other_side(code, told.side, side, right)
    for (one, other), pair in judge.pairs.items():
        if pair.binds and pair.indicator == 1:
            yield denied(other if pair.denied == one else one, pair)


def _invented(code: str, lane: Lane) -> str:
    """A code that differs from one of the claim in its last character."""
    others = [digit for digit in "0123456789" if digit != code[-1]]
    return f"{code[:-1]}{lane.pick(others)}"
