"""What a case is made of, without names, dates or wording."""

from __future__ import annotations

from hashlib import blake2b

from casegen.schemas import Finding

from .chart.model import Problem


def condition_of(problem: Problem) -> str:
    """``condition.value[attribute=value,...]`` as it stands in a case's ``conditions``."""
    attributes = problem.attributes
    if not attributes:
        return problem.origin
    told = ",".join([f"{name}={value}" for name, value in sorted(attributes.items())])
    return f"{problem.origin}[{told}]"


def structural_key(conditions: list[str], codes: list[str], findings: list[Finding]) -> str:
    """What a case is made of, without wording: a digest of its sorted conditions, codes and
    errors."""
    errors = sorted([f"{f.error_type}:{f.code}" for f in findings])
    parts = "\x00".join(["\n".join(part) for part in (conditions, sorted(codes), errors)])
    return blake2b(parts.encode(), digest_size=16).hexdigest()
