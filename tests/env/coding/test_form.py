"""The form of coding cases that were made elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

import casegen
from casegen.env.caseform import fault_of
from casegen.schemas.serial import case_from, case_line

from .conftest import MEDIUM, documented

Change = Callable[[dict[str, Any]], None]


def put(*place: Any, value: Any) -> Change:
    def change(data: dict[str, Any]) -> None:
        inner: Any = data
        for part in place[:-1]:
            inner = inner[part]
        inner[place[-1]] = value

    return change


def moved(data: dict[str, Any]) -> None:
    span = data["primary"]["evidence"][0]
    span["start"] += 1
    span["end"] += 1


def few(data: dict[str, Any]) -> None:
    """Fewer codes to choose from than twice the right ones."""
    data["allowed"] = [
        one for one in data["allowed"] if one["code"] in ("I12.9", "N18.30", "N18.9")
    ]
    data["wrong"] = []


REVIEW = {
    "kind": "open_side", "reason": "so", "evidence": [],
    "authority": {"source": "guideline", "reference": "x", "edition": "y"},
}  # fmt: skip
FAULTS: list[tuple[Change, str]] = [
    (put("primary", "code", value="E11.9"), "primary.code"),
    (put("primary", "code", value=" "), "primary.code"),
    (put("secondary", 0, "code", value="i12.9"), "secondary[0].code"),
    (put("secondary", 0, "alternates", value=["Q99.9"]), "secondary[0].alternates[0]"),
    (put("primary", "equivalents", value=[""]), "primary.equivalents[0]"),
    (moved, "primary.evidence[0]"),
    (put("allowed", 1, "code", value="I10"), "allowed[1].code"),
    (put("allowed", 0, "code", value="\t"), "allowed[0].code"),
    (few, "allowed"),
    (put("wrong", 0, "code", value="E11.9"), "wrong[0].code"),
    (put("wrong", 0, "code", value="I12.9"), "wrong[0].code"),
    (put("needs_review", value=True), "review"),
    (put("review", value=REVIEW), "review"),
    (put("max_steps", value=1001), "max_steps"),
    (put("patient", "birth_date", value="9999-12-31"), "patient.birth_date"),
]


@pytest.mark.parametrize(("change", "field"), FAULTS)
def test_a_case_that_can_not_be_played_or_graded_is_told_by_its_field(
    change: Change, field: str
) -> None:
    data = orjson.loads(case_line(documented(MEDIUM).case))
    change(data)
    fault = fault_of(case_from(data))
    assert fault is not None
    assert fault.field == field


def test_generated_cases_have_the_form() -> None:
    assert not any(map(fault_of, casegen.make("coding-v0", seed=3).cases(0, 60)))
