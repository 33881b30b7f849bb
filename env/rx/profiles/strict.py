"""Profile ``strict``: nothing is paid but the last step, and that is the score.

``S × (1 - min(0.2, 0.02 × invalid acts))``. Items are an unsafe dose (one), interactions, allergy
conflicts and contraindications; with b = items/(1 + entries of the record), at most one half:
``S = found/items × max(0, (right/flags - b)/(1 - b))``, × 1 for the right recommendation, 0.6
where modify and reject are taken for each other, 0 else. Of a safe prescription
``S = share of sources read × max(0, 1 - flags/2)`` where it is approved. A flag is whatever the
answer calls wrong; what is tolerated counts neither way; a missing field is wrong.
"""

from __future__ import annotations

from casegen.schemas.rx_case import RxCase
from casegen.schemas.rx_play import RxAction

from ..case import dangerous, entries, ground
from ..event import Event
from ..grading import Judged, approved_dangerous, items, judge
from ..ledger import Ledger

NAME = "strict"
_A_MISTAKE, _MOST_MISTAKES = 0.02, 0.2
_MOST_CHANCE = 0.5


def score(ledger: Ledger) -> float:
    """The score of what was submitted, from 0 to 1."""
    if ledger.judged is None:
        return 0.0
    return worth(ledger.case, ledger.judged, ledger.share_read) * _share(ledger)


def answer(case: RxCase, given: RxAction, read: float) -> float:
    """What an answer is worth by itself; ``read`` is the share of the sources that were read."""
    return worth(case, judge(case, given), read)


def worth(case: RxCase, judged: Judged, read: float) -> float:
    """What an answer is worth that is judged already."""
    right = judged.recommendation
    counted = items(case, judged)
    if not dangerous(case):
        return right * read * max(0.0, 1 - counted.flags / 2)
    if not counted.found:
        return 0.0
    chance = chance_level(case)
    recall, precision = counted.found / counted.wanted, counted.found / counted.flags
    return right * recall * max(0.0, (precision - chance) / (1 - chance))


def chance_level(case: RxCase) -> float:
    """The share of items among the dose and the entries: what flags without sight hit."""
    return min(_MOST_CHANCE, items(case, None).wanted / (1 + entries(case)))


def breakdown(ledger: Ledger) -> dict[str, float]:
    """The parts of the score."""
    case, judged = ledger.case, ledger.judged
    counted = items(case, judged)
    parts = {"investigation": ledger.share_read, "valid_acts": _share(ledger)}
    if judged is not None:
        parts["recommendation"] = judged.recommendation
    if dangerous(case):
        parts["recall"] = counted.found / counted.wanted
        parts["precision"] = counted.found / counted.flags if counted.flags else 0.0
    return parts


def reward(ledger: Ledger, event: Event, score: float) -> float:
    """The last step pays the score, so that the sum of rewards is the score."""
    return score if ledger.over else 0.0


def feedback(ledger: Ledger) -> str:
    """The score in words, told when it is final."""
    case, judged = ledger.case, ledger.judged
    if judged is None:
        return "No answer was submitted."
    counted = items(case, judged)
    told = [
        f"Items found: {counted.found} of {counted.wanted}; flags: {counted.flags}.",
        f"Recommendation: credit {judged.recommendation:g} of 1.",
        f"Sources read: {len(ledger.read)} of 3; acts not carried out: {ledger.invalid}.",
    ]
    if approved_dangerous(case, ledger.answer):
        told.append("A dangerous prescription was approved.")
    told.append(f"Right is {case.recommendation}: {ground(case)}")
    return " ".join(told)


def _share(ledger: Ledger) -> float:
    return 1 - min(_MOST_MISTAKES, _A_MISTAKE * ledger.invalid)
