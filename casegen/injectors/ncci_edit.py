"""Pairs of services that NCCI does not pay side by side.

Professional claims only; the pairs are the practitioner table of 2024Q3. Indicator 0: never
together. Indicator 1: together only where a modifier applies and the record bears it out;
since 2019-07-01 modifiers 59 and X{EPSU} count on either code (CMS CR 11168), 25 belongs on
the evaluation and management code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from casegen.schemas import authority as sources

from ..chart.model import Statement
from ..coder import Draft
from ..randomness import Lane
from .model import Broken, Innocent, Work
from .modifiers import unearned, wrong_variant

if TYPE_CHECKING:
    from casegen.seeds.scenarios.ncci import Variant

    from ..chart.build import Builder
    from ..chart.options import Option
    from ..scenarios import NcciScenario, QuietPair

_TRIES = 10


def reserve(builder: Builder, lane: Lane) -> Bundle | Unmodified | None:
    """Bring the services of a scenario whose column 2 must not be billed."""
    if not _bills(builder):
        return None
    for _ in range(2 * _TRIES if builder.world.ncci else 0):
        scenario: NcciScenario = lane.pick(builder.world.ncci)
        if scenario.right and lane.below(30) == 0:
            placed = _place(builder, lane, scenario, lane.pick(scenario.right))
            if placed is not None:
                return Unmodified(scenario, placed)
            continue
        variant = wrong_variant(scenario, lane)
        if variant is None:
            continue
        placed = _place(builder, lane, scenario, variant)
        if placed is not None:
            return Bundle(scenario, variant, placed)
    return None


def reserve_decoy(builder: Builder, lane: Lane) -> Justified | Quiet | None:
    """Bring a pair that stands rightly: justified modifier, deleted pair, no pair."""
    world = builder.world
    if not _bills(builder):
        return None
    for _ in range(_TRIES):
        if world.quiet_pairs and lane.below(8) == 0:
            quiet: QuietPair = lane.pick(world.quiet_pairs)
            quiet_placed = _place_quiet(builder, lane, quiet)
            if quiet_placed is not None:
                return Quiet(quiet, quiet_placed)
            continue
        if not world.ncci:
            continue
        scenario: NcciScenario = lane.pick(world.ncci)
        if not scenario.right:
            continue
        variant = lane.pick(scenario.right)
        placed = _place(builder, lane, scenario, variant)
        if placed is not None:
            return Justified(scenario, variant, placed)
    return None


@dataclass(slots=True)
class Placed:
    """The fact ids of a pair's services and of the statement that ties them."""

    first: str
    second: str | None
    statement: str | None


def _bills(builder: Builder) -> bool:
    """Whether a pair of services may join at all: on a professional claim, beside any reason."""
    return builder.frame.claim != "facility" and builder.companions is None and not builder.closed


def enters(builder: Builder, pair: NcciScenario | QuietPair) -> bool:
    """Whether the chart takes the services of a pair."""
    frame = builder.frame
    if not _bills(builder):
        return False
    if (
        pair.problem is not None
        and builder.services
        and pair.problem.condition.id not in builder.ids
    ):
        # A second pair must fit the chart as it is; another errand would strain belief.
        return False
    if not frame.allows(pair.mask, pair.low, pair.high, pair.sex):
        return False
    if pair.problem is not None:
        return True
    if pair.needs is not None and pair.needs not in builder.systems:
        return False
    return pair.fits == ("",) or any(code.startswith(pair.fits) for code in builder.codes)


def narrow(builder: Builder, pair: NcciScenario | QuietPair) -> None:
    """Keep to the settings, ages and sex of a pair; only professional claims bill services."""
    frame = builder.frame
    frame.narrow(pair.mask, pair.low, pair.high, pair.sex)
    frame.claim = "professional"


def bring(builder: Builder, option: Option | None, phase: str | None) -> bool:
    """Add a problem that the pair brings, unless the chart has it already."""
    if option is None:
        return True
    if option.condition.id in builder.ids:
        return False
    # An examination or a screening is what somebody comes for, never a second errand, and
    # takes no other beside it.
    if builder.calm or (option.value.course == "screening" and builder.problems):
        return False
    # The pair's own settings narrow the frame, so the problem joins as a background one.
    problem = builder.admit(option, reason=False, phase=phase)
    if problem is None:
        return False
    if not any(p.reason and p.reserved for p in builder.problems):
        # Who comes for an operation comes for what is operated on.
        for other in builder.problems:
            other.reason = other is problem
        builder.reason = True
    return True


def _place(builder: Builder, lane: Lane, scenario: NcciScenario, variant: Variant) -> Placed | None:
    """Put services, problems and the statement of a scenario into the chart.

    A chart that takes the problem but not the services is left with an ordinary problem.
    """
    if not enters(builder, scenario):
        return None
    if variant.sole and builder.problems:
        return None
    other = None
    if variant.uses_other:
        other = next((p for p in builder.problems if p.status == "active"), None)
        if other is None:
            return None
    if not bring(builder, scenario.problem, scenario.phase):
        return None
    if variant.uses_second and not bring(builder, scenario.second, None):
        return None
    if not builder.frame.mask & scenario.mask:
        return None
    world = builder.world
    standing = len(builder.services)
    first = builder.admit_service(world.service(scenario.column1), says=_one(variant.says1, lane))
    second = None
    if first is not None and variant.col2_in_note:
        second = builder.admit_service(
            world.service(scenario.column2),
            says=_one(variant.says2, lane),
            beside=scenario.column1,
        )
    if first is None or (variant.col2_in_note and second is None):
        del builder.services[standing:]
        return None
    for code in scenario.also:
        builder.admit_service(world.service(code))
    if second is not None:
        second.billed = variant.kind == "justified"
    if variant.kind != "justified":
        builder.pending.append(scenario.column2)
    narrow(builder, scenario)
    builder.closed = builder.closed or variant.sole
    mentions = {"other": other.id} if other is not None else {}
    about = [first.id] + ([second.id] if second else [])
    attributes = {} if second else {"service": world.service(scenario.column2).label}
    made = Statement(
        builder.next_id("r"), variant.relation or "told", about, lane.pick(variant.say),
        mentions, "procedures", attributes if variant.relation else {},
    )  # fmt: skip
    builder.statements.append(made)
    return Placed(first.id, second.id if second else None, made.id)


def _place_quiet(builder: Builder, lane: Lane, pair: QuietPair) -> Placed | None:
    """Put the services of a pair that no edit keeps apart into the chart."""
    if not enters(builder, pair) or not bring(builder, pair.problem, pair.phase):
        return None
    if not builder.frame.mask & pair.mask:
        return None
    world = builder.world
    standing = len(builder.services)
    first = builder.admit_service(world.service(pair.a), says=_one(pair.says_a, lane))
    second = None
    if first is not None:
        second = builder.admit_service(world.service(pair.b), says=_one(pair.says_b, lane))
    if first is None or second is None:
        del builder.services[standing:]
        return None
    for performed in (first, second):
        modifier = pair.modifiers.get(performed.service.code)
        if modifier:
            performed.modifiers.append(modifier)
    narrow(builder, pair)
    made = Statement(
        builder.next_id("r"), "told", [first.id, second.id], lane.pick(pair.say), {}, "procedures"
    )
    builder.statements.append(made)
    return Placed(first.id, second.id, made.id)


def _one(sentences: tuple[str, ...], lane: Lane) -> str | None:
    return lane.pick(sentences) if sentences else None


@dataclass(slots=True)
class Bundle:
    """Column 2 is to be billed although it must not."""

    scenario: NcciScenario
    variant: Variant
    placed: Placed
    late: ClassVar[bool] = False
    lines: ClassVar[int] = 1
    members: ClassVar[int] = 2
    spare: ClassVar[bool] = True

    def apply(self, work: Work) -> Broken | None:
        """Insert column 2, with the modifier that the variant calls for."""
        scenario, variant, placed = self.scenario, self.variant, self.placed
        first = work.of_service(scenario.column1)
        if first is None or first.taken or work.of_service(scenario.column2) is not None:
            return None
        service = work.world.service(scenario.column2)
        facts = [placed.second] if placed.second else []
        draft = Draft(service.code, service.system, facts, taken=True, units=service.units)
        draft.description = service.label
        modifier = unearned(scenario, variant, work.lane)
        if modifier:
            draft.modifiers.append(modifier)
        first.taken = True
        work.insert(draft)
        kind = "unjustified_modifier" if variant.modifier else "bundled"
        if scenario.indicator == 0:
            kind = "indicator_0"
        evidence = [placed.first]
        evidence += facts
        if placed.statement:
            evidence.append(placed.statement)
        return Broken(
            "ncci_edit",
            kind,
            draft,
            first,
            ["ncci_edit"],
            "remove",
            None,
            evidence,
            [],
            ["NCCI", scenario.column1, scenario.column2],
            _explain(scenario, modifier),
            sources.ncci_pair(scenario.column1, scenario.column2, scenario.indicator),
        )


def _explain(scenario: NcciScenario, modifier: str | None) -> str:
    pair = f"{scenario.column2} is column 2 to {scenario.column1} (indicator {scenario.indicator})"
    if scenario.indicator == 0:
        return f"{pair}; no modifier allows both. {scenario.why}"
    if modifier:
        return f"{pair}; the record does not bear modifier {modifier} out. {scenario.why}"
    return f"{pair}; the record gives no ground to bill both. {scenario.why}"


@dataclass(slots=True)
class Unmodified:
    """Two services that the record tells apart, billed without the modifier that says so."""

    scenario: NcciScenario
    placed: Placed
    late: ClassVar[bool] = False
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 2
    spare: ClassVar[bool] = False

    def apply(self, work: Work) -> Broken | None:
        """Leave the modifier out; the mend is to add it to column 2."""
        scenario, placed = self.scenario, self.placed
        first = work.of_service(scenario.column1)
        second = work.of_service(scenario.column2)
        if first is None or second is None or first.taken or second.taken:
            return None
        if first.modifiers or second.modifiers or second.service is None:
            return None
        first.taken = second.taken = True
        modifier = "25" if second.service.service.takes_25 else "59"
        evidence = [placed.first]
        evidence += [fact for fact in (placed.second, placed.statement) if fact]
        return Broken(
            "ncci_edit",
            "missing_modifier",
            second,
            first,
            ["ncci_edit"],
            "add_modifier",
            modifier,
            evidence,
            [],
            ["NCCI", scenario.column1, scenario.column2, modifier],
            f"{scenario.column2} is column 2 to {scenario.column1} (indicator 1); the record tells "
            f"of separate services, and without modifier {modifier} the claim does not say so.",
            sources.ncci_pair(scenario.column1, scenario.column2, scenario.indicator),
        )


@dataclass(slots=True)
class Justified:
    """The decoy: a pair with a modifier that the record bears out."""

    scenario: NcciScenario
    variant: Variant
    placed: Placed

    late: ClassVar[bool] = False
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 0
    spare: ClassVar[bool] = True

    def apply(self, work: Work) -> Innocent | None:
        """Put the modifier on the right claim; the pair is named as a decoy."""
        scenario, variant, placed = self.scenario, self.variant, self.placed
        first = work.of_service(scenario.column1)
        second = work.of_service(scenario.column2)
        if first is None or second is None or first.taken or second.taken or not variant.modifier:
            return None
        modifier = work.lane.pick(variant.modifiers_ok)
        if modifier not in second.modifiers:
            second.modifiers.append(modifier)
        first.taken = second.taken = True
        facts = [placed.first, placed.second or placed.first]
        if placed.statement:
            facts.append(placed.statement)
        return Innocent(
            "ncci_edit",
            "justified_modifier",
            second,
            first,
            facts,
            [],
            f"The record bears modifier {modifier} out. {scenario.why}",
            sources.ncci_pair(scenario.column1, scenario.column2, scenario.indicator),
        )


@dataclass(slots=True)
class Quiet:
    """The decoy: two services that no active pair keeps apart."""

    pair: QuietPair
    placed: Placed

    late: ClassVar[bool] = False
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 0
    spare: ClassVar[bool] = True

    def apply(self, work: Work) -> Innocent | None:
        """Nothing is broken; the pair is named as a decoy."""
        pair = self.pair
        first, second = work.of_service(pair.a), work.of_service(pair.b)
        if first is None or second is None or first.taken or second.taken:
            return None
        first.taken = second.taken = True
        if pair.deleted_on:
            authority = sources.ncci_pair_deleted(pair.a, pair.b, pair.deleted_on)
        else:
            authority = sources.ncci_no_pair(pair.a, pair.b)
        return Innocent(
            "ncci_edit",
            pair.kind,
            second,
            first,
            [self.placed.first, self.placed.second or "", self.placed.statement or ""],
            [],
            pair.reason,
            authority,
        )
