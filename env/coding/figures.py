"""What an evaluation tells of coding: scores by rule in play, and how good the codes were."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casegen.schemas.coding_case import CodingCase

from ..figures import Counts, Figures


def _kinds(case: CodingCase) -> frozenset[str]:
    return frozenset(case.kinds)


def _counts(case: CodingCase, metrics: Mapping[str, Any]) -> Counts:
    found = metrics.get("codes_found", 0)
    return Counts(metrics.get("codes_named", 0), found, len(case.gold()), found)


FIGURES = Figures("kind", "plain", "code", _kinds, _counts)
