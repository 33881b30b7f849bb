"""The honest agent on a bad day: its errors come at set rates, and are labelled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from casegen.randomness import Lane
from casegen.schemas.pack import Task
from casegen.schemas.rx_play import RxObservation

from .dosing import Wrong
from .judge import Judgment, judge
from .said import Said, told
from .script import Script, Scripted


@dataclass(frozen=True, slots=True)
class Noise:
    """How often, in per cent, it errs where it can: a finding is passed over
    (``missed_finding``), what was let pass is called a finding (``false_finding``), the dose is
    judged the wrong way round (``dose_missed``, ``dose_false``), or another recommendation is
    given than follows (``wrong_recommendation``). One error at most is made."""

    missed_finding: int = 30
    false_finding: int = 25
    dose_missed: int = 35
    dose_false: int = 12
    wrong_recommendation: int = 15


def noisy(task: Task, seed: int) -> Scripted:
    """``rules`` with the errors of ``Noise``, drawn from the seed and labelled."""
    lane = Lane((), ("agent/noisy", seed, 0), "noise")

    def script(observation: RxObservation) -> Script:
        yield from told(observation, lambda seen: disturbed(judge(seen), lane, Noise()))

    return Scripted(script)


def disturbed(found: Judgment, lane: Lane, noise: Noise) -> Said:
    """A judgment with at most one error in it, and its label."""
    for said in _errors(found, lane):
        if said.mistake and lane.chance(getattr(noise, said.mistake), 100):
            return said
    return Said(found)


def _errors(found: Judgment, lane: Lane) -> Iterator[Said]:
    if found.flags:
        missed = lane.below(len(found.flags))
        flags = found.flags[:missed] + found.flags[missed + 1 :]
        passed = (found.flags[missed], *found.passed)
        yield Said(replace(found, flags=flags, passed=passed), "missed_finding")
    if found.passed:
        taken = found.passed[lane.below(len(found.passed))]
        passed = tuple(one for one in found.passed if one is not taken)
        yield Said(replace(found, flags=(*found.flags, taken), passed=passed), "false_finding")
    if found.dose is not None:
        yield Said(replace(found, dose=None), "dose_missed")
    else:
        wrong = Wrong("it is more than I would give", ())
        yield Said(replace(found, dose=wrong), "dose_false")
    others = [word for word in ("approve", "modify", "reject") if word != found.recommendation]
    yield Said(found, "wrong_recommendation", recommendation=lane.pick(others))
