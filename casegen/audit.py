"""The audit family: claims with errors of known types, certified case by case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from casegen.schemas import Case, CertificationError, ClaimLine, InputError, TablesRef
from casegen.schemas.authority import cited
from casegen.schemas.case import ErrorType, case_id

from .certify import AccidentError, certify
from .chart.build import Builder
from .chart.fill import ensure_reason, fill_problems, fill_services, in_drawn_order
from .chart.frame import Frame
from .chart.model import Chart
from .chart.options import settings_mask
from .chart.patient import draw_patient, settle_encounter
from .coder import Draft, code_chart
from .config import AuditConfig, check_seed, check_split, options_of
from .conform import EVERY, conform
from .injectors import DECOYS, ERRORS, excludes1_conflict
from .injectors.model import Broken, Innocent, Plan, Work
from .note import write_note
from .randomness import Lanes, Source, running_sums

if TYPE_CHECKING:
    from .world import World

FAMILY = "audit"
VERSION = "v0"
ATTEMPTS = 60
LEAST_CODES, MOST_CODES = 3, 12
# Per cent of cases, see ``_attempt``.
ORDINARY_REASON = 75
BYSTANDERS = 22
# A draw that belongs to another split is passed over; it is no accident of the content.
LAST_INDEX = 1 << 63
OTHER_SPLIT = "belongs to another split"


class AuditGenerator:
    """A lazy sequence of certified cases.

    ``generator[i]`` is a pure function of the recipe and ``i``; ``cases(start, n)`` streams.
    ``redraws`` counts the attempts that were given up, by reason; ``drawn`` the cases.
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
        self._types: tuple[ErrorType, ...] = tuple(t for t in ERRORS if config.errors.get(t, 0) > 0)
        self._weights = [config.errors[t] for t in self._types]
        self._clean = round(config.clean * 1_000_000)

    def __reduce__(self) -> tuple[Any, ...]:
        """A generator is its recipe: another process makes the world anew."""
        return _restored, (self.seed, self.split, self.config)

    def __getitem__(self, index: int) -> Case:
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < LAST_INDEX:
            raise InputError("index", index, "must be a whole number from 0 to 2**63 - 1")
        return self._case(index)

    def cases(self, start: int = 0, count: int | None = None) -> Iterator[Case]:
        """Cases ``start`` to ``start + count``, or without end."""
        index = start
        while count is None or index < start + count:
            yield self[index]
            index += 1

    def _case(self, index: int) -> Case:
        given_up: list[str] = []
        for attempt in range(ATTEMPTS):
            try:
                case = self._attempt(index, self._source.lanes(index, attempt))
                certify(case, self.world.tables, self.world.judged_by)
            except AccidentError as accident:
                given_up.append(accident.reason)
                self.redraws[accident.reason] += 1
                continue
            case.redraws = given_up
            if index % EVERY == EVERY - 1:
                conform(case)
            self.drawn += 1
            return case
        raise CertificationError(
            f"{FAMILY}-{VERSION}/{self.split}/{self.seed}/{index}: no case in {ATTEMPTS} draws"
        )

    def _attempt(self, index: int, lanes: Lanes) -> Case:
        world = self.world
        plan_lane = lanes.plan
        name = plan_lane.weighted(self._levels, self._totals)
        level = world.difficulties[name]
        clean = plan_lane.below(1_000_000) < self._clean
        wanted = plan_lane.between(*level.codes)
        errors = 0 if clean else 1 + plan_lane.weighted(range(len(level.errors)), level.totals)
        decoys = plan_lane.between(*level.decoys)
        ambiguous = plan_lane.below(100) < level.ambiguous

        builder = Builder(world, lanes, Frame(mask=self._mask))
        # In most cases an ordinary problem is the reason, so that the first line of a claim is
        # no likelier to be wrong than the others; a bystander is ruled out and nobody bills it.
        if plan_lane.below(100) < ORDINARY_REASON:
            ensure_reason(builder, lanes.chart)
        if plan_lane.below(100) < BYSTANDERS:
            excludes1_conflict.reserve(builder, plan_lane)
        plans = self._reserve(builder, lanes, errors, decoys, ambiguous)
        chart = self._chart(builder, lanes, wanted, plans)
        drafts = code_chart(chart)
        written = write_note(world, chart, lanes.note)
        work = Work(world, chart, drafts, written.facts, lanes.inject)
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
        return self._assemble(index, name, level.max_steps, chart, work, written, broken, innocent)

    def _reserve(
        self, builder: Builder, lanes: Lanes, errors: int, decoys: int, ambiguous: bool
    ) -> list[Plan]:
        lane = lanes.plan
        reserved: list[Plan] = []
        free: list[Plan] = []
        weights = list(self._weights)
        for i in range(errors):
            for _ in range(10):
                kind = lane.weighted(self._types, running_sums(weights))
                if ambiguous and i == 0 and "specificity_error" in self._types:
                    kind = "specificity_error"
                if kind == "specificity_error":
                    plan = ERRORS[kind](builder, lane, ambiguous and i == 0)
                else:
                    plan = ERRORS[kind](builder, lane)
                if plan is not None:
                    # A second error of one kind is half as likely as one of another kind.
                    weights = [
                        w if t == kind else 2 * w for t, w in zip(self._types, weights, strict=True)
                    ]
                    break
            else:
                raise AccidentError("no scenario for an error")
            (free if plan.late else reserved).append(plan)
        if ambiguous and not errors:
            open_fact = ERRORS["specificity_error"](builder, lane, True)
            if open_fact is not None and open_fact.ambiguous:
                open_fact.settles_right = True
                reserved.append(open_fact)
        for _ in range(decoys):
            # The visit itself and a decoy's pair must still find room.
            lines = builder.lines + len(builder.services) + sum(p.lines for p in reserved + free)
            if lines > MOST_CODES - 4:
                break
            decoy = DECOYS[lane.below(len(DECOYS))](builder, lane)
            if decoy is not None:
                reserved.append(decoy)
        return reserved + free

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
        frame.mask = settings_mask((encounter.setting,))
        # Late plans and conflicts bring lines of their own.
        extra = sum(plan.lines for plan in plans)
        least = 2 * sum(plan.members for plan in plans)
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
        builder.problems = in_drawn_order(builder.problems, world.tables, lane)
        return Chart(
            patient, encounter, years, days, builder.problems, builder.services, builder.statements
        )

    def _assemble(
        self,
        index: int,
        difficulty: str,
        max_steps: int,
        chart: Chart,
        work: Work,
        written: object,
        broken: list[Broken],
        innocent: list[Innocent],
    ) -> Case:
        facts = work.facts
        claim: list[ClaimLine] = []
        describe = self.world.describe
        for number, draft in enumerate(work.drafts, 1):
            draft.line = number
            claim.append(
                ClaimLine(
                    number,
                    draft.code,
                    draft.system,
                    draft.description or describe(draft),
                    draft.modifiers,
                    draft.units,
                )
            )
        findings = [b.finding(facts) for b in broken]
        findings.sort(key=lambda f: (f.line, f.error_type))
        decoys = [i.decoy(facts) for i in innocent]
        editions = self.world.editions
        if editions is not None:
            for finding in findings:
                finding.authority = cited(finding.authority, editions)
            for decoy in decoys:
                decoy.authority = cited(decoy.authority, editions)
        if not LEAST_CODES <= len(claim) <= MOST_CODES:
            raise AccidentError("more or fewer codes than a claim may hold")
        members = {code for f in findings for code in f.accepted_codes}
        if 2 * len(members) > len(claim):
            raise AccidentError("more than half of the codes in findings")
        conditions = sorted(_condition(problem) for problem in chart.problems)
        codes = sorted(draft.code for draft in work.drafts)
        errors = sorted(f"{f.error_type}:{f.code}" for f in findings)
        parts = "\x00".join("\n".join(part) for part in (conditions, codes, errors))
        key = blake2b(parts.encode(), digest_size=16)
        return Case(
            id=case_id(FAMILY, VERSION, self.split, self.seed, index, self.options),
            family=FAMILY,
            version=VERSION,
            split=self.split,  # type: ignore[arg-type]
            seed=self.seed,
            index=index,
            options=dict(self.options),
            tables=TablesRef(self.world.tables.name, self.world.tables.digest),
            difficulty=difficulty,  # type: ignore[arg-type]
            max_steps=max_steps,
            patient=chart.patient,
            encounter=chart.encounter,
            note_style=written.style,  # type: ignore[attr-defined]
            note=written.note,  # type: ignore[attr-defined]
            claim=claim,
            record=[fact for fact in facts.values() if fact.spans],
            questions=work.questions,
            findings=findings,
            decoys=decoys,
            conditions=conditions,
            structural_key=key.hexdigest(),
            redraws=[],
        )


def _restored(seed: int, split: str, config: AuditConfig) -> AuditGenerator:
    from .knowledge import world_of

    return AuditGenerator(world_of(split, config.tables), seed, split, config)


def _condition(problem: object) -> str:
    attributes = problem.attributes  # type: ignore[attr-defined]
    name: str = problem.origin  # type: ignore[attr-defined]
    if not attributes:
        return name
    told = ",".join(f"{key}={attributes[key]}" for key in sorted(attributes))
    return f"{name}[{told}]"


def duplicate_lines(drafts: list[Draft]) -> bool:
    """Whether two lines of a claim carry one code."""
    codes = [draft.code for draft in drafts]
    return len(set(codes)) < len(codes)
