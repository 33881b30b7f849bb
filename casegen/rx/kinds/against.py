"""What the kinds of contraindication share: rules of a drug on conditions, measures and age."""

from __future__ import annotations

from collections.abc import Iterable

from casegen.schemas.rx_case import Problem
from casegen.seeds.rx.model import Authority
from casegen.seeds.rx.recommending import asks_for

from ..model import Found, Sketch


def find(
    sketch: Sketch,
    problem: Problem,
    other: str,
    names: list[str],
    grade: str,
    title: str,
    effect: str,
    authority: Iterable[Authority],
    facts: list[str],
) -> None:
    """Add a contraindication."""
    sketch.findings.append(
        Found(
            "contraindication", problem, [other, sketch.drug.id], names,
            "contraindicated" if grade == "contraindicated" else "major",
            asks_for("contraindication", problem), effect, "choose another drug",
            f"{title}: {effect}", tuple(authority), facts,
        )
    )  # fmt: skip
