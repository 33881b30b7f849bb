"""Conditions that the note tells of and nobody codes: excluded ones, and illnesses long over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..chart.model import Problem, Statement
from ..chart.options import Option
from ..felt import is_felt
from ..randomness import Lane

if TYPE_CHECKING:
    from ..chart.build import Builder

_TRIES = 10
# Acute illnesses that leave nothing that would be coded as history.
_PASSING = ("A0", "B0", "H1", "H6", "J0", "J1", "J2", "K12", "K52", "L0", "L2", "N10", "N30", "N39")


def add_foils(builder: Builder, lane: Lane, setting: str, wanted: int) -> None:
    """Add up to ``wanted`` conditions that are excluded or over."""
    if builder.companions is not None or builder.closed or builder.calm:
        return
    for _ in range(_TRIES):
        if wanted <= 0:
            return
        pool = builder.world.reasons[setting]
        option = lane.weighted(pool.options, pool.totals)
        past = bool(lane.below(2))
        code = option.value.code
        if code is None or option.value.seventh != "none" or option.value.course != "acute":
            continue
        if past and not code.startswith(_PASSING):
            continue
        if not past and is_felt(code):
            continue
        if not past and option.condition.system not in builder.systems:
            continue
        if _fits(builder, option, code):
            _add(builder, option, code, past)
            wanted -= 1


def _fits(builder: Builder, option: Option, code: str) -> bool:
    if not builder.frame.allows(option.mask, option.low, option.high, option.sex):
        return False
    condition = option.condition
    if condition.id in builder.ids or not builder.groups.isdisjoint(condition.groups):
        return False
    return builder.free(code)


def _add(builder: Builder, option: Option, code: str, past: bool) -> None:
    value, condition = option.value, option.condition
    # No ``condition``: no section tells of what is not there.
    foil = Problem(
        builder.next_id("p"), f"foil.{option.key}", value.term, code, condition.system,
        value.course, option.wording, dict(value.attributes),
        status="history" if past else "ruled_out", reserved=True, quiet=True,
    )  # fmt: skip
    builder.problems.append(foil)
    builder.drops.append(code)
    builder.mark(code[:3])
    builder.ids.add(condition.id)
    builder.statements.append(
        Statement(
            builder.next_id("r"), "told", [foil.id], "", {"a": foil.id},
            bank="foil_past" if past else "foil_excluded",
        )
    )  # fmt: skip
