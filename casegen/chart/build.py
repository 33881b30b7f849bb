"""Builds a chart problem by problem, so that everything in it fits everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casegen.seeds.conditions import Value
from casegen.seeds.icd10cm.tail import TailCode
from casegen.seeds.services import Service

from ..randomness import Lanes
from ..wording import Wording
from .bounds import CAUSES, NOT_TELEHEALTH, OFFICE_LIKE, bare, course_of_tail, mask_of
from .frame import Frame
from .model import Added, Performed, Problem, Statement
from .options import ALL_SETTINGS, BIT, SEX_INDEX, Option

if TYPE_CHECKING:
    from ..world import World

# What may stand beside an examination without abnormal findings (Z00.00, Z00.129): problems
# that are known and stable; guideline I.C.21.c.13.
CALM = frozenset(("status", "chronic"))
# Any day of the encounter window; the pairs at hand do not change within it.
ON = "2026-04-01"
URGENT = BIT["emergency"] | BIT["inpatient"] | BIT["outpatient_surgery"]
# Weights of the courses of a healing fracture; routine healing is the common one.
_HEALING = ("routine", "routine", "routine", "delayed", "nonunion", "malunion")
_FRACTURE = ("closed", "closed", "closed", "closed", "open_1_2", "open_3")


class Builder:
    """The chart under construction.

    ``admit*`` methods return the new problem, or None where it does not fit the frame or the
    problems that stand already; a refusal changes nothing.
    """

    __slots__ = (
        "barred", "bits", "calm", "categories", "caused", "clashes", "closed", "codes",
        "companions", "drops", "frame", "groups", "guided", "ids", "injury", "lane", "lanes",
        "lines", "odd", "pending", "problems", "reason", "serial", "services", "slips",
        "statements", "systems", "world",
    )  # fmt: skip

    def __init__(self, world: World, lanes: Lanes, frame: Frame) -> None:
        self.world = world
        self.lanes = lanes
        self.lane = lanes.chart
        self.frame = frame
        self.problems: list[Problem] = []
        # Whether a problem is the reason for the encounter already.
        self.reason = False
        self.services: list[Performed] = []
        # Services that an injector will put on the claim.
        self.pending: list[str] = []
        self.statements: list[Statement] = []
        self.ids: set[str] = set()
        self.groups: set[str] = set()
        self.barred: set[str] = set()
        self.companions: frozenset[str] | None = None
        self.categories: set[str] = set()
        # The categories as bits, and how many diagnosis lines the problems make.
        self.bits = 0
        self.lines = 0
        self.clashes: list[str] = []
        self.codes: list[str] = []
        self.drops: list[str] = []
        self.systems: set[str] = set()
        self.serial = 0
        # True where only statuses may join: the visit dealt with nothing else.
        self.closed = False
        # True beside an examination without abnormal findings.
        self.calm = False
        # The last injury of the long tail, and whether an external cause stands.
        self.injury: Problem | None = None
        self.caused = False
        # Whether guidelines that bind several facts code the chart; what somebody bills who
        # overlooks them (right code, wrong code, kind of finding); and what looks wrong to him
        # and is right (codes, section, reason).
        self.guided = False
        self.slips: list[tuple[str, str, str]] = []
        self.odd: list[tuple[tuple[str, ...], str, str]] = []

    def next_id(self, kind: str) -> str:
        """A fresh fact id, ``p1``, ``s2``, ``r3`` …"""
        self.serial += 1
        return f"{kind}{self.serial}"

    # -- what may stand together ------------------------------------------------------

    def free(self, code: str) -> bool:
        """Whether ``code`` may join: not there yet, no problem of its category, no clash, no
        Excludes1."""
        head = code[:3]
        if head in self.categories or code in self.codes:
            return False
        if self.clashes and code.startswith(tuple(self.clashes)):
            return False
        world = self.world
        for own, other in world.apart.get(head, ()):
            if code.startswith(own) and any(one.startswith(other) for one in self.codes):
                return False
        # Most codes have no note to any category of the chart; one look settles that.
        mask = world.ties.masks.get(head, 0) & self.bits
        if not mask:
            return True
        bits = world.ties.bits
        for standing in (*self.codes, *self.drops):
            if bits.get(standing[:3], mask) & mask and world.clash(code, standing):
                return False
        return True

    def _stands(self, adds: list[str]) -> bool:
        """Whether a code that comes with a problem stands already (guideline I.B.12), or of an
        external cause its category."""
        for code in adds:
            cause = code.startswith(CAUSES)
            if (cause and code[:3] in self.categories) or bare(code) in self.codes:
                return True
        return False

    def mark(self, category: str) -> None:
        """Note that the chart has, or must not have, a code of this category."""
        self.categories.add(category)
        self.bits |= self.world.ties.bits.get(category, 0)

    def _take(self, problem: Problem, code: str) -> Problem:
        self.problems.append(problem)
        self.codes.append(code)
        bits = self.world.ties.bits
        self.mark(code[:3])
        self.lines += 1
        for add in problem.adds:
            self.codes.append(bare(add.code))
            if add.code.startswith(CAUSES):
                self.categories.add(add.code[:3])
            self.bits |= bits.get(add.code[:3], 0)
            self.lines += 1
        self.systems.add(problem.system)
        if problem.reason:
            self.reason = True
            self.calm = self.calm or problem.course == "screening"
        return problem

    # -- curated conditions -------------------------------------------------------------

    def _open(self, option: Option, reason: bool) -> bool:
        """Whether frame and problems leave room for a condition, whatever its code."""
        condition = option.condition
        if not self.frame.allows(option.mask, option.low, option.high, option.sex):
            return False
        if condition.id in self.ids or condition.id in self.barred:
            return False
        if self.companions is not None and condition.id not in self.companions:
            return False
        if not self.groups.isdisjoint(condition.groups):
            return False
        if self.closed and option.value.course != "status":
            return False
        if self.calm and not reason and option.value.course not in CALM:
            return False
        if option.alone:
            for problem in self.problems:
                other = problem.condition
                if other is None or other.id not in condition.compatible:
                    return False
        elif not self.ids.isdisjoint(condition.incompatible):
            return False
        return not condition.presupposes or self.ids.issuperset(condition.presupposes)

    def admit(
        self,
        option: Option,
        *,
        reason: bool,
        side: str | None = None,
        phase: str | None = None,
        fracture: str | None = None,
        healing: str | None = None,
    ) -> Problem | None:
        """Add a curated condition; attributes that are not given are drawn."""
        if not self._open(option, reason):
            return None
        condition, value = option.condition, option.value
        frame = self.frame
        mask = option.mask
        newborn = condition.age_days
        if newborn is None:
            if frame.newborn is not None and self.companions is None:
                return None
        elif (self.problems and frame.newborn is None) or frame.low > 0:
            return None
        elif frame.newborn is not None:
            newborn = (max(newborn[0], frame.newborn[0]), min(newborn[1], frame.newborn[1]))
            if newborn[0] > newborn[1]:
                return None
        injured = value.seventh != "none"
        if injured:
            if phase is None:
                healing_fits = bool(frame.mask & mask & OFFICE_LIKE)
                active_fits = bool(frame.mask & mask & NOT_TELEHEALTH)
                if healing_fits and active_fits:
                    phase = "healing" if self.lane.below(2) else "active"
                else:
                    phase = "healing" if healing_fits else "active"
            mask &= OFFICE_LIKE if phase == "healing" else NOT_TELEHEALTH
            if not frame.mask & mask:
                return None
        base = value.code
        if base is None:
            side = side or self.lane.pick(option.sides)
            base = value.codes[side]
        if not self.free(base) or any(add.code in self.codes for add in value.adds):
            return None
        if value.adds and self._stands([add.code for add in value.adds]):
            return None
        if phase == "active" and value.seventh == "fracture":
            drawn_type = fracture or self._fracture_type(base)
            if drawn_type != "closed":
                # A fresh open fracture is treated where it can be operated on, one of type III
                # on a ward.
                where = BIT["inpatient"] if drawn_type == "open_3" else URGENT
                if frame.mask & mask & where:
                    mask &= where
                else:
                    drawn_type = "closed"
            fracture = drawn_type
        # What is met in some settings only, by the value's own word or never in an office, holds
        # the frame there even where nobody came for it.
        bound = reason or injured or value.settings != condition.settings
        if not bound and mask & OFFICE_LIKE:
            mask = ALL_SETTINGS
        frame.narrow(mask, option.low, option.high, option.sex)
        if newborn is not None:
            frame.newborn = newborn
        attributes = dict(value.attributes)
        term = value.term
        if side and value.code is None:
            term = value.terms.get(side, term)
            attributes["side"] = side
        if phase:
            attributes["phase"] = phase
            if value.seventh == "fracture":
                attributes["fracture"] = fracture or self._fracture_type(base)
                if phase == "healing":
                    drawn = healing or self.lane.pick(_HEALING)
                    known = self.world.healing_kinds(base)
                    attributes["healing"] = drawn if drawn in known else "routine"
        self.ids.add(condition.id)
        self.groups.update(condition.groups)
        if option.alone:
            allowed = frozenset(condition.compatible)
            self.companions = allowed if self.companions is None else self.companions & allowed
        else:
            self.barred.update(condition.incompatible)
        self.barred.update(self.world.barred_by.get(condition.id, ()))
        self.systems.update(condition.also_systems)
        problem = Problem(
            self.next_id("p"), option.key, term, base, condition.system, value.course,
            option.wording, attributes, value.seventh, "active", reason, side=side or "",
            condition=condition, value=value,
            adds=self._added(value) if value.adds else (),
        )  # fmt: skip
        return self._take(problem, base)

    def _added(self, value: Value) -> tuple[Added, ...]:
        return tuple(
            Added(self.next_id("a"), add.code, add.term, add.seventh) for add in value.adds
        )

    def _fracture_type(self, base: str) -> str:
        kinds = self.world.fracture_kinds(base)
        drawn = self.lane.pick(_FRACTURE)
        if drawn in kinds:
            return drawn
        return "open" if drawn != "closed" and "open" in kinds else "closed"

    # -- problems of scenarios and of the long tail ----------------------------------------

    def admit_inline(
        self,
        key: str,
        term: str,
        code: str,
        system: str,
        course: str,
        wording: Wording,
        adds: tuple[tuple[str, str], ...] = (),
        *,
        reason: bool,
    ) -> Problem | None:
        """Add a problem that a scenario brings; the scenario has narrowed the frame."""
        if self.closed or not self.free(code) or self.companions is not None:
            return None
        if (self.calm and course not in CALM) or self._stands([added for added, _ in adds]):
            return None
        problem = Problem(
            self.next_id("p"), key, term, code, system, course, wording, {}, reason=reason,
            adds=tuple(Added(self.next_id("a"), c, t, "") for c, t in adds),
        )  # fmt: skip
        return self._take(problem, code)

    def admit_beside(
        self,
        key: str,
        term: str,
        code: str,
        system: str,
        course: str,
        wording: Wording,
        adds: tuple[tuple[str, str], ...] = (),
    ) -> Problem:
        """Add the second member of a pair that stands together on purpose."""
        problem = Problem(
            self.next_id("p"), key, term, code, system, course, wording, {},
            adds=tuple(Added(self.next_id("a"), c, t, "") for c, t in adds),
        )  # fmt: skip
        return self._take(problem, code)

    def take(self, problem: Problem) -> None:
        """Add a problem of a guided chart, which fits what stands already."""
        self._take(problem, problem.base)

    def touches(self, prefixes: tuple[str, ...]) -> bool:
        """Whether a code of the chart begins with one of these prefixes."""
        return any(code.startswith(prefix) for code in self.codes for prefix in prefixes)

    def admit_tail(self, tail: TailCode, *, reason: bool) -> Problem | None:
        """Add a code of the long tail."""
        stratum, attributes = tail.stratum, tail.attributes
        frame = self.frame
        sex = SEX_INDEX[tail.sex or "any"]
        low, high = tail.age
        mask = mask_of(tail.settings, attributes.get("phase"), stratum)
        if self.companions is not None or not frame.allows(mask, low, high, sex):
            return None
        if (self.closed or self.calm) and stratum != "status":
            return None
        if (frame.newborn is not None) != (stratum == "newborn"):
            return None
        if stratum == "symptom" and tail.system in self.systems:
            return None
        code = tail.code
        if code.startswith(self.world.encounters.never) or not self.free(code):
            return None
        frame.narrow(mask, low, high, sex)
        problem = Problem(
            self.next_id("p"), f"tail.{code}", tail.term, code, tail.system, course_of_tail(tail),
            Wording(self._said(tail), stratum=stratum, spelled=True), attributes.copy(), "tail",
            reason=reason, side=attributes.get("side", ""), suits=tail.suits, grave=tail.grave,
        )  # fmt: skip
        if stratum == "external_cause":
            self.caused = True
        elif tail.suits:
            self.injury = problem
        return self._take(problem, code)

    def _said(self, tail: TailCode) -> tuple[str, ...]:
        """The phrases of the title or those of an inclusion term; one note has one of them. The
        first of the title's is mostly the title itself, which clinicians seldom write."""
        names = tail.names
        if tail.also and self.lane.below(2):
            return tail.also
        return names[1:] if len(names) > 1 and self.lane.below(8) else names

    def _side_of(self, service: Service) -> str | None:
        """The side of the latest problem that the service is for; None where none has one."""
        sided = [p for p in reversed(self.problems) if p.tells_side]
        prefixes = tuple(prefix for prefix in service.conditions if prefix)
        fitting = [p for p in sided if p.base.startswith(prefixes)] if prefixes else sided
        return fitting[0].side if fitting else None

    # -- services -----------------------------------------------------------------------------

    def admit_service(
        self, service: Service, *, says: str | None = None, beside: str | None = None
    ) -> Performed | None:
        """Add a service, unless it forms an NCCI pair with one that stands already.

        ``beside`` is the code of a service with which a pair is wanted.
        """
        pair = self.world.services.pair
        code = service.code
        for pending in self.pending:
            if pending == code or pair(code, pending, ON):
                return None
        for performed in self.services:
            other = performed.service.code
            if other == code or (other != beside and pair(code, other, ON)):
                return None
        side = ""
        if service.lateral:
            found = self._side_of(service)
            if found is None:
                return None
            side = found
        performed = Performed(self.next_id("s"), service, says, side)
        self.services.append(performed)
        return performed
