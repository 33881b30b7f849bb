"""Draws the chart of a coding case: problems, what the encounter is for, what stays open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..accident import AccidentError
from ..chart.build import Builder
from ..chart.fill import ensure_reason, fill_problems, in_drawn_order
from ..chart.frame import first_frame
from ..chart.guided import join_guideline
from ..chart.model import Chart, Problem, Statement
from ..chart.options import BIT, settings_in
from ..chart.patient import draw_patient, settle_encounter
from ..injectors import excludes1_conflict
from ..note.page import REASON
from ..randomness import Lane, Lanes
from .levels import Level
from .model import Drawn

if TYPE_CHECKING:
    from ..config import CodingConfig
    from ..world import World

OTHER_SPLIT = "belongs to another split"
NO_REASON = "no reason for the encounter"
# Per cent of the cases, see ``draw_chart``.
PAIRS = 14
TOGETHER = 10
_TRIES = 12
# What nobody comes for.
_BESIDE = frozenset(("status", "cause"))


def draw_chart(
    world: World, config: CodingConfig, lanes: Lanes, mask: int, level: Level, split: str
) -> Drawn:
    """One chart. Raises AccidentError where nothing fits."""
    plan, lane = lanes.plan, lanes.chart
    builder = Builder(world, lanes, first_frame(world, mask, plan))
    kinds = _theme(builder, plan, level)
    if not ensure_reason(builder, lane):
        raise AccidentError(NO_REASON)
    _rivals(builder, plan, plan.between(*level.rivals))
    reason = next(p for p in builder.problems if p.reason)
    encounter = settle_encounter(world, config, builder.frame, reason.course, lanes.patient)
    if encounter.setting == "inpatient":
        # The physician's own claim of a stay follows other rules for what is uncertain.
        encounter.claim_type = "facility"
    frame = builder.frame
    patient, years, days = draw_patient(world, frame, encounter, lanes.patient)
    frame.low = frame.high = years
    if frame.newborn is not None:
        frame.newborn = (days, days)
    frame.sex = 0 if patient.sex == "female" else 1
    frame.mask = BIT[encounter.setting]
    if not fill_problems(builder, lane, plan.between(*level.codes), split):
        raise AccidentError(OTHER_SPLIT)
    problems = in_drawn_order(builder.problems, world.tables, lane, builder.guided)
    aired = _aired(problems)
    _state_reason(builder, plan, reason, [p for p in aired if p is not reason])
    chart = Chart(patient, encounter, years, days, problems, [], builder.statements, builder.guided)
    return Drawn(chart, reason, [p.id for p in aired], kinds)


def _theme(builder: Builder, plan: Lane, level: Level) -> list[str]:
    """What the case is about beside ordinary problems."""
    if plan.below(100) < level.guided and join_guideline(builder, plan):
        return []
    draw = plan.below(100)
    if draw < PAIRS:
        if excludes1_conflict.reserve(builder, plan) is not None:
            return ["excludes1"]
    elif draw < PAIRS + TOGETHER:
        pairing = excludes1_conflict.reserve_decoy(builder, plan)
        if pairing is not None:
            return [pairing.pair.kind]
    return []


def _rivals(builder: Builder, plan: Lane, wanted: int) -> None:
    """Further problems that one could come for."""
    if builder.companions is not None or builder.closed or builder.calm:
        return
    world = builder.world
    for _ in range(_TRIES):
        if wanted <= 0:
            return
        pool = world.reasons[plan.pick(settings_in(builder.frame.mask))]
        option = plan.weighted(pool.options, pool.totals)
        if option.value.course == "screening":
            continue
        if builder.admit(option, reason=False) is not None:
            wanted -= 1


def _aired(problems: list[Problem]) -> list[Problem]:
    """The problems that are told at length: those that one could come for."""
    return [
        p for p in problems
        if p.reason or (p.status == "active" and not p.quiet and p.course not in _BESIDE)
    ]  # fmt: skip


def _state_reason(builder: Builder, plan: Lane, reason: Problem, others: list[Problem]) -> None:
    mentions = {"a": reason.id}
    if others:
        mentions["b"] = plan.pick(others).id
    builder.statements.append(
        Statement(
            builder.next_id("r"), "reason", [reason.id], "", mentions, REASON,
            bank="reason_two" if others else "reason_one",
        )
    )  # fmt: skip
