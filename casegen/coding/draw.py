"""Draws the chart of a coding case: problems, what the encounter is for, what stays open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..accident import AccidentError
from ..chart.bounds import OFFICE_LIKE
from ..chart.build import Builder
from ..chart.fill import ensure_reason, fill_problems, in_drawn_order
from ..chart.frame import first_frame
from ..chart.guided import join_guideline
from ..chart.model import Chart, Problem, Statement
from ..chart.options import BIT, settings_in
from ..chart.patient import draw_patient, settle_encounter
from ..chart.serious import lengthen_stay
from ..injectors import excludes1_conflict
from ..note.page import REASON
from ..randomness import Lane, Lanes
from .foils import add_foils
from .levels import Level
from .model import Drawn
from .open import leave_open, leave_side_open
from .settle import confirm, settle_side, settled_later

if TYPE_CHECKING:
    from ..config import CodingConfig
    from ..world import World
    from .known import Known

OTHER_SPLIT = "belongs to another split"
NO_REASON = "no reason for the encounter"
NOTHING_OPEN = "nothing that the record could leave open"
# Per cent of the cases without a guided chart: two codes of which one is excluded, two that look
# as if they excluded each other, an injury; and of all cases: a slip about the side that was set
# right.
PAIRS, TOGETHER, INJURIES, SETTLED = 24, 16, 14, 40
# Per cent of the cases that leave nothing open: a chart in which something was open and has been
# settled; and an ordinary disease that a work-up has confirmed.
SETTLED_LATER, CONFIRMED = 43, 64
_MILLION = 1_000_000
_TRIES = 12
# What nobody comes for.
_BESIDE = frozenset(("status", "cause"))
# Categories that only go first (I.C.21.c.16).
_GOES_FIRST = frozenset("Z00 Z01 Z02 Z04 Z31 Z33 Z34 Z38 Z39 Z40 Z42 Z51 Z52 Z76".split())
# Kinds of guided charts of which, outside a hospital, any problem may be what the encounter is
# for, or another one altogether.
LOOSE = frozenset(
    (
        "uncertain integral linked unlinked etiology cancer stroke infarction drug injury together"
    ).split()
)


def draw_chart(
    world: World,
    known: Known,
    config: CodingConfig,
    lanes: Lanes,
    mask: int,
    level: Level,
    split: str,
) -> Drawn:
    """One chart. Raises AccidentError where nothing fits."""
    plan, lane = lanes.plan, lanes.chart
    share = level.review * _MILLION // 100
    if config.review is not None:
        share = round(config.review * _MILLION)
    leaves_open = plan.below(_MILLION) < share
    builder = Builder(world, lanes, first_frame(world, mask, plan))
    opened = leave_open(builder, plan, known) if leaves_open else None
    if opened is not None:
        _loosen(builder, plan)
    kinds: list[str] = [opened.kind] if opened else []
    if not leaves_open and plan.below(100) < SETTLED_LATER:
        kinds = settled_later(builder, plan, known)
        if kinds:
            _loosen(builder, plan)
    kinds = kinds or _theme(builder, plan, level, known)
    if leaves_open and opened is None:
        opened = leave_side_open(builder, plan)
        if opened is None:
            raise AccidentError(NOTHING_OPEN)
        kinds.append(opened.kind)
    if not ensure_reason(builder, lane):
        raise AccidentError(NO_REASON)
    _rivals(builder, plan, plan.between(*level.rivals))
    _most_pressing(builder, plan)
    chart = _settled(world, config, builder, lanes, level, split)
    reason = _first_only(chart.problems)
    aired = _aired(chart.problems)
    if plan.below(100) < SETTLED and settle_side(builder, plan, aired):
        kinds.append("side_settled")
    if plan.below(100) < CONFIRMED:
        confirm(builder, plan, aired)
    if any("phase" in p.attributes and p.base[0] in "ST" for p in chart.problems):
        kinds.append("phase")
    _state_reason(builder, plan, reason, [p for p in aired if p is not reason])
    return Drawn(chart, reason, [p.id for p in aired], kinds, opened)


def _settled(
    world: World, config: CodingConfig, builder: Builder, lanes: Lanes, level: Level, split: str
) -> Chart:
    """Encounter and patient, and the problems that are still wanted."""
    plan, lane, frame = lanes.plan, lanes.chart, builder.frame
    reason = next(p for p in builder.problems if p.reason)
    encounter = settle_encounter(world, config, frame, reason.course, lanes.patient)
    if encounter.setting == "inpatient":
        # The physician's own claim of a stay follows other rules for what is uncertain.
        encounter.claim_type = "facility"
    patient, years, days = draw_patient(world, frame, encounter, lanes.patient)
    frame.low = frame.high = years
    if frame.newborn is not None:
        frame.newborn = (days, days)
    frame.sex = 0 if patient.sex == "female" else 1
    frame.mask = BIT[encounter.setting]
    if not fill_problems(builder, lane, plan.between(*level.codes), split):
        raise AccidentError(OTHER_SPLIT)
    add_foils(builder, plan, encounter.setting, plan.between(*level.foils))
    lengthen_stay(world, patient, encounter, builder.problems)
    problems = in_drawn_order(builder.problems, world.tables, lane, builder.guided)
    problems = _turned(problems, plan, world)
    statements = builder.statements
    return Chart(patient, encounter, years, days, problems, [], statements, builder.guided)


def _theme(builder: Builder, plan: Lane, level: Level, known: Known) -> list[str]:
    """What the case is about beside ordinary problems."""
    if plan.below(100) < level.guided:
        chart = join_guideline(builder, plan, known.guided)
        if chart is not None:
            if chart.kind in LOOSE:
                _loosen(builder, plan)
            return [chart.kind]
    draw = plan.below(100)
    if draw < PAIRS:
        if excludes1_conflict.reserve(builder, plan) is not None:
            _free_reason(builder, plan)
            return ["excludes1"]
    elif draw < PAIRS + TOGETHER:
        pairing = excludes1_conflict.reserve_decoy(builder, plan)
        if pairing is not None:
            _free_reason(builder, plan)
            return [pairing.pair.kind]
    elif draw < PAIRS + TOGETHER + INJURIES:
        _injury(builder, plan)
    return []


def _injury(builder: Builder, plan: Lane) -> None:
    """Add an injury, in a phase of care that the number of the visit does not tell."""
    pool = builder.world.axis_pools["phase"]
    for _ in range(_TRIES if pool else 0):
        option = plan.pick(pool)
        if not option.reason:
            continue
        phase = "healing" if plan.below(2) else "active"
        injury = builder.admit(option, reason=True, phase=phase)
        if injury is not None:
            injury.later = phase == "active" and plan.below(2) == 0
            return


def _loosen(builder: Builder, plan: Lane) -> None:
    """Let another problem of a guided chart be what the encounter is for, or none of them."""
    if builder.frame.mask == BIT["inpatient"]:
        return
    choices = [p for p in builder.problems if _could_be_reason(p)]
    chosen = plan.pick(choices) if choices and plan.below(2) else None
    for problem in builder.problems:
        problem.reason = problem is chosen
    builder.reason = chosen is not None


def _free_reason(builder: Builder, plan: Lane) -> None:
    """Every other time the pair is not what the encounter is for, or the other member is."""
    draw = plan.below(3)
    if not draw or not builder.reason:
        return
    choices = [p for p in builder.problems if _could_be_reason(p)]
    chosen = plan.pick(choices) if choices and draw == 1 else None
    for problem in builder.problems:
        problem.reason = problem is chosen
    builder.reason = chosen is not None


def _could_be_reason(problem: Problem) -> bool:
    # Of diabetes and hypertension, which both go before it, neither is the first by rule.
    return (
        problem.status == "active"
        and not problem.quiet
        and problem.course not in _BESIDE
        and not problem.base.startswith(("N18", "D63.1"))
    )


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
        if option.value.course == "screening" or option.category in _GOES_FIRST:
            continue
        if builder.admit(option, reason=False) is not None:
            wanted -= 1


def _most_pressing(builder: Builder, plan: Lane) -> None:
    """On a ward or in an emergency department the encounter is for one of the most pressing
    problems: those that bring nobody to an office, else acute ones."""
    if builder.frame.mask & OFFICE_LIKE:
        return
    choices = [p for p in builder.problems if _could_be_reason(p) or p.reason]
    pressing = max(map(_pressing, choices))
    reason = next(p for p in choices if p.reason)
    if _pressing(reason) < pressing and reason.base[:3] not in _GOES_FIRST:
        reason.reason = False
        plan.pick([p for p in choices if _pressing(p) == pressing]).reason = True


def _pressing(problem: Problem) -> int:
    if problem.origin.startswith("guide."):
        return 2 if problem.reason else 0
    if problem.condition is not None and problem.value is not None:
        settings = problem.value.settings or problem.condition.settings
        if "office" not in settings and "telehealth" not in settings:
            return 2
    if problem.grave:
        return 2
    fresh = problem.attributes.get("phase", "active") == "active"
    return 1 if problem.course in ("acute", "injury", "newborn", "pregnancy") and fresh else 0


def _first_only(problems: list[Problem]) -> Problem:
    """What the encounter is for: an examination that can only go first, where there is one."""
    reason = next(p for p in problems if p.reason)
    bound = next((p for p in problems if p.base[:3] in _GOES_FIRST and p.status == "active"), None)
    if bound is None or reason.base[:3] in _GOES_FIRST:
        return reason
    reason.reason, bound.reason = False, True
    return bound


def _turned(problems: list[Problem], plan: Lane, world: World) -> list[Problem]:
    """The problems turned round to a drawn beginning, so that the reason may stand anywhere;
    what belongs behind another stays there."""
    starts = [
        at
        for at, problem in enumerate(problems)
        if not problem.behind and problem.wording.stratum != "manifestation"
    ]
    if not starts:
        return problems
    at = plan.pick(starts)
    return problems[at:] + problems[:at]


def _aired(problems: list[Problem]) -> list[Problem]:
    """The problems that are told at length: those that one could come for."""
    return [
        p
        for p in problems
        if p.reason or (p.status == "active" and not p.quiet and p.course not in _BESIDE)
    ]


def _state_reason(builder: Builder, plan: Lane, reason: Problem, others: list[Problem]) -> None:
    mentions = {"a": reason.id}
    # Of what a screening finds nobody knew before it.
    found = {s.about[0] for s in builder.statements if s.term == "found_by"}
    others = [p for p in others if p.id not in found]
    if others:
        mentions["b"] = plan.pick(others).id
    bank = "reason_two" if others else "reason_one"
    builder.statements.append(
        Statement(builder.next_id("r"), "reason", [reason.id], "", mentions, REASON, bank=bank)
    )
