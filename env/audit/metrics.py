"""What an episode looked like, told when it is over."""

from __future__ import annotations

from typing import Any

from casegen.env.codes import fold

from .ledger import Flag, Ledger, findings_at, mended, names


def metrics(ledger: Ledger) -> dict[str, Any]:
    """Figures of a finished episode. Shares are in [0, 1]; where there is nothing to share they
    are 1.0, but for the precision of an audit that flags nothing on a wrong claim, which is 0.0.

    - ``trajectory_length``: steps; ``tool_failure_rate``: invalid acts a step, at most 1.
    - ``investigation_coverage``: codes queried or checked in a pair, of all.
    - ``flag_precision``: right flags of all, those on codes outside of the claim among them;
      ``flag_recall``: findings named, of all.
    - ``avg_reward_per_step``; ``clarification_count``: questions asked.
    - ``investigation_before_flag_rate``: flags on a code that had been investigated, of all.
    - ``invalid_acts``, ``flags``, ``findings_named``.
    - ``suggestions_right``, ``relations_right``: right flags with the right suggested or
      related code; they earn nothing. A modifier counts alone (``59``) as with its code.
    """
    findings, flags = ledger.case.findings, ledger.flags
    right = [flag for flag in flags if any(names(flag, f) for f in findings)]
    found = [f for f in findings if any(names(flag, f) for flag in flags)]
    made = len(flags) + ledger.foreign
    return {
        "trajectory_length": ledger.steps,
        "tool_failure_rate": min(1.0, _share(ledger.invalid, ledger.steps)),
        "investigation_coverage": ledger.share_investigated(),
        "flag_precision": _share(len(right), made) if made else float(not findings),
        "flag_recall": _share(len(found), len(findings)),
        "avg_reward_per_step": sum(ledger.rewards) / max(1, ledger.steps),
        "investigation_before_flag_rate": _share(
            sum(flag.investigated for flag in flags), len(flags)
        ),
        "clarification_count": len(ledger.asked),
        "invalid_acts": ledger.invalid,
        "flags": len(flags),
        "findings_named": len(found),
        "suggestions_right": sum(_suggested(ledger, flag) for flag in right),
        "relations_right": sum(_related(ledger, flag) for flag in right),
    }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _suggested(ledger: Ledger, flag: Flag) -> bool:
    given = flag.suggested_code
    return given is not None and any(
        names(flag, finding) and fold(given) == fold(right)
        for finding in findings_at(ledger.case, flag.code)
        for right in (mended(finding.correction), finding.correction.replacement)
        if right is not None
    )


def _related(ledger: Ledger, flag: Flag) -> bool:
    given = flag.related_code
    return given is not None and any(
        names(flag, f) and fold(given) != fold(flag.code)
        and any(fold(given) == fold(code) for code in f.accepted_codes)
        for f in findings_at(ledger.case, flag.code)
    )  # fmt: skip
