"""The honest agent on a bad day: its errors come at set rates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from casegen.randomness import Lane
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditObservation

from ..acts import ERROR_TYPES
from .judge import Judge, Suspect
from .rules import investigate
from .script import Script, Scripted, each

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
    """``rules`` with the errors of ``Noise``, drawn from the seed."""
    lane = Lane((), ("agent/noisy", seed, 0), "noise")

    def script(observation: AuditObservation) -> Script:
        judge = Judge(observation)
        suspects = yield from investigate(judge, observation)
        yield from each(one.act() for one in disturbed(suspects, judge, lane, Noise()))

    return Scripted(script)


def disturbed(suspects: list[Suspect], judge: Judge, lane: Lane, noise: Noise) -> Iterator[Suspect]:
    """Suspects with errors among them."""
    for suspect in suspects:
        if lane.chance(noise.missed, 100):
            continue
        if lane.chance(noise.invented, 100):
            yield replace(suspect, code=_invented(suspect.code, lane))
        if suspect.related is not None and lane.chance(noise.wrong_member, 100):
            suspect = replace(suspect, code=suspect.related, related=suspect.code)
        yield suspect
    named = {code for suspect in suspects for code in (suspect.code, suspect.related)}
    free = [code for code in judge.titles if code not in named]
    for code in free:
        told = judge.told.get(code)
        if told and told.seventh and lane.chance(noise.wrong_phase, 100):
            yield Suspect(code, "specificity_error", "The phase of care does not look right.")
            named.add(code)
    free = [code for code in free if code not in named]
    if free and lane.chance(noise.false_alarm, 100):
        yield Suspect(lane.pick(free), lane.pick(ERROR_TYPES), _REASON)


def _invented(code: str, lane: Lane) -> str:
    """A code like another, of which the claim knows nothing."""
    return f"{code[:-1]}{lane.below(10)}{lane.below(10)}"
