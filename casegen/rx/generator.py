"""The generator of rx cases."""

from __future__ import annotations

import gc
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from casegen.schemas import CertificationError, Encounter, InputError, Patient, Span, TablesRef
from casegen.schemas.case import case_id
from casegen.schemas.rx_case import RxCase, RxDecoy, RxFinding
from casegen.seeds.rx.recommending import recommend

from ..accident import AccidentError
from ..config import RxConfig, check_seed, check_split, options_of, whole
from ..conform import EVERY, conform
from ..randomness import Lane, Source, running_sums
from .certify import certify
from .doses import told
from .draw import draw
from .known import known
from .lines import Pen
from .model import ADULT, Found, Item, Sketch, Spared, cite
from .narrow import Narrow
from .write import Page, write

if TYPE_CHECKING:
    from ..world import World

FAMILY = "rx"
VERSION = "v0"
ATTEMPTS = 60
LAST_INDEX = 1 << 63
_MILLION = 1_000_000
_SENIOR = 65 * 12
_SETTINGS = ("office", "office", "office", "telehealth", "emergency")
_INFUSED = frozenset(("intravenous", "intramuscular"))
_STRICTNESS = ("approve", "modify", "reject")


class RxGenerator:
    """A lazy sequence of certified cases.

    ``generator[i]`` is a pure function of the recipe and ``i``; ``cases(start, n)`` streams.
    ``redraws`` counts the attempts given up, by reason; ``drawn`` the cases, made with ``tables``.
    """

    def __init__(self, world: World, seed: int, split: str, config: RxConfig) -> None:
        self.world = world
        self.seed = check_seed(seed)
        self.split = check_split(split)
        self.config = config
        self.redraws: Counter[str] = Counter()
        self.drawn = 0
        self.options = options_of(config)
        self.known = known()
        self._source = Source(f"{FAMILY}-{VERSION}/{split}/{seed}")
        table = self.known.levels
        self._levels = [config.difficulty] if config.difficulty else list(table)
        self._totals = running_sums([table[name].weight for name in self._levels])
        self._safe = round(config.safe * _MILLION)
        self.tables = TablesRef(world.tables.name, world.tables.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        """A generator is its recipe: another process makes the world anew."""
        return _restored, (self.seed, self.split, self.config)

    def __getitem__(self, index: int) -> RxCase:
        # A case makes many objects and no cycle: the collector would look through them in vain.
        index = whole("index", index, LAST_INDEX - 1)
        held = gc.isenabled()
        gc.disable()
        try:
            return self._case(index)
        finally:
            if held:
                gc.enable()

    def cases(self, start: int = 0, count: int | None = None) -> Iterator[RxCase]:
        """Cases ``start`` to ``start + count``, or without end."""
        first = whole("start", start, LAST_INDEX - 1)
        if count is None:
            indices: Iterator[int] = itertools.count(first)
        else:
            indices = iter(range(first, first + whole("count", count, LAST_INDEX - first)))
        for index in indices:
            yield self[index]

    def _case(self, index: int) -> RxCase:
        given_up: list[str] = []
        for attempt in range(ATTEMPTS):
            try:
                case = self._attempt(index, attempt)
                certify(case)
            except AccidentError as accident:
                given_up.append(accident.reason)
                self.redraws[accident.reason] += 1
                continue
            case.redraws = given_up
            if index % EVERY == EVERY - 1:
                conform(case)
            self.drawn += 1
            return case
        name = case_id(FAMILY, VERSION, self.split, self.seed, index, self.options)
        often = Counter(given_up).most_common(1)[0][0]
        if self.options:
            mend = f"no case in {ATTEMPTS} draws, mostly {often}; allow more of them"
            raise InputError(", ".join(self.options), name, mend)
        raise CertificationError(f"{name}: no case in {ATTEMPTS} draws, mostly {often}")

    def _attempt(self, index: int, attempt: int) -> RxCase:
        lanes = self._source.lanes(index, attempt)
        name = lanes.plan.weighted(self._levels, self._totals)
        level = self.known.levels[name]
        safe = lanes.plan.below(_MILLION) < self._safe
        sketch = draw(self.known, lanes, level, self.split, safe)
        names = told(self.known.rx, sketch.drug, sketch.use, sketch.condition)
        if not names:
            raise AccidentError("no name for what the drug is for")
        sketch.indication = lanes.inject.pick(names)
        patient, encounter = self._people(sketch, lanes.patient)
        on = date.fromisoformat(encounter.service_date)
        pen = Pen(sketch, level, Narrow(lanes.note), on, self.world.tables)
        number = f"{lanes.patient.below(10_000_000):07d}"
        page = write(pen, patient.name, number, on)
        return self._assemble(index, name, level.max_steps, sketch, page, patient, encounter)

    def _people(self, sketch: Sketch, lane: Lane) -> tuple[Patient, Encounter]:
        """Who the patient is, and when the prescription is written."""
        world = self.world
        first, last = (
            world.ordinal(day) for day in (self.config.first_date, self.config.last_date)
        )
        on = date.fromordinal(first + lane.below(last - first + 1))
        months, grown = sketch.months, sketch.months >= ADULT
        payer = "child" if not grown else "senior" if months >= _SENIOR else "adult"
        pool = world.names[0 if sketch.sex == "female" else 1]
        patient = Patient(
            name=f"{lane.pick(pool)} {lane.pick(world.last_names)}",
            mrn=f"MRN{lane.below(10_000_000):07d}",
            birth_date=born(on, months, lane.below(28)).isoformat(),
            sex=sketch.sex,  # type: ignore[arg-type]
            insurance=lane.pick(world.encounters.insurance[payer]),
        )
        infused = sketch.regimen is not None and sketch.regimen.route in _INFUSED
        setting = "emergency" if infused else lane.pick(_SETTINGS)
        encounter = Encounter(setting, "professional", on.isoformat(), None, "prescription")  # type: ignore[arg-type]
        return patient, encounter

    def _assemble(
        self, index: int, difficulty: str, max_steps: int, sketch: Sketch, page: Page,
        patient: Patient, encounter: Encounter,
    ) -> RxCase:  # fmt: skip
        spans = {fact.id: fact.spans for fact in page.facts}
        for one in sketch.findings:
            one.reason = _as_written(one, sketch, page.prescription.drug)
        findings = [_finding(one, spans, page.order) for one in _ordered(sketch.findings)]
        decoys = [_decoy(one, spans, page.order) for one in sketch.decoys]
        advice = recommend(one.asks for one in findings)
        also = {one.also for one in sketch.findings} | {one.also for one in sketch.decoys}
        stricter = _STRICTNESS[_STRICTNESS.index(advice) + 1 :]
        conditions = sorted(filter(None, map(_made_of, sketch.items)))
        return RxCase(
            id=case_id(FAMILY, VERSION, self.split, self.seed, index, self.options),
            family=FAMILY,
            version=VERSION,
            split=self.split,  # type: ignore[arg-type]
            seed=self.seed,
            index=index,
            options=dict(self.options),
            tables=TablesRef(self.tables.name, self.tables.digest),
            difficulty=difficulty,  # type: ignore[arg-type]
            max_steps=max_steps,
            patient=patient,
            encounter=encounter,
            note_style=page.style,
            note=page.text,
            task=sketch.task,  # type: ignore[arg-type]
            prescription=page.prescription,
            allergies=page.lists["allergies"],
            medications=page.lists["medications"],
            conditions_listed=page.lists["conditions"],
            record=page.facts,
            dosage_safe=all(one.component != "dose" for one in findings),
            findings=findings,
            decoys=decoys,
            recommendation=advice,
            also_accepted=[one for one in stricter if one in also],  # type: ignore[misc]
            rationale=_rationale(findings, advice),
            kinds=list(sketch.kinds),
            conditions=conditions,
            structural_key=_key(sketch, conditions),
            redraws=[],
        )


def _made_of(item: Item) -> str:
    """A fact as it stands in a case's ``conditions``, "" for one that tells of measures."""
    if item.kind == "condition":
        return f"condition.{item.problem}"
    told = item.kind in ("medication", "allergy", "intolerance")
    return f"{item.form}.{item.term}" if told else ""


def born(on: date, months: int, days: int) -> date:
    """A day of birth on which someone has completed so many months, with ``days`` (below 28)
    more."""
    year, month = divmod(on.year * 12 + on.month - 1 - months, 12)
    exact = date(year, month + 1, min(on.day, 28))
    return date.fromordinal(exact.toordinal() - (days if on.day <= 28 else min(days, 24)))


def _ordered(findings: list[Found]) -> list[Found]:
    order = ("dose", "interaction", "allergy", "contraindication")
    return sorted(findings, key=lambda one: order.index(one.component))


def _as_written(one: Found, sketch: Sketch, written: str) -> str:
    """The reason of a finding that two products hold the same, with the names that stand in the
    record: who reads two brands sees no common word."""
    item = next((item for item in sketch.items if item.id in one.facts), None)
    told = f"{one.pair[0]} and {sketch.drug.id}"
    if item is None or not item.called or one.component != "interaction":
        return one.reason
    for what in ("are both", "both hold"):
        if one.reason.startswith(f"{told} {what}"):
            return f"{item.called} and {written}{one.reason.removeprefix(told)}"
    return one.reason


def _evidence(facts: Sequence[str], spans: dict[str, list[Span]]) -> list[Span]:
    return [span for fact in facts for span in spans[fact]]


def _finding(one: Found, spans: dict[str, list[Span]], order: Span) -> RxFinding:
    evidence = _evidence(one.facts, spans)
    if one.component == "dose":
        evidence.insert(0, order)
    return RxFinding(
        one.component, one.problem, one.pair, one.names, one.severity, one.asks, one.effect,  # type: ignore[arg-type]
        one.management, one.reason, cite(one.authority), one.disputed, evidence,
    )  # fmt: skip


def _decoy(one: Spared, spans: dict[str, list[Span]], order: Span) -> RxDecoy:
    evidence = _evidence(one.facts, spans)
    if one.component == "dose":
        evidence.insert(0, order)
    return RxDecoy(
        one.kind, one.component, one.pair, one.names, one.tolerated, one.reason,
        cite(one.authority), evidence,
    )  # fmt: skip


def _rationale(findings: Sequence[RxFinding], advice: str) -> str:
    """How the recommendation follows from the findings."""
    if not findings:
        return "nothing is found, so approve"
    reasons = [one.reason for one in findings if one.asks == advice]
    return f"{advice}, since {'; '.join(reasons)}"


def _key(sketch: Sketch, conditions: Sequence[str]) -> str:
    """What a case is made of, without wording: a digest of the drug, the record and the kinds."""
    pairs = sorted(f"{one.problem}:{'+'.join(one.pair)}" for one in sketch.findings)
    pairs += sorted(f"{one.kind}:{'+'.join(one.pair)}" for one in sketch.decoys)
    parts = "\x00".join(("\n".join(conditions), sketch.unknown or sketch.drug.id, "\n".join(pairs)))
    return blake2b(parts.encode(), digest_size=16).hexdigest()


def _restored(seed: int, split: str, config: RxConfig) -> RxGenerator:
    from ..knowledge import world_of

    return RxGenerator(world_of(split, config.tables), seed, split, config)
