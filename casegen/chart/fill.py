"""Fills a chart with ordinary problems until the claim is long enough."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from casegen.seeds.icd10cm.tail import TailCode

from ..randomness import Lane, running_sums
from .build import Builder
from .guided import behind_another
from .model import Problem
from .options import BIT, Option, Pool, settings_in
from .splits import Goal, mix_of, tail_mix

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

_TRIES = 40
# Further draws for a chart that is long enough but belongs to another split.
_SPLIT_TRIES = 150
_CHECKUPS = 7
_REASON_TAIL = ("disease", "disease", "injury", "neoplasm")
_LISTED_TAIL = (
    "disease", "disease", "disease", "disease", "disease", "status", "status", "congenital",
    "symptom", "manifestation",
)  # fmt: skip


def ensure_reason(builder: Builder, lane: Lane) -> bool:
    """Give the chart a reason for the encounter, if no scenario brought one."""
    if builder.reason:
        return True
    world = builder.world
    frame = builder.frame
    # Well visits without any error, so that an examination code does not tell of one.
    checkup = not builder.problems and frame.mask & BIT["office"] and lane.below(100) < _CHECKUPS
    if checkup and builder.admit(lane.pick(world.exams), reason=True):
        return True
    for attempt in range(_TRIES):
        if lane.below(3) or attempt > _TRIES // 2:
            pool = world.reasons[lane.pick(settings_in(frame.mask))]
            option = lane.weighted(pool.options, pool.totals)
            if builder.admit(option, reason=True):
                return True
        else:
            tail = _fitting_tail(builder, lane, lane.pick(_REASON_TAIL))
            if tail is None or tail.partners:
                continue
            if builder.admit_tail(tail, reason=True):
                return True
    return False


def fill_problems(builder: Builder, lane: Lane, wanted: int, split: str | None) -> bool:
    """Add background problems until ``wanted`` diagnoses stand, with a ``split`` the last one
    so that the combination falls into it. False where the chart belongs to another split."""
    if split is None:
        if builder.companions is not None:
            _companions(builder, lane, wanted, None)
            return True
        for _ in range(_tries(builder)):
            if builder.lines >= wanted:
                break
            _one_more(builder, lane, None)
        return True
    goal = Goal(split, wanted, builder.problems)
    if builder.companions is not None:
        _companions(builder, lane, wanted, goal)
    else:
        for _ in range(_tries(builder)):
            if builder.lines >= wanted and goal.reached():
                return True
            _one_more(builder, lane, goal)
    if goal.reached():
        return True
    # Nothing more may fit this patient; then the chart stays short.
    goal.wanted = 0
    if builder.companions is not None:
        _companions(builder, lane, 0, goal)
        return goal.reached()
    for _ in range(_SPLIT_TRIES):
        _one_more(builder, lane, goal)
        if goal.reached():
            return True
    return False


def _tries(builder: Builder) -> int:
    """How many draws a chart gets; where only statuses are drawn, half of them do."""
    return _TRIES // 2 if builder.closed or builder.calm else _TRIES


def _one_more(builder: Builder, lane: Lane, goal: Goal | None) -> None:
    """One draw of a background problem, which joins if it fits chart and goal."""
    world = builder.world
    percent = world.tail_percent
    if builder.closed or builder.calm:
        # Of the long tail only statuses may join; curated conditions keep their share.
        tail = percent * _LISTED_TAIL.count("status")
        if lane.below(tail + (100 - percent) * len(_LISTED_TAIL)) < tail:
            _listed(builder, lane, "status", goal)
        else:
            _curated(builder, lane, world.backgrounds, goal)
    elif lane.below(100) >= percent:
        _curated(builder, lane, world.backgrounds, goal)
    elif builder.injury is not None and not builder.caused and lane.below(2):
        _cause(builder, lane, builder.injury, goal)
    else:
        _listed(builder, lane, lane.pick(_LISTED_TAIL), goal)


def _companions(builder: Builder, lane: Lane, wanted: int, goal: Goal | None) -> None:
    """Conditions that may stand beside one that stands almost alone, each tried once in a drawn
    order: few fit, so that most draws of the whole pool would be idle."""
    pool = builder.world.companions
    allowed = builder.companions or ()
    allows = builder.frame.allows
    left: list[Option] = []
    weights: list[int] = []
    for option, (before, total) in zip(pool.options, pairwise((0, *pool.totals)), strict=True):
        if option.condition.id in allowed and allows(
            option.mask, option.low, option.high, option.sex
        ):
            left.append(option)
            weights.append(total - before)
    while left and (builder.lines < wanted or (goal is not None and not goal.reached())):
        at = bisect_right(running_sums(weights), lane.below(sum(weights)))
        weights.pop(at)
        _join(builder, lane, left.pop(at), goal)


def _listed(builder: Builder, lane: Lane, stratum: str, goal: Goal | None) -> None:
    """A code of the long tail, a manifestation with its etiology first (guideline I.A.13)."""
    tail = _fitting_tail(builder, lane, stratum)
    if tail is None:
        return
    partners = tail.partners
    if not partners:
        if goal is None or goal.takes(builder.lines + 1, tail_mix(tail.code)):
            builder.admit_tail(tail, reason=False)
        return
    if tail.stratum != "manifestation" or not builder.free(tail.code):
        return
    if goal is not None:
        mix = sum(map(tail_mix, (tail.code, *partners)))
        if not goal.takes(builder.lines + 1 + len(partners), mix):
            return
    for code in partners:
        partner = builder.world.tables.tail_of(code)
        if partner is None or partner.partners or builder.admit_tail(partner, reason=False) is None:
            return
    builder.admit_tail(tail, reason=False)


def _fitting_tail(builder: Builder, lane: Lane, stratum: str) -> TailCode | None:
    """A drawn code of a stratum, or None where it is none for this patient and encounter."""
    if (builder.closed or builder.calm) and stratum != "status":
        return None
    if builder.frame.newborn is not None and stratum != "newborn":
        return None
    world = builder.world
    number, (mask, low, high, sex, _, _) = world.tail_bounds.draw(lane, stratum)
    if not builder.frame.allows(mask, low, high, sex):
        return None
    tail = world.tables.tail(stratum, number)
    # What can only be named by its title comes half as often: a search would find it.
    return tail if tail.also or len(tail.names) > 1 or lane.below(2) else None


def _curated(builder: Builder, lane: Lane, pool: Pool, goal: Goal | None) -> None:
    """A curated condition of the pool."""
    option = lane.weighted(pool.options, pool.totals)
    if not builder.frame.allows(option.mask, option.low, option.high, option.sex):
        return
    if option.condition.presupposes:
        _with_needs(builder, lane, option, goal)
    else:
        _join(builder, lane, option, goal)


def _join(builder: Builder, lane: Lane, option: Option, goal: Goal | None) -> None:
    value = option.value
    side = lane.pick(option.sides) if value.code is None else ""
    if goal is None or goal.takes(
        builder.lines + 1 + len(value.adds), mix_of(option.key, value.code or value.codes[side])
    ):
        builder.admit(option, reason=False, side=side)


def _with_needs(builder: Builder, lane: Lane, option: Option, goal: Goal | None) -> None:
    """A condition, with what it presupposes brought first."""
    wanted = []
    for need in option.condition.presupposes:
        if need not in builder.ids:
            choices = builder.world.by_condition.get(need)
            if not choices:
                return
            wanted.append(lane.pick(choices))
    wanted.append(option)
    lines, mix = builder.lines, 0
    sides = []
    for one in wanted:
        value = one.value
        side = lane.pick(one.sides) if value.code is None else ""
        sides.append(side)
        lines += 1 + len(value.adds)
        mix += mix_of(one.key, value.code or value.codes[side])
    if goal is None or goal.takes(lines, mix):
        for one, side in zip(wanted, sides, strict=True):
            if builder.admit(one, reason=False, side=side) is None:
                return


def in_drawn_order(
    problems: list[Problem], tables: Tables, lane: Lane, guided: bool = False
) -> list[Problem]:
    """The reason first, the others in a drawn order, a manifestation right after what causes
    it (guideline I.A.13), the problems of a ``guided`` chart one behind the other."""
    ordered: list[Problem] = []
    rest: list[Problem] = []
    late: list[Problem] = []
    for problem in problems:
        (ordered if problem.reason else rest).append(problem)
    for problem in lane.shuffled(rest):
        (late if problem.wording.stratum == "manifestation" else ordered).append(problem)
    for problem in late:
        entry = tables.tail_of(problem.base)
        causes = entry.partners if entry is not None else ()
        at = next((i for i, p in enumerate(ordered) if p.base in causes), len(ordered) - 1)
        ordered.insert(at + 1, problem)
    return behind_another(ordered) if guided else ordered


def _cause(builder: Builder, lane: Lane, injury: Problem, goal: Goal | None) -> None:
    """An external cause that can bring the injury about, in the same phase of care
    (guideline I.C.20.a.2)."""
    world = builder.world
    draw = world.tail_bounds.draw
    phase = injury.attributes.get("phase")
    for _ in range(12):
        number, bounds = draw(lane, "external_cause")
        if bounds.phase == phase and not bounds.suits.isdisjoint(injury.suits):
            tail = world.tables.tail("external_cause", number)
            if goal is None or goal.takes(builder.lines + 1, tail_mix(tail.code)):
                cause = builder.admit_tail(tail, reason=False)
                if cause is not None:
                    cause.of = injury.id
            return
