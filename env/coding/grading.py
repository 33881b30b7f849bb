"""How a draft is graded. Pure functions of the case and the draft.

``grade`` is the documented grader; ``matched`` tells which code of a draft stands for which of
the answer, for the score of profile ``strict``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from casegen.env.codes import fold
from casegen.schemas.coding_case import CodingCase, GoldCode

from .draft import Draft

EXACT, ALTERNATE, FAMILY = 0.60, 0.50, 0.30
SECONDARY, REVIEW = 0.25, 0.15
EXTRA, MOST_EXTRA = 0.05, 0.15
CATEGORY = 3  # characters of a code that name its family
HALF = 0.5  # of the credit: for an accepted alternate, for the right code in the wrong place


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade by its parts; ``score`` is their sum, in [0, 1]. ``found`` of ``wanted`` secondary
    codes were found; ``extras`` counts those that nothing supports."""

    primary: float
    secondary: float
    review: float
    penalty: float
    found: float
    wanted: int
    extras: int

    @property
    def score(self) -> float:
        """The sum of the parts, not below 0 nor above 1."""
        total = self.primary + self.secondary + self.review - self.penalty
        return min(1.0, max(0.0, round(total, 9)))


NOTHING = Grade(0.0, 0.0, 0.0, 0.0, 0.0, 0, 0)


def grade(case: CodingCase, draft: Draft) -> Grade:
    """The documented grade: up to 0.60 for the primary code, 0.25 for the secondary codes, 0.15
    for the review flag, less 0.05 for each extra up to 0.15. A draft without codes has none."""
    if draft.empty:
        return NOTHING
    found, extras = _secondary(case, draft)
    wanted = len(case.secondary)
    return Grade(
        primary=_primary(case.primary, draft.primary),
        secondary=SECONDARY * (found / wanted if wanted else 1.0),
        review=REVIEW if draft.needs_review == case.needs_review else 0.0,
        penalty=min(MOST_EXTRA, EXTRA * extras),
        found=found,
        wanted=wanted,
        extras=extras,
    )


def _primary(gold: GoldCode, code: str) -> float:
    if not code:
        return 0.0
    share = quality(gold, code)
    if share == 1:
        return EXACT
    if share:
        return ALTERNATE
    return FAMILY if fold(code)[:CATEGORY] == fold(gold.code)[:CATEGORY] else 0.0


def _secondary(case: CodingCase, draft: Draft) -> tuple[float, int]:
    """How many secondary codes of the answer are found, an accepted alternate counting half, and
    how many codes of the draft are none of them. A code that is named twice is found once."""
    pairs = _pairs(list(_options(case.secondary, draft.secondary)))
    return sum(one.credit for one in pairs), len(draft.secondary) - len(pairs)


def quality(gold: GoldCode, code: str) -> float:
    """How well a code says what that of the answer says: 1, one half for an alternate, or 0."""
    return worths_of(gold).get(fold(code), 0.0)


def worths_of(gold: GoldCode) -> dict[str, float]:
    """The folded codes that say what that of the answer says, and how well."""
    return _worths((gold.code, *gold.equivalents), tuple(gold.alternates))


@lru_cache(maxsize=512)
def _worths(right: tuple[str, ...], half: tuple[str, ...]) -> dict[str, float]:
    """The same of codes; not to be changed. An episode asks again and again for those of one
    answer."""
    return {fold(code): HALF for code in half} | {fold(code): 1.0 for code in right}


class Pair(NamedTuple):
    """A code of the answer, the code of the draft that stands for it, and its credit."""

    gold: int
    draft: int
    credit: float


def matched(case: CodingCase, draft: Draft) -> list[Pair]:
    """Which code of a draft stands for which of the answer, both counted from the primary code;
    a draft without one begins at 1. A code in the wrong place, the primary code among the
    secondary ones or the other way round, has half of its credit."""
    options = [
        one if (one.gold == 0) == (one.draft == 0) else one._replace(credit=one.credit * HALF)
        for one in _options(case.gold(), (draft.primary, *draft.secondary))
    ]
    return _pairs(options)


def _options(golds: list[GoldCode], codes: tuple[str, ...]) -> Iterator[Pair]:
    """Each pair of codes of which one says what the other does."""
    folded = [fold(code) for code in codes]
    for g, gold in enumerate(golds):
        worths = worths_of(gold)
        for d, code in enumerate(folded):
            if code in worths:
                yield Pair(g, d, worths[code])


def _pairs(options: list[Pair]) -> list[Pair]:
    """Each code of the answer with one of the draft at most, and the other way round, the
    highest credits first."""
    chosen: list[Pair] = []
    golds: set[int] = set()
    drafts: set[int] = set()
    for one in sorted(options, key=lambda one: -one.credit):
        if one.gold not in golds and one.draft not in drafts:
            chosen.append(one)
            golds.add(one.gold)
            drafts.add(one.draft)
    return chosen
