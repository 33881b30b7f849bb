"""What is wrong and what is right with a draft, in sentences that cite the record and the rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from casegen.env.writing.words import named
from casegen.schemas.coding_case import CodingCase, GoldCode

from .agents.evidence import against, open_words, quotes_of
from .agents.reasons import clause
from .draft import Draft
from .grading import quality

_SETTLED = "nothing in the record is left open that would decide a code."


class Fault(NamedTuple):
    """One thing that is wrong with what a draft brings: a label, and why."""

    label: str
    why: str


def faults(case: CodingCase, before: Draft, after: Draft) -> Iterator[Fault]:
    """What is wrong with what a draft brings: wrong codes by their kind, codes that say less
    (``less_specific``), what goes first (``order_swapped``), and the review flag
    (``review_wrong``, ``review_missed``)."""
    brought = [code for code in after.codes if code not in before.codes]
    gold = case.gold()
    for wrong in case.wrong:
        if wrong.code in brought:
            near = next((one for one in gold if one.code == wrong.gold), None)
            why = f"{wrong.code} is wrong: {clause(wrong.reason)} ({named(wrong.authority)})"
            yield Fault(wrong.kind, f"{why}.{_quoted(against(case, wrong))}{_due(case, near)}")
    for code in brought:
        less = next((one for one in gold if 0 < quality(one, code) < 1), None)
        if less is not None:
            why = f"{code} says less than the record."
            told = _quoted(quotes_of(case, less.evidence))
            yield Fault("less_specific", f"{why}{told}{_due(case, less)}")
    first, right = after.primary, case.primary
    misplaced = any(quality(one, first) == 1 for one in gold) and quality(right, first) < 1
    if first != before.primary and misplaced:
        told = _quoted(quotes_of(case, right.evidence))
        why = f"{first} does not go first; {right.code} does, as {_first(case)}.{told}"
        yield Fault("order_swapped", why)
    if after.needs_review != before.needs_review and after.needs_review != case.needs_review:
        yield Fault("review_wrong", _SETTLED) if after.needs_review else missed(case)


def missed(case: CodingCase) -> Fault:
    """That an open point is passed over."""
    review = case.review
    if review is None:
        return Fault("review_missed", "the record leaves something open.")
    why = f"the record leaves something open: {clause(review.reason)} ({named(review.authority)})"
    return Fault("review_missed", f"{why}.{_quoted(open_words(case, review))}")


def merits(case: CodingCase, before: Draft, after: Draft) -> Iterator[str]:
    """Why what a draft brings is right."""
    for code in after.codes:
        gold = next((one for one in case.gold() if quality(one, code) == 1), None)
        if gold is None or code in before.codes:
            continue
        told = _quoted(quotes_of(case, gold.evidence))
        why = f"{clause(gold.reason)} ({named(gold.authority)})"
        yield f"{code} is right: {why}.{told}"
    review = case.review
    if after.needs_review and not before.needs_review and review is not None:
        why = f"{clause(review.reason)} ({named(review.authority)})"
        yield f"the flag for review is right: {why}.{_quoted(open_words(case, review))}"


def ended(case: CodingCase, draft: Draft) -> str:
    """Why it is right to end with a draft."""
    flag = "the flag for review is set" if case.needs_review else "nothing is left open"
    return f"the draft holds each code that the record calls for and no other, and {flag}."


def _first(case: CodingCase) -> str:
    """Why the primary code goes first, with the rule."""
    right = case.primary
    return f"{clause(right.reason)} ({named(right.authority)})"


def _due(case: CodingCase, gold: GoldCode | None) -> str:
    """The code that is called for in the place of another."""
    if gold is None:
        return ""
    title = next((one.title for one in case.allowed if one.code == gold.code), "")
    return f" Called for is {gold.code}, {title}."


def _quoted(quotes: list[str]) -> str:
    """Words of the record as a sentence, none where there are none."""
    told = " and ".join(f'"{one}"' for one in quotes)
    return f" The record has {told}." if told else ""
