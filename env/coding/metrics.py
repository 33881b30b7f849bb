"""What an episode looked like, told when it is over."""

from __future__ import annotations

from typing import Any

from .draft import Ledger
from .grading import matched


def metrics(ledger: Ledger) -> dict[str, Any]:
    """Figures of a finished episode. Shares are in [0, 1]; where there is nothing to share they
    are 1.0, but for the precision of a draft without codes, which is 0.0.

    - ``trajectory_length``: steps; ``tool_failure_rate``: invalid acts a step, at most 1.
    - ``avg_reward_per_step``; ``invalid_acts``; ``repeated_drafts``; ``hints_used``.
    - ``codes_named``, those named twice counted twice; ``codes_found`` of ``codes_wanted``: codes
      of the answer for which the draft names them, an equivalent, or an alternate, wherever.
    - ``code_precision``, ``code_recall``: the same as shares.
    - ``primary_right``: whether the primary code is that of the answer or an equivalent;
      ``primary_credit``, ``secondary_credit``: what profile strict counts, of 1 each.
    - ``review_right``: whether the review flag is that of the answer.
    """
    case, draft = ledger.case, ledger.draft
    pairs = matched(case, draft)
    wanted, made = len(case.gold()), len(draft.codes)
    first = sum(one.credit for one in pairs if one.gold == 0)
    rest = sum(one.credit for one in pairs) - first
    return {
        "trajectory_length": ledger.steps,
        "tool_failure_rate": min(1.0, ledger.invalid / max(1, ledger.steps)),
        "avg_reward_per_step": sum(ledger.rewards) / max(1, ledger.steps),
        "invalid_acts": ledger.invalid,
        "repeated_drafts": ledger.repeated,
        "hints_used": ledger.hints,
        "codes_named": made,
        "codes_found": len(pairs),
        "codes_wanted": wanted,
        "code_precision": len(pairs) / made if made else 0.0,
        "code_recall": len(pairs) / wanted,
        "primary_right": first == 1,
        "primary_credit": first,
        "secondary_credit": rest / len(case.secondary) if case.secondary else 1.0,
        "review_right": draft.needs_review == case.needs_review,
    }
