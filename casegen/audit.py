"""The audit family: claims with errors of known types, certified case by case."""

from __future__ import annotations

import gc
import itertools
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from casegen.schemas import Case, CertificationError, ClaimLine, InputError, TablesRef
from casegen.schemas.authority import cited
from casegen.schemas.case import ErrorType, case_id

from .accident import AccidentError
from .certify import certify
from .chart.build import Builder
from .chart.fill import ensure_reason, fill_problems, in_drawn_order
from .chart.frame import first_frame
from .chart.guided import join_guideline
from .chart.model import Chart
from .chart.options import BIT, settings_mask
from .chart.patient import draw_patient, settle_encounter
from .chart.serious import lengthen_stay
from .chart.services import fill_services
from .coder import code_chart
from .config import AuditConfig, check_seed, check_split, options_of, whole
from .conform import EVERY, conform
from .guidelines import SHARE
from .injectors import DECOYS, ERRORS, excludes1_conflict
from .injectors.model import Broken, Innocent, Plan, Work
from .injectors.ncci_alone import bring_alone
from .note import Written, write_note
from .randomness import Lane, Lanes, Source, running_sums
from .siblings import turn
from .structure import condition_of, structural_key

if TYPE_CHECKING:
    from .world import World

FAMILY = "audit"
VERSION = "v0"
ATTEMPTS = 60
LEAST_CODES, MOST_CODES = 3, 12
# Per cent of cases, see ``_attempt``.
ORDINARY_REASON = 75
BYSTANDERS = 22
ALONE = 25
# A draw that belongs to another split is passed over; it is no accident of the content.
LAST_INDEX = 1 << 63
OTHER_SPLIT = "belongs to another split"
TOO_SHORT = "fewer codes than a claim must hold"
TOO_LONG = "more codes than a claim may hold"
CROWDED = "more than half of the codes in findings"


class AuditGenerator:
    """A lazy sequence of certified cases.

    ``generator[i]`` is a pure function of the recipe and ``i``; ``cases(start, n)`` streams.
    ``redraws`` counts the attempts given up, by reason; ``drawn`` the cases, made with ``tables``.
    """

    def __init__(self, world: World, seed: int, split: str, config: AuditConfig) -> None:
        self.world = world
        self.seed = check_seed(seed)
        self.split = check_split(split)
        self.config = config
        self.redraws: Counter[str] = Counter()
        self.drawn = 0
        self.options = options_of(config)
        self._source = Source(f"{FAMILY}-{VERSION}/{split}/{seed}")
        self._mask = settings_mask(config.settings)
        levels = world.difficulties
        names = [config.difficulty] if config.difficulty else list(levels)
        self._levels = names
        self._totals = running_sums([levels[name].weight for name in names])
        # The smallest number of errors that a case of each difficulty may have.
        self._least = {name: 1 + levels[name].totals.count(0) for name in names}
        self._types: tuple[ErrorType, ...] = tuple(t for t in ERRORS if config.errors.get(t, 0) > 0)
        self._weights = {
            name: [config.errors[t] * levels[name].types[t] for t in self._types] for name in names
        }
        self.tables = TablesRef(world.tables.name, world.tables.digest)
        self._clean = round(config.clean * 1_000_000)

    def __reduce__(self) -> tuple[Any, ...]:
        """A generator is its recipe: another process makes the world anew."""
        return _restored, (self.seed, self.split, self.config)

    def __getitem__(self, index: int) -> Case:
        return self._case(whole("index", index, LAST_INDEX - 1))[self.config.sibling == "turned"]

    def cases(self, start: int = 0, count: int | None = None) -> Iterator[Case]:
        """Cases ``start`` to ``start + count``, or without end."""
        for index in _indices(start, count):
            yield self[index]

    def pairs(self, start: int = 0, count: int | None = None) -> Iterator[tuple[Case, Case]]:
        """Cases ``start`` to ``start + count``, or without end, each with its sibling.

        Raises InputError unless the configuration names a ``sibling``.
        """
        if self.config.sibling is None:
            raise InputError("sibling", None, "'first' or 'turned', for cases with siblings")
        for index in _indices(start, count):
            first, turned = self._case(index)
            yield first, turned

    def _case(self, index: int) -> list[Case]:
        # A case makes thousands of objects and no cycle, so that the collector would look
        # through them in vain.
        held = gc.isenabled()
        gc.disable()
        try:
            return self._drawn(index)
        finally:
            if held:
                gc.enable()

    def _drawn(self, index: int) -> list[Case]:
        given_up: list[str] = []
        for attempt in range(ATTEMPTS):
            try:
                cases = self._attempt(index, attempt)
                for case in cases:
                    certify(case, self.world.tables, self.world.judged_by)
            except AccidentError as accident:
                given_up.append(accident.reason)
                self.redraws[accident.reason] += 1
                continue
            for case in cases:
                case.redraws = given_up
                if index % EVERY == EVERY - 1:
                    conform(case)
            self.drawn += 1
            return cases
        name = case_id(FAMILY, VERSION, self.split, self.seed, index, self.options)
        often = Counter(given_up).most_common(1)[0][0]
        if self.options:
            told = f"no case in {ATTEMPTS} draws, mostly {often}; allow more of them"
            raise InputError(", ".join(self.options), name, told)
        raise CertificationError(f"{name}: no case in {ATTEMPTS} draws, mostly {often}")

    def _attempt(self, index: int, attempt: int) -> list[Case]:
        """The case, or with siblings both."""
        world = self.world
        lanes = self._source.lanes(index, attempt)
        plan_lane = lanes.plan
        name = plan_lane.weighted(self._levels, self._totals)
        level = world.difficulties[name]
        clean = plan_lane.below(1_000_000) < self._clean
        wanted = plan_lane.between(*level.codes)
        errors = 0 if clean else 1 + plan_lane.weighted(range(len(level.errors)), level.totals)
        decoys = plan_lane.between(*level.decoys)
        ambiguous = plan_lane.below(100) < level.ambiguous

        builder = Builder(world, lanes, first_frame(world, self._mask, plan_lane))
        if plan_lane.below(100) < SHARE:
            join_guideline(builder, plan_lane)
        # In most cases an ordinary problem is the reason, so that the first line of a claim is
        # no likelier to be wrong than the others; a bystander is ruled out and nobody bills it.
        if plan_lane.below(100) < ORDINARY_REASON:
            ensure_reason(builder, lanes.chart)
        if plan_lane.below(100) < BYSTANDERS:
            excludes1_conflict.reserve(builder, plan_lane)
        if plan_lane.below(100) < ALONE:
            bring_alone(builder, plan_lane)
        plans = self._reserve(builder, lanes, name, errors, decoys, ambiguous)
        chart = self._chart(builder, lanes, wanted, plans)
        work = Work(world, chart, code_chart(chart, world.tables), lanes.inject)
        _make_room(plans, len(work.drafts), 0 if clean else self._least[name])
        broken: list[Broken] = []
        innocent: list[Innocent] = []
        work.shuffle_services()
        # What rests on a reserved problem goes first; what takes any line goes last.
        for plan in plans:
            done = plan.apply(work)
            if done is None:
                raise AccidentError(f"no {type(plan).__name__} on the claim")
            if isinstance(done, Broken):
                broken.append(done)
            else:
                innocent.append(done)
        if not broken and not clean:
            raise AccidentError("the physician bears the only error out")
        # The claim is settled before the note is written, which costs more than all the rest.
        written = write_note(world, chart, lanes.note)
        if written.too_long:
            raise AccidentError("long note")
        frame = (index, name, level.max_steps)
        if self.config.sibling is None:
            return [self._assemble(*frame, self.options, work, written, broken, innocent)]
        options = {**self.options, "sibling": "first"}
        first = self._assemble(*frame, options, work, written, broken, innocent)
        turned = turn(work, broken, innocent, first.id)
        if turned is None or 2 * sum(b.members for b in turned.broken) > len(work.drafts):
            raise AccidentError("no fact to turn")
        work.questions = turned.questions
        options = {**options, "sibling": "turned"}
        # The same words, but for the fact.
        written = write_note(world, chart, self._source.lanes(index, attempt).note)
        other = self._assemble(*frame, options, work, written, turned.broken, turned.innocent)
        return [first, other]

    def _reserve(
        self, builder: Builder, lanes: Lanes, name: str, errors: int, decoys: int, ambiguous: bool
    ) -> list[Plan]:
        lane, weights = lanes.plan, list(self._weights[name])
        reserved: list[Plan] = []
        free: list[Plan] = []
        brought = 0
        for i in range(errors):
            plan = self._error(builder, lane, weights, ambiguous and i == 0)
            brought += plan.lines
            (free if plan.late else reserved).append(plan)
        if ambiguous and not errors:
            open_fact = ERRORS["specificity_error"](builder, lane, True)
            if open_fact is not None and open_fact.ambiguous:
                open_fact.settles_right = True
                reserved.append(open_fact)
        for _ in range(decoys):
            # The visit itself and a decoy's pair must still find room.
            if builder.lines + len(builder.services) + brought > MOST_CODES - 4:
                break
            decoy = DECOYS[lane.below(len(DECOYS))](builder, lane)
            if decoy is not None:
                reserved.append(decoy)
        return reserved + free

    def _error(self, builder: Builder, lane: Lane, weights: list[int], ambiguous: bool) -> Plan:
        """Reserve one error that the chart takes; ``weights`` of the types are brought up to
        date. Where no fact can be left open an ``ambiguous`` error becomes any other.

        Raises AccidentError where no type fits.
        """
        types = self._types
        if ambiguous and "specificity_error" in types:
            at = types.index("specificity_error")
            plan: Plan | None = ERRORS["specificity_error"](builder, lane, True)
            if plan is not None:
                _favour_others(weights, at)
                return plan
        still_open = list(weights)
        while any(still_open):
            at = lane.weighted(range(len(types)), list(accumulate(still_open)))
            plan = ERRORS[types[at]](builder, lane)
            if plan is not None:
                _favour_others(weights, at)
                return plan
            # A chart that refuses a type takes it the next time no more than now.
            still_open[at] = 0
        raise AccidentError("no scenario for an error")

    def _chart(self, builder: Builder, lanes: Lanes, wanted: int, plans: list[Plan]) -> Chart:
        world = self.world
        if not ensure_reason(builder, lanes.chart):
            raise AccidentError("no reason for the encounter")
        reason = next(p for p in builder.problems if p.reason)
        encounter = settle_encounter(
            world, self.config, builder.frame, reason.course, lanes.patient
        )
        patient, years, days = draw_patient(world, builder.frame, encounter, lanes.patient)
        frame = builder.frame
        frame.low = frame.high = years
        if frame.newborn is not None:
            frame.newborn = (days, days)
        frame.sex = 0 if patient.sex == "female" else 1
        frame.mask = BIT[encounter.setting]
        # Late plans and conflicts bring lines of their own.
        extra = least = 0
        for plan in plans:
            extra += plan.lines
            least += 2 * plan.members
        wanted = min(MOST_CODES, max(wanted, least))
        lane = lanes.chart
        if encounter.claim_type == "professional":
            services = max(1 + lane.below(3), len(builder.services))
            # One line stays open for the problem that settles the split.
            fill_problems(builder, lane, max(1, wanted - extra - services - 1), None)
            fill_services(builder, lane, encounter.setting, years, frame.sex, services)
        services = sum(performed.billed for performed in builder.services)
        if not fill_problems(builder, lane, max(1, wanted - extra - services), self.split):
            raise AccidentError(OTHER_SPLIT)
        lengthen_stay(world, patient, encounter, builder.problems)
        builder.problems = in_drawn_order(builder.problems, world.tables, lane, builder.guided)
        return Chart(
            patient, encounter, years, days, builder.problems, builder.services,
            builder.statements, builder.guided,
        )  # fmt: skip

    def _assemble(
        self,
        index: int,
        difficulty: str,
        max_steps: int,
        options: dict[str, str],
        work: Work,
        written: Written,
        broken: list[Broken],
        innocent: list[Innocent],
    ) -> Case:
        facts, chart = written.facts, work.chart
        describe = self.world.describe
        claim: list[ClaimLine] = []
        codes: list[str] = []
        for number, draft in enumerate(work.drafts, 1):
            draft.line = number
            code, says = draft.code, draft.description or describe(draft)
            codes.append(code)
            claim.append(ClaimLine(number, code, draft.system, says, draft.modifiers, draft.units))
        findings = [b.finding(facts) for b in broken]
        if len(findings) > 1:
            findings.sort(key=lambda f: (f.line, f.error_type))
        decoys = [i.decoy(facts) for i in innocent]
        editions = self.world.editions
        if editions is not None:
            for finding in findings:
                finding.authority = cited(finding.authority, editions)
            for decoy in decoys:
                decoy.authority = cited(decoy.authority, editions)
        conditions = [condition_of(problem) for problem in chart.problems]
        conditions.sort()
        return Case(
            id=case_id(FAMILY, VERSION, self.split, self.seed, index, options),
            family=FAMILY,
            version=VERSION,
            split=self.split,  # type: ignore[arg-type]
            seed=self.seed,
            index=index,
            options=dict(options),
            tables=TablesRef(self.tables.name, self.tables.digest),
            difficulty=difficulty,  # type: ignore[arg-type]
            max_steps=max_steps,
            patient=chart.patient,
            encounter=chart.encounter,
            note_style=written.style,
            note=written.note,
            claim=claim,
            record=[fact for fact in facts.values() if fact.spans],
            questions=work.questions,
            findings=findings,
            decoys=decoys,
            conditions=conditions,
            structural_key=structural_key(conditions, codes, findings),
            redraws=[],
        )


def _indices(start: int, count: int | None) -> Iterator[int]:
    first = whole("start", start, LAST_INDEX - 1)
    if count is None:
        return itertools.count(first)
    return iter(range(first, first + whole("count", count, LAST_INDEX - first)))


def _restored(seed: int, split: str, config: AuditConfig) -> AuditGenerator:
    from .knowledge import world_of

    return AuditGenerator(world_of(split, config.tables), seed, split, config)


def _favour_others(weights: list[int], chosen: int) -> None:
    """A second error of one type is half as likely as one of another type."""
    for at in range(len(weights)):
        if at != chosen:
            weights[at] *= 2


def _make_room(plans: list[Plan], lines: int, least: int) -> None:
    """Drop errors, the last first, while the claim would be too long or more than half of its
    codes would stand in findings. ``lines`` is the length of the right claim.

    Raises AccidentError where fewer than ``least`` errors would be left, or where the claim is
    too short or too long all the same.
    """
    named = errors = 0
    for plan in plans:
        if plan.members:
            lines += plan.lines
            named += plan.members
            errors += 1
    while lines > MOST_CODES or 2 * named > lines:
        long = lines > MOST_CODES
        at = len(plans) - 1
        while at >= 0 and not (plans[at].lines if long else plans[at].members and plans[at].spare):
            at -= 1
        if at < 0 or errors <= least:
            raise AccidentError(TOO_LONG if long else CROWDED)
        dropped = plans.pop(at)
        lines -= dropped.lines
        named -= dropped.members
        errors -= 1
    if lines < LEAST_CODES:
        raise AccidentError(TOO_SHORT)
