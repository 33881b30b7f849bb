"""Profile ``strict``: nothing is paid but the last step, and that is the score.

``S × (1 - min(0.2, 0.02 × invalid acts))``. With c credits for ``named`` codes, and b the share
of the answer's codes among the allowed: ``S = recall × max(0, (c/named - b)/(1 - b))``, × 0.8
where the review flag is wrong, × 0.95 for each hint. Recall weighs 0.6 for the primary code and
0.4 for the secondary codes, 1.0 where there are none. A code and its equivalents have the credit
1, an accepted alternate one half, the right code in the wrong place one half, the family none; a
code that is named twice has credit once.
"""

from __future__ import annotations

from casegen.schemas.coding_case import CodingCase
from casegen.schemas.coding_play import RewardBreakdown

from ..draft import Draft, Ledger
from ..event import Event
from ..grading import matched

NAME = "strict"
LIVE = False
PRIMARY = 0.6
WRONG_FLAG, A_HINT = 0.8, 0.95
_A_MISTAKE, _MOST_MISTAKES = 0.02, 0.2


def score(ledger: Ledger) -> float:
    """The score of the draft, from 0 to 1."""
    case, draft = ledger.case, ledger.draft
    share = 1 - min(_MOST_MISTAKES, _A_MISTAKE * ledger.invalid)
    flag = 1.0 if draft.needs_review == case.needs_review else WRONG_FLAG
    return answer(case, draft) * flag * A_HINT**ledger.hints * share


def reward(ledger: Ledger, event: Event, score: float) -> RewardBreakdown:
    """The last step pays the score, so that the sum of rewards is the score."""
    return RewardBreakdown(score, total=score) if ledger.over else RewardBreakdown()


def answer(case: CodingCase, draft: Draft) -> float:
    """What the codes of a draft are worth by themselves."""
    chance = chance_level(case)
    if draft.empty or chance >= 1:
        return 0.0
    pairs = matched(case, draft)
    first = sum(one.credit for one in pairs if one.gold == 0)
    credit = sum(one.credit for one in pairs)
    recall = first
    if case.secondary:
        recall = PRIMARY * first + (1 - PRIMARY) * (credit - first) / len(case.secondary)
    precision = credit / len(draft.codes)
    return recall * max(0.0, (precision - chance) / (1 - chance))


def chance_level(case: CodingCase) -> float:
    """The share of the answer's codes among the allowed: what codes without sight hit."""
    return len(case.gold()) / len(case.allowed) if case.allowed else 1.0


def feedback(ledger: Ledger) -> list[str]:
    """The score of the draft in words, told when it is final."""
    case, draft = ledger.case, ledger.draft
    if draft.empty:
        return ["The draft names no code."]
    pairs = matched(case, draft)
    first = sum(one.credit for one in pairs if one.gold == 0)
    rest = sum(one.credit for one in pairs) - first
    right = draft.needs_review == case.needs_review
    return [
        f"Primary code: credit {first:g} of 1.",
        f"Secondary codes: credit {rest:g} of {len(case.secondary)}.",
        f"Codes named: {len(draft.codes)}, in the answer: {len(case.gold())}.",
        f"Review flag: {'right' if right else f'not right (x {WRONG_FLAG})'}.",
        f"Hints: {ledger.hints}; acts that could not be carried out: {ledger.invalid}.",
    ]
