"""The agent that codes like the expert, in its voice, and judges wrongly at one place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from casegen.randomness import Lane
from casegen.schemas.authority import guideline
from casegen.schemas.coding_case import CodingCase, GoldCode
from casegen.schemas.pack import Task

from ..case import case_of
from .expert import Believed, coded, reason_section
from .script import Scripted

# The labels of what is taken for a code of the answer.
_LESS = "less_specific"
_SWAPPED = "order_swapped"
_MISSED = "review_missed"


def careless(task: Task, seed: int) -> Scripted:
    """``expert`` with one error, drawn from the seed and labelled: a code of another side, stage
    or type in the place of the right one, one that says less than the record, two codes in each
    other's place, or an open point passed over. What it quotes stands there; what it makes of it
    is wrong."""
    case = case_of(task)
    lane = Lane((), ("agent/careless", seed, 0), "slip")
    options = list(_errors(case))
    kinds = sorted({label for label, _ in options})
    if not kinds:
        return coded(case, Believed(tuple(case.gold())))
    kind = lane.pick(kinds)
    return coded(case, lane.pick([one for label, one in options if label == kind]))


def _errors(case: CodingCase) -> Iterator[tuple[str, Believed]]:
    """Each error that may be made with this case, with its label."""
    gold = case.gold()
    titles = {one.code: one.title for one in case.allowed}
    for at, one in enumerate(gold):
        for label, code in _taken_for(case, one):
            wrong = replace(one, code=code, reason=_told(one, code, titles))
            yield label, Believed((*gold[:at], wrong, *gold[at + 1 :]), {code: label})
    if len(gold) > 1:
        first, second, *rest = gold
        swapped = (_leading(case, second, titles), _beside(case, first, titles), *rest)
        yield _SWAPPED, Believed(swapped, {second.code: _SWAPPED})
    if case.review is not None:
        yield _MISSED, Believed(tuple(gold), review=_MISSED)


def _taken_for(case: CodingCase, gold: GoldCode) -> Iterator[tuple[str, str]]:
    """The allowed codes for which a code of the answer may be mistaken, with the error's label."""
    for code in gold.alternates:
        yield _LESS, code
    for wrong in case.wrong:
        if wrong.gold == gold.code:
            yield wrong.kind, wrong.code


def _leading(case: CodingCase, code: GoldCode, titles: dict[str, str]) -> GoldCode:
    """A code taken for what the encounter was for, in the words in which that is said."""
    told = f"{code.code} ({titles[code.code]}): the record names it as what the encounter was for."
    return replace(code, reason=told, authority=guideline(reason_section(case)))


def _beside(case: CodingCase, code: GoldCode, titles: dict[str, str]) -> GoldCode:
    """What the encounter was for, taken for what is present beside it."""
    if code.authority.reference != guideline(reason_section(case)).reference:
        return code
    section = "III" if reason_section(case) == "II" else "IV.J"
    told = f"{code.code} ({titles[code.code]}): the record states it as present and cared for."
    return replace(code, reason=told, authority=guideline(section))


def _told(gold: GoldCode, code: str, titles: dict[str, str]) -> str:
    """The reason of the right code as that of another, so far as it names the code."""
    told = gold.reason.replace(gold.code, code)
    return told.replace(titles[gold.code], titles[code])
