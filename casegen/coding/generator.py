"""The generator of coding cases."""

from __future__ import annotations

import gc
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casegen.schemas import (
    AllowedCode,
    CertificationError,
    CodingCase,
    GoldCode,
    InputError,
    Review,
    TablesRef,
    WrongCode,
)
from casegen.schemas.authority import cited
from casegen.schemas.case import case_id

from ..accident import AccidentError
from ..chart.options import settings_mask
from ..coder import code_chart
from ..config import CodingConfig, check_seed, check_split, options_of, whole
from ..conform import EVERY, conform
from ..injectors.model import evidence
from ..note import Written, write_note
from ..randomness import Source, running_sums
from ..structure import condition_of, structural_key
from .allowed import Chosen, choose
from .certify import certify
from .draw import draw_chart
from .excerpt import LEAST_WORDS, MOST_WORDS, cut_of
from .gold import given_codes
from .known import known_of
from .model import Drawn, Given, Work
from .sentences import hints_of, objective_of, review_authority, review_reason
from .stay import tell_care

if TYPE_CHECKING:
    from ..world import World

FAMILY = "coding"
VERSION = "v0"
ATTEMPTS = 60
LAST_INDEX = 1 << 63


class CodingGenerator:
    """A lazy sequence of certified cases.

    ``generator[i]`` is a pure function of the recipe and ``i``; ``cases(start, n)`` streams.
    ``redraws`` counts the attempts given up, by reason; ``drawn`` the cases, made with ``tables``.
    """

    def __init__(self, world: World, seed: int, split: str, config: CodingConfig) -> None:
        self.world = world
        self.seed = check_seed(seed)
        self.split = check_split(split)
        self.config = config
        self.redraws: Counter[str] = Counter()
        self.drawn = 0
        self.options = options_of(config)
        self._source = Source(f"{FAMILY}-{VERSION}/{split}/{seed}")
        self._mask = settings_mask(config.settings)
        self.known = known_of(world)
        # Draws are made in words that leave nothing open.
        self.settled = self.known.world
        table = self.known.levels
        self._levels = [config.difficulty] if config.difficulty else list(table)
        self._totals = running_sums([table[name].weight for name in self._levels])
        self.tables = TablesRef(world.tables.name, world.tables.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        """A generator is its recipe: another process makes the world anew."""
        return _restored, (self.seed, self.split, self.config)

    def __getitem__(self, index: int) -> CodingCase:
        # A case makes thousands of objects and no cycle, so that the collector would look
        # through them in vain.
        index = whole("index", index, LAST_INDEX - 1)
        held = gc.isenabled()
        gc.disable()
        try:
            return self._case(index)
        finally:
            if held:
                gc.enable()

    def cases(self, start: int = 0, count: int | None = None) -> Iterator[CodingCase]:
        """Cases ``start`` to ``start + count``, or without end."""
        first = whole("start", start, LAST_INDEX - 1)
        if count is None:
            indices: Iterator[int] = itertools.count(first)
        else:
            indices = iter(range(first, first + whole("count", count, LAST_INDEX - first)))
        for index in indices:
            yield self[index]

    def _case(self, index: int) -> CodingCase:
        given_up: list[str] = []
        for attempt in range(ATTEMPTS):
            try:
                case = self._attempt(index, attempt)
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
        name = case_id(FAMILY, VERSION, self.split, self.seed, index, self.options)
        often = Counter(given_up).most_common(1)[0][0]
        if self.options:
            told = f"no case in {ATTEMPTS} draws, mostly {often}; allow more of them"
            raise InputError(", ".join(self.options), name, told)
        raise CertificationError(f"{name}: no case in {ATTEMPTS} draws, mostly {often}")

    def _attempt(self, index: int, attempt: int) -> CodingCase:
        world = self.settled
        lanes = self._source.lanes(index, attempt)
        name = lanes.plan.weighted(self._levels, self._totals)
        level = self.known.levels[name]
        drawn = draw_chart(world, self.known, self.config, lanes, self._mask, level, self.split)
        drafts = code_chart(drawn.chart, world.tables)
        if len(drafts) > level.allowed[1] // 2:
            raise AccidentError("more codes than half of the set may be")
        tell_care(drawn.chart, drafts)
        given = given_codes(drawn, drafts, world.tables, self.known)
        work = Work(world, self.known, drawn, given, lanes.inject)
        chosen = choose(work, *level.allowed)
        written = write_note(world, drawn.chart, lanes.note, cut_of(drawn, level, lanes.inject))
        if not LEAST_WORDS <= len(written.note.split()) <= MOST_WORDS:
            raise AccidentError("length of the note")
        return self._assemble(index, name, level.max_steps, work, chosen, written)

    def _assemble(
        self, index: int, difficulty: str, max_steps: int, work: Work, chosen: Chosen,
        written: Written,
    ) -> CodingCase:  # fmt: skip
        chart, facts = work.drawn.chart, written.facts
        tables = self.world.tables
        reason = next(s.id for s in chart.statements if s.term == "reason")
        gold = [
            _gold(one, written, [reason] if at == 0 else []) for at, one in enumerate(work.given)
        ]
        wrong = [
            WrongCode(
                one.code, one.kind, one.gold, one.reason, one.authority,
                evidence(facts, one.facts) if one.facts else [],
            )
            for one in sorted(chosen.wrong, key=lambda one: one.code)
        ]  # fmt: skip
        review = _review(work.drawn, written)
        editions = self.world.editions
        if editions is not None:
            told: list[GoldCode | WrongCode | Review] = [*gold, *wrong]
            for one in told if review is None else [*told, review]:
                one.authority = cited(one.authority, editions)
        codes = [one.code for one in gold] + [one.code for one in wrong]
        codes += [code for one in gold for code in (*one.equivalents, *one.alternates)]
        conditions = sorted(condition_of(problem) for problem in chart.problems)
        return CodingCase(
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
            patient=chart.patient,
            encounter=chart.encounter,
            note_style=written.style,
            note=written.note,
            objective=objective_of(work, work.lane),
            allowed=[AllowedCode(code, tables.title(code)) for code in sorted(codes)],
            hints=hints_of(work, review is not None),
            record=[fact for fact in facts.values() if fact.spans],
            primary=gold[0],
            secondary=gold[1:],
            needs_review=review is not None,
            review=review,
            wrong=wrong,
            kinds=sorted(set(work.drawn.kinds)),
            conditions=conditions,
            structural_key=structural_key(conditions, [one.code for one in gold], []),
            redraws=[],
        )


def _gold(given: Given, written: Written, also: list[str]) -> GoldCode:
    spans = evidence(written.facts, [*given.facts, *given.also, *also])
    return GoldCode(given.code, given.reason, given.authority, spans, [], sorted(given.alternates))


def _review(drawn: Drawn, written: Written) -> Review | None:
    opened = drawn.open
    if opened is None:
        return None
    spans = evidence(written.facts, opened.facts)
    kind = opened.kind
    return Review(kind, review_reason(kind), review_authority(kind), spans)


def _restored(seed: int, split: str, config: CodingConfig) -> CodingGenerator:
    from ..knowledge import world_of

    return CodingGenerator(world_of(split, config.tables), seed, split, config)
