"""What an evaluation tells of audits: scores by type of error, and how good the flags were."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casegen.schemas import Case

from ..figures import Counts, Figures


def _kinds(case: Case) -> frozenset[str]:
    return frozenset(finding.error_type for finding in case.findings)


def _counts(case: Case, metrics: Mapping[str, Any]) -> Counts:
    flags = metrics.get("flags", 0)
    right = metrics.get("flag_precision", 1.0) * flags
    return Counts(flags, right, len(case.findings), metrics.get("findings_named", 0))


FIGURES = Figures("error_type", "clean", "flag", _kinds, _counts)
