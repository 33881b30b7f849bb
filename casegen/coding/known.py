"""What coding cases draw from beside the shared world, made ready once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from casegen.seeds import coding as seeds
from casegen.seeds.collector import paused
from casegen.seeds.icd10cm.conflicts import KINDS
from casegen.seeds.scenarios import guidelines

from ..chart.guided import Guideline
from ..guidelines import compile_chart
from .levels import Level, levels
from .quiet import fitted, settled
from .twins import named, twins

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.scenarios.guidelines import GuidedChart, Part

    from ..world import World


T = TypeVar("T")
_KEPT = 3  # worlds, as many as are kept themselves
# Guided charts of these kinds are drawn more often: few other records state a symptom that belongs
# to a disease of theirs, or parts of a combination.
_OFTEN = {"integral": 2, "linked": 3}
CODE_ALSO = KINDS.index("code_also")


@dataclass(frozen=True, slots=True)
class Tempting:
    """A code that somebody takes who overlooks a guideline."""

    wrong: str
    kind: str
    section: str
    why: str


@dataclass(frozen=True, slots=True)
class CodeRule:
    """The section that asks for codes of one kind, and why in a few words; ``first``: also for
    the first code."""

    section: str
    why: str
    first: bool


@dataclass(frozen=True, slots=True)
class Known:
    """``world``: the shared one in words that leave nothing open; ``guided``: the charts by kind,
    those of doubt in such words too; ``open``: charts that leave something open, by kind, and
    ``settled``: their twins;
    ``kind_of``: the kind of each chart; ``symptoms``: by category beginnings of a disease's codes,
    and the symptoms that belong to it; ``told``: by beginnings of symptoms' codes, how texts tell
    of them; ``tempting``: by category beginnings of right codes, and
    what tempts there; ``rules``: by first letters, beginnings of codes with the
    section that asks for them; ``past``: by first letters, beginnings of codes with the code of the
    same as history; ``partners``: for a code those that a note may keep apart from
    it; ``also``: categories with a note "code also"."""

    world: World
    levels: Mapping[str, Level]
    guided: Sequence[Sequence[Guideline]]
    open: Mapping[str, Sequence[Guideline]]
    settled: Mapping[str, Sequence[Guideline]]
    kind_of: Mapping[str, str]
    symptoms: Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]
    told: Mapping[str, re.Pattern[str]]
    tempting: Mapping[str, Sequence[tuple[str, Tempting]]]
    rules: Mapping[str, Sequence[tuple[str, CodeRule]]]
    past: Mapping[str, Sequence[tuple[str, str]]]
    partners: Mapping[str, Sequence[str]]
    also: frozenset[str]


_kept: list[tuple[World, Known]] = []


def known_of(world: World) -> Known:
    """All that is known for the cases of one world; kept for the last worlds that were asked
    for, each known by being the same object."""
    for one, known in _kept:
        if one is world:
            return known
    with paused():
        made = _known(world)
    del _kept[: 1 - _KEPT]
    _kept.append((world, made))
    return made


def _known(world: World) -> Known:
    told = _told()
    return Known(
        world=settled(world),
        levels=levels(),
        guided=told.guided,
        open=told.open,
        settled=told.settled,
        kind_of=told.kind_of,
        symptoms=told.symptoms,
        told=told.told,
        tempting=told.tempting,
        rules=told.rules,
        past=told.past,
        partners=_partners(world),
        also=_code_also(world.tables),
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """What the data files tell, whatever the world; see ``Known``."""

    guided: Sequence[Sequence[Guideline]]
    open: Mapping[str, Sequence[Guideline]]
    settled: Mapping[str, Sequence[Guideline]]
    kind_of: Mapping[str, str]
    symptoms: Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]
    told: Mapping[str, re.Pattern[str]]
    tempting: Mapping[str, Sequence[tuple[str, Tempting]]]
    rules: Mapping[str, Sequence[tuple[str, CodeRule]]]
    past: Mapping[str, Sequence[tuple[str, str]]]


@lru_cache(maxsize=1)
def _told() -> _Told:
    """The data files, read once a process."""
    words = seeds.read("uncertain.yaml")["charts"]
    kinds: dict[str, list[GuidedChart]] = {kind: [] for kind in guidelines.KINDS}
    for chart in guidelines.load():
        kinds[chart.kind].append(_reworded(chart, words[chart.id]) if chart.id in words else chart)
    kinds |= {kind: [] for kind in guidelines.CODING_KINDS}
    opened: dict[str, list[GuidedChart]] = {kind: [] for kind in guidelines.OPEN_KINDS}
    for name in ("injuries.yaml", "together.yaml", "workups.yaml", "conflicts.yaml"):
        for chart in guidelines.read(Path(seeds.__file__).with_name(name)):
            (opened if chart.kind in opened else kinds)[chart.kind].append(named(chart))
    closed: dict[str, list[GuidedChart]] = {kind: [] for kind in guidelines.SETTLED_KINDS}
    for charts in opened.values():
        for chart in charts:
            for twin in twins(chart):
                closed[twin.kind].append(twin)
    everything = [
        chart for group in (kinds, opened, closed) for charts in group.values() for chart in charts
    ]
    return _Told(
        guided=[
            [fitted(compile_chart(c)) for c in charts]
            for kind, charts in kinds.items()
            for _ in range(_OFTEN.get(kind, 1))
            if charts
        ],
        open={kind: [fitted(compile_chart(c)) for c in charts] for kind, charts in opened.items()},
        settled={kind: [compile_chart(c) for c in charts] for kind, charts in closed.items()},
        kind_of={chart.id: chart.kind for chart in everything},
        symptoms=_by_category(
            (start, tuple(row["symptoms"]))
            for row in seeds.read("symptoms.yaml")["symptoms"]
            for start in row["codes"]
        ),
        told={
            start: re.compile(rf"\b(?:{how})", re.IGNORECASE)
            for start, how in seeds.read("symptoms.yaml")["told"].items()
        },
        tempting=_by_category(
            (start, Tempting(wrong, row["kind"], row["section"], row["why"]))
            for row in seeds.read("tempting.yaml")["tempting"]
            for start, wrong in row["wrong"].items()
        ),
        rules=_rules(),
        past=_past(),
    )


def _by_category(pairs: Iterable[tuple[str, T]]) -> dict[str, list[tuple[str, T]]]:
    found: dict[str, list[tuple[str, T]]] = {}
    for start, told in pairs:
        found.setdefault(start[:3], []).append((start, told))
    return found


def _rules() -> dict[str, list[tuple[str, CodeRule]]]:
    found: dict[str, list[tuple[str, CodeRule]]] = {}
    for row in seeds.read("rules.yaml")["rules"]:
        rule = CodeRule(row["section"], row["why"], row.get("first", False))
        for start in row["codes"]:
            found.setdefault(start[0], []).append((start, rule))
    return found


def _past() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for row in seeds.read("past.yaml")["past"]:
        for start in row["codes"]:
            found.setdefault(start[0], []).append((start, row["wrong"]))
    return found


def _reworded(chart: GuidedChart, words: Mapping[str, Any]) -> GuidedChart:
    """A chart with other sentences for its relation and other plans."""
    say, stay = tuple(words["say"]), tuple(words.get("say_stay", ()))
    relations = tuple(replace(one, say=say, say_stay=stay) for one in chart.relations)
    plans = words.get("plan", {})

    def part(one: Part) -> Part:
        return replace(one, plan=tuple(plans[one.name])) if one.name in plans else one

    return replace(chart, relations=relations, parts=tuple(part(one) for one in chart.parts))


@lru_cache(maxsize=2)
def _code_also(tables: Tables) -> frozenset[str]:
    """The categories on or under which a note "code also" stands; one of a block or a chapter
    counts for all of theirs. Tables are shared by splits, and known by being the same object."""
    store = tables.store
    found: set[str] = set()
    for node in store.notes:
        if any(note[0] == CODE_ALSO for note in store.notes[node]):
            inside = range(node, store.ends[node])
            stems = [store.stems[node]] if ":" not in store.stems[node] else []
            found.update(stem[:3] for stem in stems)
            if not stems:
                found.update(store.stems[n] for n in inside if len(store.stems[n]) == 3)
    return frozenset(found)


def _partners(world: World) -> dict[str, list[str]]:
    """Both members of the pairs that Excludes1 cases are made of, each under the other."""
    found: dict[str, list[str]] = {}
    pairs = [(pair.members["a"].code, pair.members["b"].code) for pair in world.pairs]
    for one, other in (*pairs, *world.rivals):
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found
