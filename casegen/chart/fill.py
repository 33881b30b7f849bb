"""Fills a chart with ordinary problems and services until the claim is long enough."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from casegen.seeds.icd10cm.tail import TailCode
from casegen.seeds.services import Service

from ..randomness import Lane
from .build import ON, Builder
from .model import Problem, Statement
from .options import BIT, SETTINGS

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

    from ..world import World

# NCCI policy manual, chapter I, section D: a visit on the day of a minor procedure stands only
# if it is separate (modifier 25), new patient or not; before a major one it is the decision
# for it (modifier 57), and casegen bills none.
MINOR = frozenset(("minor_procedure", "endoscopy", "injection", "emergency_procedure"))
MAJOR = frozenset(("surgery",))
_TRIES = 40
_CHECKUPS = 7
_BUCKETS = 20
# Shares of the hash range: 80 % train, 10 % validation, 10 % test.
_RANGES = {"train": (0, 16), "validation": (16, 18), "test": (18, 20)}
_REASON_TAIL = ("disease", "disease", "injury", "neoplasm")
_LISTED_TAIL = (
    "disease", "disease", "disease", "disease", "disease", "status", "status", "congenital",
    "symptom", "manifestation",
)  # fmt: skip


def ensure_reason(builder: Builder, lane: Lane) -> bool:
    """Give the chart a reason for the encounter, if no scenario brought one."""
    if any(p.reason for p in builder.problems):
        return True
    world = builder.world
    if not builder.problems and builder.frame.mask & BIT["office"] and lane.below(100) < _CHECKUPS:
        # Well visits without any error, so that an examination code does not tell of one.
        builder.admit(lane.pick(world.exams), reason=True)
        return True
    for attempt in range(_TRIES):
        if lane.below(3) or attempt > _TRIES // 2:
            settings = [s for s in SETTINGS if builder.frame.mask & BIT[s]]
            pool = world.reasons[lane.pick(settings)]
            if builder.admit(lane.weighted(pool.options, pool.totals), reason=True):
                return True
        else:
            stratum = lane.pick(_REASON_TAIL)
            tail = world.tables.tail(stratum, lane.below(world.tables.tail_count(stratum)))
            if not tail.partners and builder.admit_tail(tail, reason=True):
                return True
    return False


def bucket_of(problems: list[Problem]) -> int:
    """The bucket of a combination of problems; splits partition the buckets."""
    keys = sorted(f"{p.origin}:{p.base}" for p in problems if p.status == "active")
    return crc32("|".join(keys).encode()) % _BUCKETS


def in_split(problems: list[Problem], split: str) -> bool:
    """Whether the chart's combination of problems belongs to the split."""
    low, high = _RANGES[split]
    return low <= bucket_of(problems) < high


def fill_problems(builder: Builder, lane: Lane, wanted: int, split: str | None) -> bool:
    """Add background problems until ``wanted`` diagnoses stand, with a ``split`` the last one
    so that the combination falls into it. False where the chart belongs to another split."""
    if builder.companions is not None:
        _companions(builder, lane, wanted)
        return split is None or in_split(builder.problems, split)
    if split is None:
        for _ in range(_TRIES):
            if builder.lines >= wanted:
                return True
            _one_more(builder, lane)
        return True
    fitting = False
    for _ in range(_TRIES):
        standing = len(builder.problems)
        if builder.lines >= wanted and (fitting or in_split(builder.problems, split)):
            return True
        added = _one_more(builder, lane)
        if added is None or builder.lines >= wanted:
            fitting = added is not None and in_split(builder.problems, split)
            # The last one decides the split: take it back, with what it brought, and draw again.
            while not fitting and len(builder.problems) > standing:
                _take_back(builder, builder.problems[-1])
    return in_split(builder.problems, split)


def _companions(builder: Builder, lane: Lane, wanted: int) -> None:
    pool = builder.world.companions
    for _ in range(_TRIES // 2):
        if builder.lines >= wanted or not pool.options:
            return
        builder.admit(lane.weighted(pool.options, pool.totals), reason=False)


def _one_more(builder: Builder, lane: Lane) -> Problem | None:
    world = builder.world
    if lane.below(100) < world.tail_percent:
        injury = _uncaused(builder)
        if injury is not None and lane.below(2):
            return _cause(builder, lane, injury)
        stratum = lane.pick(_LISTED_TAIL)
        tail = world.tables.tail(stratum, lane.below(world.tables.tail_count(stratum)))
        if tail.partners and not _partnered(builder, tail):
            return None
        return builder.admit_tail(tail, reason=False)
    return _curated(builder, lane)


def _curated(builder: Builder, lane: Lane) -> Problem | None:
    """A curated background condition, with what it presupposes brought first."""
    world = builder.world
    pool = world.backgrounds
    option = lane.weighted(pool.options, pool.totals)
    for need in option.condition.presupposes:
        if need not in builder.ids:
            choices = world.by_condition.get(need, ())
            if not choices or builder.admit(lane.pick(choices), reason=False) is None:
                return None
    return builder.admit(option, reason=False)


def in_drawn_order(problems: list[Problem], tables: Tables, lane: Lane) -> list[Problem]:
    """The reason first, the others in a drawn order, a manifestation right after what causes
    it (guideline I.A.13)."""
    rest = lane.shuffled([p for p in problems if not p.reason])
    ordered = [p for p in problems if p.reason]
    ordered += [p for p in rest if p.wording.stratum != "manifestation"]
    for problem in rest:
        if problem.wording.stratum != "manifestation":
            continue
        entry = tables.tail_of(problem.base)
        causes = entry.partners if entry is not None else ()
        at = next((i for i, p in enumerate(ordered) if p.base in causes), len(ordered) - 1)
        ordered.insert(at + 1, problem)
    return ordered


def _uncaused(builder: Builder) -> Problem | None:
    """An injury of the long tail that no external cause stands beside."""
    found = None
    for problem in builder.problems:
        if problem.course == "cause":
            return None
        if problem.suits and problem.course == "injury":
            found = problem
    return found


def _cause(builder: Builder, lane: Lane, injury: Problem) -> Problem | None:
    """An external cause that can bring the injury about, in the same phase of care
    (guideline I.C.20.a.2)."""
    tables = builder.world.tables
    for _ in range(12):
        tail = tables.tail("external_cause", lane.below(tables.tail_count("external_cause")))
        phase = tail.attributes.get("phase")
        if phase == injury.attributes.get("phase") and set(tail.suits) & set(injury.suits):
            return builder.admit_tail(tail, reason=False)
    return None


def _partnered(builder: Builder, tail: TailCode) -> bool:
    """Bring the etiology of a manifestation first (guideline I.A.13)."""
    if tail.stratum != "manifestation" or not builder.free(tail.code):
        return False
    for code in tail.partners:
        partner = builder.world.tables.tail_of(code)
        if partner is None or partner.partners or builder.admit_tail(partner, reason=False) is None:
            return False
    return True


def _take_back(builder: Builder, problem: Problem) -> None:
    """Undo the last admission as far as later admissions are concerned."""
    builder.problems.pop()
    del builder.codes[len(builder.codes) - 1 - len(problem.adds) :]
    builder.categories.discard(problem.base[:3])
    builder.lines -= 1 + len(problem.adds)
    if problem.condition is not None:
        builder.ids.discard(problem.condition.id)
        builder.groups.difference_update(problem.condition.groups)


def fill_services(
    builder: Builder, lane: Lane, setting: str, years: int, sex: int, wanted: int
) -> None:
    """Professional claims: the visit, and services that fit the problems.

    A visit beside a procedure with which it forms an NCCI pair stands only with modifier 25
    and a statement that other problems were evaluated (NCCI policy manual, chapter I).
    """
    world = builder.world
    visit = _visit(world, builder, lane, setting, years, sex)
    if visit is not None:
        _admit_visit(builder, lane, visit)
    pool = world.filler_services(setting, sex, builder.systems)
    start = lane.below(max(1, len(pool)))
    tried = 0
    while len(builder.services) < wanted and pool and tried < 25:
        service = pool[(start + tried * 7) % len(pool)]
        tried += 1
        if visit is not None and service.category in MINOR | MAJOR:
            continue
        if world.suits(service, builder.codes, years):
            builder.admit_service(service)


def _visit(
    world: World, builder: Builder, lane: Lane, setting: str, years: int, sex: int
) -> Service | None:
    if any(p.service.em is not None for p in builder.services):
        return None
    visits = world.visits(setting, years, builder.problems)
    return lane.pick(visits) if visits else None


def _admit_visit(builder: Builder, lane: Lane, visit: Service) -> None:
    world = builder.world
    if any(p.billed and p.service.category in MAJOR for p in builder.services):
        return
    paired = [
        other
        for other in builder.services
        if other.billed
        and (
            other.service.category in MINOR
            or world.services.pair(visit.code, other.service.code, ON)
        )
    ]
    if not paired:
        builder.admit_service(visit)
        return
    edits = [world.services.pair(visit.code, other.service.code, ON) for other in paired]
    if len(paired) > 1 or any(edit is not None and edit.indicator != 1 for edit in edits):
        return
    other = paired[0]
    # The statement needs other problems that the visit was about.
    if lane.below(2) or sum(p.status == "active" for p in builder.problems) < 2:
        return
    performed = builder.admit_service(visit, beside=other.service.code)
    if performed is None:
        return
    performed.modifiers.append("25")
    sentence = world.separate_sentence(builder, lane)
    name = world.plain_name(other.service) or ""
    builder.statements.append(
        Statement(
            builder.next_id("r"),
            "separate_problem",
            [performed.id, other.id],
            sentence.replace("{service}", name),
            place="procedures",
        )
    )
