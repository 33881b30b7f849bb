"""Profile ``seed``: the documented grader, and a reward for each source that is asked for.

A source that is shown for the first time pays 0.05, so that ``full_profile`` pays up to 0.15;
asking again pays nothing. The last act pays the score: the weighted parts of the task. Of pairs
the share that was found counts, less 0.1 for each that is none; modify for reject and the other
way round counts 0.6; a dangerous prescription that is approved has nothing for the
recommendation. Where the steps run out what there is is graded: without an answer nothing but
the investigation.
"""

from __future__ import annotations

from ..case import ground
from ..event import Event
from ..grading import WEIGHTS, approved_dangerous, components
from ..ledger import Ledger

NAME = "seed"
A_SOURCE = 0.05


def score(ledger: Ledger) -> float:
    """The documented grade, from 0 to 1."""
    weights = WEIGHTS[ledger.case.task]
    total = sum(weights[part] * grade for part, grade in components(ledger).items())
    return min(1.0, max(0.0, round(total, 9)))


def breakdown(ledger: Ledger) -> dict[str, float]:
    """The grade of each part of the task, from 0 to 1, before it is weighted."""
    return components(ledger)


def reward(ledger: Ledger, event: Event, score: float) -> float:
    """What an act pays."""
    return round(A_SOURCE * event.new + (score if ledger.over else 0.0), 9)


def feedback(ledger: Ledger) -> str:
    """The grade in words."""
    case, answer = ledger.case, ledger.answer
    weights = WEIGHTS[case.task]
    parts = [
        f"{part} {grade:.2f} of 1 (weight {weights[part]:.2f})"
        for part, grade in components(ledger).items()
    ]
    told = [f"{'; '.join(parts)}."]
    if answer is None:
        told.append("No answer was submitted.")
    else:
        named = () if ledger.judged is None else ledger.judged.named.values()
        false = [name for one in named for name in one.false]
        if false:
            told.append(f"Not there: {', '.join(false)}.")
        if approved_dangerous(case, answer):
            told.append("A dangerous prescription was approved.")
    told.append(f"Right is {case.recommendation}: {ground(case)}")
    return " ".join(told)
