"""The honest agent on a bad day: its errors come at set rates, and are labelled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from casegen.randomness import Lane
from casegen.schemas.coding_play import CodingObservation
from casegen.schemas.pack import Task

from .judge import INTEGRAL, OVER, RULED, UNSURE, Choice, Judgment, judge
from .mentions import Sentence
from .said import Told
from .script import Script, Scripted
from .titles import Title, title_of


@dataclass(frozen=True, slots=True)
class Noise:
    """How often, in per cent, it errs.

    Of each code that has an allowed one of another side beside it: that is taken
    (``wrong_side``); of each with an allowed unspecified one: that is (``less_specific``). Of each
    case: a symptom of an established diagnosis is added (``integral_symptom``); what is ruled
    out, over or uncertain is (``ruled_out_coded``); the first code changes places with another
    (``order_swapped``); the review flag is the wrong way round (``review``).
    """

    wrong_side: int = 25
    less_specific: int = 25
    integral_symptom: int = 30
    ruled_out_coded: int = 30
    order_swapped: int = 20
    review: int = 12


def noisy(task: Task, seed: int) -> Scripted:
    """``rules`` with the errors of ``Noise``, drawn from the seed and labelled."""
    lane = Lane((), ("agent/noisy", seed, 0), "noise")

    def script(observation: CodingObservation) -> Script:
        yield from disturbed(observation, judge(observation), lane, Noise()).script()

    return Scripted(script)


def disturbed(seen: CodingObservation, found: Judgment, lane: Lane, noise: Noise) -> Told:
    """A judgment with errors in it, and their labels."""
    titles = [title_of(code, title) for code, title in seen.code_titles.items()]
    codes, wrong = list(found.codes), {}
    for at, one in enumerate(codes):
        for kind, chance, other in (
            ("wrong_side", noise.wrong_side, _mirrored(one.title, titles)),
            ("less_specific", noise.less_specific, _vague(one.title, titles)),
        ):
            taken = {choice.code for choice in codes}
            if other is not None and other.code not in taken and lane.chance(chance, 100):
                codes[at] = replace(one, title=other)
                wrong[other.code] = kind
                break
    for kind, chance, reasons in (
        ("integral_symptom", noise.integral_symptom, (INTEGRAL,)),
        ("ruled_out_coded", noise.ruled_out_coded, (RULED, OVER, UNSURE)),
    ):
        passed = [code for code, why in found.passed.items() if why.why in reasons]
        passed = [code for code in passed if code not in {choice.code for choice in codes}]
        if passed and lane.chance(chance, 100):
            code = lane.pick(passed)
            codes.append(_added(titles, code, found.passed[code].sentence))
            wrong[code] = kind
    swapped = None
    if len(codes) > 1 and lane.chance(noise.order_swapped, 100):
        at = 1 + lane.below(len(codes) - 1)
        if codes[at].code not in wrong and codes[0].code not in wrong:
            # Whoever takes another code for the first misreads the words on the first one.
            codes[0], codes[at] = replace(codes[at], sentence=codes[0].sentence), codes[0]
            swapped = "order_swapped"
    flag = None
    if lane.chance(noise.review, 100):
        flag = "review_wrong" if found.review is None else "review_missed"
    return Told(seen, Judgment(codes, found.review, found.passed), wrong, swapped, flag)


def _mirrored(title: Title, titles: Iterable[Title]) -> Title | None:
    """The allowed code that says the same of another side."""
    if title.side is None:
        return None
    mine = (title.family, title.words, title.seventh)
    for other in titles:
        same = (other.family, other.words, other.seventh) == mine
        if same and other.side not in (None, title.side):
            return other
    return None


def _vague(title: Title, titles: Iterable[Title]) -> Title | None:
    """The allowed code of the category that says less."""
    if title.vague:
        return None
    for other in titles:
        near = other.code != title.code and other.family == title.family
        if near and other.vague and other.words <= title.words:
            return other
    return None


def _added(titles: Iterable[Title], code: str, sentence: Sentence) -> Choice:
    title = next(one for one in titles if one.code == code)
    return Choice(title, sentence, 0.0, title.words)
