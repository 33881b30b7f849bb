"""What an agent says should stand on the claim instead: nothing that it has not read."""

from __future__ import annotations

from casegen.env.audit.ledger import mended
from casegen.schemas import Finding

from .reasons import Reasons


def proposal(reasons: Reasons, finding: Finding) -> str | None:
    """What should stand there, None where the line goes or nothing that was read names it."""
    right = finding.correction
    if right.replacement is None:
        return None
    if right.action == "add_modifier":
        other = finding.related_code or ""
        read = reasons.shown.lifts(finding.code, other, right.replacement)
    else:
        read = reasons.has_read(right.replacement)
    return mended(right) if read else None


def justification(finding: Finding, proposed: str | None) -> str:
    """Why a finding is one, what is proposed, and on whose authority."""
    authority = finding.authority
    told = _explained(finding, proposed)
    return f"{told} Authority: {authority.reference} ({authority.edition})."


def _explained(finding: Finding, proposed: str | None) -> str:
    """The explanation of a finding, which ends with the right code and its title, up to what was
    read of that."""
    told, right = finding.explanation, finding.correction.replacement
    if right is None:
        return told
    if finding.correction.action == "add_modifier":
        if proposed is None:
            return told.replace(f"without modifier {right}", "without a modifier")
        return f"{told} It should be billed as {proposed}."
    at = told.rfind(right)
    if at < 0:
        return told
    if proposed is not None:
        return f"{told[: at + len(right)]}."
    return f"{told[: max(told.rfind('; ', 0, at), told.rfind('. ', 0, at))]}."
