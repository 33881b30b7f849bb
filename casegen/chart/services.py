"""The services of a professional claim: the visit, and others that fit patient and problems."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import methodcaller

from casegen.seeds.services import Service

from ..randomness import Lane
from .build import ON, Builder
from .model import Problem, Statement

# NCCI policy manual, chapter I, section D: a visit on the day of a minor procedure stands only
# if it is separate (modifier 25), new patient or not; before a major one it is the decision
# for it (modifier 57), and casegen bills none.
MINOR = frozenset(("minor_procedure", "endoscopy", "injection", "emergency_procedure"))
MAJOR = frozenset(("surgery",))
_TRIES = 25
# What a screening that was done is billed by (tabular list, note at chapter 21: a procedure code
# accompanies a Z code where a procedure is performed).
# Medicare, which casegen's patients have from 65 on, has a code of its own.
_OWED = {"Z12.11": ("45378", "G0121")}
_COLONOSCOPY = ("453", "G01")
_MEDICARE = 65
# Repairs of wounds (CPT, repair).
_REPAIRS = ("12", "13")
# Visits of staff, and care of the critically ill, whom scenarios bring and no ordinary chart.
_STAFF_VISITS = frozenset(("99211", "99281", "99291"))
# Medicare's patients in casegen are this old or older.
_MEDICARE = 65
_SEXES = ("female", "male")


@dataclass(frozen=True, slots=True)
class Offer:
    """A service other than a visit, with the ages at which it is plausible; ``meets`` tells
    whether it is for the problem of a code (None: it is for any), ``procedure`` that it is none
    to stand beside a visit."""

    service: Service
    low: int
    high: int
    meets: Callable[[str], bool] | None
    procedure: bool

    def suits(self, codes: Sequence[str], years: int) -> bool:
        """Whether it is plausible at this age and for these problems."""
        if not self.low <= years <= self.high:
            return False
        return self.meets is None or any(map(self.meets, codes))


def _offer(service: Service) -> Offer:
    prefixes = service.conditions
    low = max(service.suits[0], service.age[0])
    # G0 codes here are Medicare's own services.
    if service.code.startswith("G0"):
        low = max(low, _MEDICARE)
    return Offer(
        service,
        low,
        min(service.suits[1], service.age[1]),
        None if "" in prefixes or not prefixes else methodcaller("startswith", prefixes),
        service.category in MINOR | MAJOR,
    )


class Offers:
    """Services by setting, age and what a chart holds, sorted out when first asked for.

    ``visits`` are the evaluation and management services of each setting, ``others`` those
    that need no other beside them, by ``setting.sex`` and organ system.
    """

    __slots__ = ("_ages", "_kept", "_others", "_pools", "_visits")

    def __init__(
        self,
        visits: Mapping[str, Sequence[Service]],
        others: Mapping[str, Mapping[str, Sequence[Service]]],
    ) -> None:
        self._visits = visits
        self._others = others
        self._pools: dict[tuple[str, int], dict[str, tuple[Offer, ...]]] = {}
        self._kept: dict[tuple[str, int, int, bool, bool], tuple[Service, ...]] = {}
        # Ages at which some visit begins or ceases to fit.
        self._ages = sorted(
            {
                age
                for services in visits.values()
                for one in services
                for low, high in (one.age, one.suits)
                for age in (low, high + 1)
            }
        )

    def visits(self, setting: str, years: int, problems: Sequence[Problem]) -> Sequence[Service]:
        """Evaluation and management services that fit setting, age and problems.

        The lowest levels are for staff or for nothing to decide, the highest for more than a
        chart here tells; one problem is of low complexity at the most, two or more are at least
        moderate where one of them is new, and a grave one counts for several (CPT, table of
        medical decision making, as revised for 2021 and 2023). A stay is billed on the date of
        discharge, so that day's visit is the discharge. Who comes back is no new patient.
        """
        active = 0
        wellness = back = False
        for problem in problems:
            if problem.status == "active" and problem.course != "status":
                active += 3 if problem.grave else 1
            if problem.attributes.get("phase") == "healing":
                back = True
            if problem.reason:
                wellness = problem.base.startswith(("Z00.0", "Z00.1"))
                back = back or problem.course == "chronic"
        key = (setting, bisect_right(self._ages, years), min(active or 3, 3), wellness, back)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = tuple(
                one for one in self._visits[setting] if _fits(one, years, *key[2:], setting)
            )
        return found

    def others(self, setting: str, sex: int, systems: set[str]) -> list[Offer]:
        """Services other than visits that setting and sex allow and these organ systems suit."""
        pools = self._pools.get((setting, sex))
        if pools is None:
            named = self._others[f"{setting}.{_SEXES[sex]}"]
            pools = {system: tuple(map(_offer, pool)) for system, pool in named.items()}
            self._pools[setting, sex] = pools
        found = list(pools.get("any", ()))
        for system in sorted(systems):
            found += pools.get(system, ())
        return found


def _fits(
    visit: Service, years: int, active: int, wellness: bool, back: bool, setting: str
) -> bool:
    em = visit.em
    if em is None or visit.code in _STAFF_VISITS:
        return False
    if not visit.age[0] <= years <= visit.age[1] or not visit.suits[0] <= years <= visit.suits[1]:
        return False
    if setting == "inpatient" and em.kind != "discharge":
        return False
    if back and em.patient == "new":
        return False
    levels = (2, 3) if active == 1 else (3, 4) if active == 2 else (4,)
    if em.kind in ("office", "emergency") and em.level not in levels:
        return False
    return (em.kind == "preventive") == wellness


def fill_services(
    builder: Builder, lane: Lane, setting: str, years: int, sex: int, wanted: int
) -> None:
    """Professional claims: the visit, and services that fit the problems.

    A visit beside a procedure with which it forms an NCCI pair stands only with modifier 25
    and a statement that other problems were evaluated (NCCI policy manual, chapter I).
    """
    offers = builder.world.offers
    for code, owed in _OWED.items():
        if code in builder.codes and not any(
            p.service.code.startswith(_COLONOSCOPY) for p in builder.services
        ):
            builder.admit_service(builder.world.service(owed[years >= _MEDICARE]))
    visit = None
    if not [performed for performed in builder.services if performed.service.em]:
        visits = offers.visits(setting, years, builder.problems)
        if visits:
            visit = lane.pick(visits)
            _admit_visit(builder, lane, visit)
    if len(builder.services) >= wanted:
        return
    pool = offers.others(setting, sex, builder.systems)
    if not pool:
        return
    codes = builder.codes
    at = lane.below(len(pool))
    for _ in range(_TRIES):
        offer = pool[at % len(pool)]
        at += 7
        if visit is not None and offer.procedure:
            continue
        if offer.service.code.startswith(_REPAIRS) and _repaired(builder):
            continue  # One wound has one repair; a second wound is a scenario's to tell.
        if offer.suits(codes, years):
            builder.admit_service(offer.service)
            if len(builder.services) >= wanted:
                return


def _repaired(builder: Builder) -> bool:
    return any(p.service.code.startswith(_REPAIRS) for p in builder.services)


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
