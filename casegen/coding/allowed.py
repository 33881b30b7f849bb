"""The closed set of codes: the right ones, accepted alternates, and wrong ones near them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..accident import AccidentError
from .model import Candidate, Given, Work
from .words import is_half
from .wrong.axes import less_said, other_sevenths, other_sides, unsure
from .wrong.excluded import neighbours, partners
from .wrong.kin import others_alike, vaguer
from .wrong.past import past
from .wrong.tempting import drug_turned, overlooked, symptoms
from .wrong.told import presumed, uncoded

TOO_FEW = "too few wrong codes near the right ones"
_NEAR: tuple[Callable[[Work, Given], Iterator[Candidate]], ...] = (
    other_sides, less_said, other_sevenths, others_alike, partners, overlooked, symptoms,
    drug_turned, presumed, vaguer, past,
)  # fmt: skip

# What nobody wrote of is wrong for the plainest of reasons: other ways go before it.
_UNTOLD = "not_documented"
# Long-term use of insulin, where the list of drugs may hold insulin for a code that needs no more.
_INSULIN = "Z79.4"
# What a tumor may be coded as while nobody says whether it is still treated.
_EITHER = ("C", "D0", "Z08", "Z17", "Z85", "Z90")


@dataclass(slots=True)
class Chosen:
    """The wrong codes of a case; alternates stand with the right ones."""

    wrong: list[Candidate]


def choose(work: Work, low: int, high: int) -> Chosen:
    """Wrong codes so that the set has ``low`` to ``high`` codes and at least twice the right
    ones. Raises AccidentError where there are too few near ones."""
    right = [given.code for given in work.given]
    work.taken.update(right)
    if work.drawn.open is not None and work.drawn.open.kind == "treatment_unclear":
        work.barred = _EITHER
    for given in work.given:
        work.taken.update(unsure(work, given))
    wanted = max(work.lane.between(low, high), 2 * len(right))
    if any("insulin" in d for p in work.drawn.chart.problems for d in p.wording.drugs):
        work.taken.add(_INSULIN)
    wrong: list[Candidate] = []
    for candidate in uncoded(work):
        _join(work, wrong, candidate)
    sources = [_neighbours(work, given) for given in work.lane.shuffled(work.given)]
    alternates = 0
    later: list[Candidate] = []
    while sources:
        for source in list(sources):
            if len(right) + alternates + len(wrong) >= wanted:
                return Chosen(wrong)
            found = next(source, None)
            if found is None:
                sources.remove(source)
            elif _accept(work, found):
                alternates += 1
            elif found.kind == _UNTOLD and _enough(wrong):
                later.append(found)
            else:
                _join(work, wrong, found)
    for found in later:
        if len(right) + alternates + len(wrong) >= wanted:
            break
        _join(work, wrong, found)
    if len(right) + alternates + len(wrong) < max(low, 2 * len(right)):
        raise AccidentError(TOO_FEW)
    return Chosen(wrong)


def _enough(wrong: list[Candidate]) -> bool:
    """Whether a third of the wrong codes are such as the record does not tell of."""
    return 3 * sum(one.kind == _UNTOLD for one in wrong) >= len(wrong)


def _neighbours(work: Work, given: Given) -> Iterator[Candidate]:
    """The near codes of one right code, its ways of being wrong in turn, and where these are
    used up codes of the categories beside it."""
    ways = [near(work, given) for near in work.lane.shuffled(_NEAR)]
    while ways:
        for way in list(ways):
            candidate = next(way, None)
            if candidate is None:
                ways.remove(way)
            else:
                yield candidate
    yield from neighbours(work, given)


def _join(work: Work, wrong: list[Candidate], candidate: Candidate) -> None:
    if work.free(candidate.code):
        work.taken.add(candidate.code)
        wrong.append(candidate)


def _accept(work: Work, candidate: Candidate) -> bool:
    """Take a code that is half right, whatever brought it, as an alternate of its right one."""
    tables = work.world.tables
    if not work.free(candidate.code):
        return False
    given = next((g for g in work.given if is_half(tables, candidate.code, g.code)), None)
    if given is None:
        return False
    work.taken.add(candidate.code)
    given.alternates.append(candidate.code)
    return True
