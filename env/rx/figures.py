"""What an evaluation tells of rx: scores by kind of problem, and how good the flags were.

Its headline is the mean of two means, that of the safe and that of the dangerous prescriptions: an
agent that approves or rejects everything does not profit from how many there are of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casegen.schemas.rx_case import RxCase

from ..figures import Counts, Figures
from .case import dangerous
from .grading import items


def _kinds(case: RxCase) -> frozenset[str]:
    return frozenset(case.kinds)


def _counts(case: RxCase, metrics: Mapping[str, Any]) -> Counts:
    found = metrics.get("items_found", 0)
    return Counts(metrics.get("flags", 0), found, items(case, None).wanted, found)


def _side(case: RxCase) -> str:
    return "dangerous" if dangerous(case) else "safe"


FIGURES = Figures("kind", "plain", "flag", _kinds, _counts, _side)
