"""What an episode looked like, told when it is over."""

from __future__ import annotations

from typing import Any

from .grading import approved_dangerous, items
from .ledger import Ledger


def metrics(ledger: Ledger) -> dict[str, Any]:
    """Figures of a finished episode. Shares are in [0, 1]; where there is nothing to share they
    are 1.0, but for the precision of an answer without flags on a dangerous prescription, 0.0.

    - ``trajectory_length``: steps; ``tool_failure_rate``: invalid acts a step, at most 1.
    - ``avg_reward_per_step``; ``invalid_acts``; ``repeated_requests``.
    - ``sources_read``: of the three; ``submitted``: whether there was an answer.
    - ``flags``: what the answer calls wrong; ``items_found`` of ``items_wanted``: an unsafe dose
      is one, each other finding one; ``flag_precision``, ``flag_recall``: the same as shares.
    - ``dosage_right``: whether the dose was judged rightly.
    - ``recommendation_credit``: 1, 0.6 for modify or reject in the other's place, or 0;
      ``approved_dangerous``: whether a prescription that is not right was approved.
    """
    case, answer, judged = ledger.case, ledger.answer, ledger.judged
    counted = items(case, judged)
    none = 0.0 if counted.wanted else 1.0
    return {
        "trajectory_length": ledger.steps,
        "tool_failure_rate": min(1.0, ledger.invalid / max(1, ledger.steps)),
        "avg_reward_per_step": sum(ledger.rewards) / max(1, ledger.steps),
        "invalid_acts": ledger.invalid,
        "repeated_requests": ledger.repeated,
        "sources_read": len(ledger.read),
        "submitted": answer is not None,
        "flags": counted.flags,
        "items_found": counted.found,
        "items_wanted": counted.wanted,
        "flag_precision": counted.found / counted.flags if counted.flags else none,
        "flag_recall": counted.found / counted.wanted if counted.wanted else 1.0,
        "dosage_right": answer is not None and answer.dosage_safe is case.dosage_safe,
        "recommendation_credit": 0.0 if judged is None else judged.recommendation,
        "approved_dangerous": approved_dangerous(case, answer),
    }
