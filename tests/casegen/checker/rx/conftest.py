"""A short way to write a prescription with its record, and to judge it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

import pytest

from casegen.checker.rx import Report, check
from casegen.schemas.rx_case import Prescription, RxFact

ON = date(2026, 5, 4)
Judge = Callable[..., Report]


def judge(
    drug: str,
    dose: str,
    frequency: str,
    indication: str = "",
    *,
    starting: bool = True,
    route: str = "",
    form: str = "",
    age: float | None = 55,
    weight: str = "",
    takes: Sequence[tuple[str, ...]] = (),
    stopped: Sequence[str] = (),
    allergic: Mapping[str, str] | None = None,
    intolerant: Mapping[str, str] | None = None,
    ill: Sequence[str] = (),
    had: Sequence[str] = (),
    labs: Mapping[str, str] | None = None,
    weeks: str | None = None,
) -> Report:
    """``age`` in years; ``takes``: drug, dose, frequency and, if need be, route."""
    facts: list[RxFact] = []

    def add(kind: Any, term: str, status: Any = "active", **told: str) -> None:
        facts.append(RxFact(f"f{len(facts)}", kind, term, status, told, "conditions", []))

    if age is not None:
        add("age", str(int(age * 12)))
    if weight:
        add("weight", weight)
    if weeks is not None:
        add("pregnancy", weeks)
    for name, much, often, *way in takes:
        add("medication", name, dose=much, frequency=often, route=way[0] if way else "")
    for name in stopped:
        add("medication", name, "stopped")
    for allergen, reaction in (allergic or {}).items():
        add("allergy", allergen, reaction=reaction)
    for allergen, reaction in (intolerant or {}).items():
        add("intolerance", allergen, reaction=reaction)
    for code in ill:
        add("condition", code)
    for code in had:
        add("condition", code, "history")
    for name, value in (labs or {}).items():
        add("lab", name, value=value)
    written = Prescription("rx-1", drug, dose, frequency, route, form, indication, starting)
    return check(written, facts, ON)


@pytest.fixture(name="judge", scope="session")
def judge_fixture() -> Judge:
    return judge


def told(report: Report) -> list[tuple[str, str]]:
    """Component and problem of each finding."""
    return [(one.component, one.problem) for one in report.findings]


@pytest.fixture(name="told", scope="session")
def told_fixture() -> Callable[[Report], list[tuple[str, str]]]:
    return told


def clean(report: Report) -> bool:
    """Nothing is found, and nothing that would decide is left open."""
    return (
        report.recommendation == "approve"
        and not report.findings
        and report.dosage_safe
        and not any(one.decides for one in report.open)
    )


@pytest.fixture(name="clean", scope="session")
def clean_fixture() -> Callable[[Report], bool]:
    return clean
