"""Profile ``seed``: the documented dense rewards.

An act pays what it adds to the best grade so far, and a penalty for each hint asked for, for
each code outside of the allowed set, for a draft that stood before, and for steps that run out.
"""

from __future__ import annotations

from casegen.schemas.coding_play import RewardBreakdown

from ..draft import Ledger
from ..event import Event
from ..grading import ALTERNATE, EXACT, FAMILY, Grade, grade

NAME = "seed"
LIVE = True
_PRIMARY = {EXACT: "exact", ALTERNATE: "accepted, but less specific", FAMILY: "right family only"}
HINT, OUTSIDE, LOOP, TIMEOUT = -0.05, -0.10, -0.05, -0.10


def score(ledger: Ledger) -> float:
    """The documented grade of the draft."""
    return _grade(ledger).score


def _grade(ledger: Ledger) -> Grade:
    """The documented grade; the draft as it stands is graded once."""
    if ledger.graded is None or ledger.graded[0] is not ledger.draft:
        ledger.graded = ledger.draft, grade(ledger.case, ledger.draft)
    return ledger.graded[1]


def reward(ledger: Ledger, event: Event, score: float) -> RewardBreakdown:
    """What an act pays; ``ledger.best`` is still that of the acts before."""
    delta = round(max(0.0, score - ledger.best), 9)
    hint = HINT if event.hinted else 0.0
    outside = round(OUTSIDE * event.outside, 9) if event.outside else 0.0
    loop = LOOP if event.repeated else 0.0
    timeout = TIMEOUT if ledger.timed_out else 0.0
    total = round(delta + hint + outside + loop + timeout, 9)
    return RewardBreakdown(delta, hint, outside, loop, timeout, total)


def feedback(ledger: Ledger) -> list[str]:
    """The grade of the draft in words. It names no code."""
    if ledger.draft.empty:
        return ["The draft names no code."]
    told = _grade(ledger)
    lines = [
        f"Primary code: {_PRIMARY.get(told.primary, 'not right')} (+{told.primary:.2f}).",
        f"Secondary codes: {told.found:g} of {told.wanted} found (+{told.secondary:.2f}).",
        f"Review flag: {'right' if told.review else 'not right'} (+{told.review:.2f}).",
    ]
    if told.extras:
        lines.append(f"Unsupported secondary codes: {told.extras} (-{told.penalty:.2f}).")
    return lines
