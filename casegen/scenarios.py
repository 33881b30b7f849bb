"""Curated pairs and surprises, compiled for drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from casegen.schemas import Authority
from casegen.schemas import authority as sources
from casegen.seeds import data, scenarios
from casegen.seeds.conditions import Condition
from casegen.seeds.icd10cm.tail import TailCode
from casegen.seeds.scenarios import ncci
from casegen.seeds.scenarios.ncci import PairDecoy, Scenario, Variant

from .chart.options import SEX_INDEX, Option, make_option, settings_mask
from .wording import Wording

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

    from .fitting import Fitting


@dataclass(frozen=True, slots=True)
class Member:
    """One of two codes that a scenario sets side by side."""

    term: str
    code: str
    system: str
    course: str
    wording: Wording
    adds: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two codes for one condition; ``settle[name]`` says that the member ``name`` is right."""

    id: str
    members: Mapping[str, Member]
    keep: tuple[str, ...]
    settle: Mapping[str, tuple[str, ...]]
    groups: tuple[str, ...]
    clashes: tuple[str, ...]
    mask: int
    low: int
    high: int
    sex: int

    def member(self, name: str) -> tuple[Member, Member]:
        """The member of that name, and the other one."""
        other = "b" if name == "a" else "a"
        return self.members[name], self.members[other]


@dataclass(frozen=True, slots=True)
class DecoyPair:
    """Two codes that look as if they excluded each other and both stand."""

    id: str
    kind: str
    a: Member
    b: Member
    relation: tuple[str, ...]
    reason: str
    authority: Authority
    groups: tuple[str, ...]
    clashes: tuple[str, ...]
    mask: int
    low: int
    high: int
    sex: int


@dataclass(frozen=True, slots=True)
class NcciScenario:
    """An NCCI pair with the charts that it fits."""

    id: str
    column1: str
    column2: str
    indicator: int
    why: str
    problem: Option | None
    second: Option | None
    phase: str | None
    also: tuple[str, ...]
    fits: tuple[str, ...]
    needs: str | None
    mask: int
    low: int
    high: int
    sex: int
    wrong: tuple[Variant, ...]
    right: tuple[Variant, ...]


@dataclass(frozen=True, slots=True)
class QuietPair:
    """Two services that no active NCCI pair keeps apart."""

    id: str
    kind: str
    a: str
    b: str
    deleted_on: str | None
    modifiers: Mapping[str, str]
    says_a: tuple[str, ...]
    says_b: tuple[str, ...]
    say: tuple[str, ...]
    reason: str
    problem: Option | None
    phase: str | None
    fits: tuple[str, ...]
    needs: str | None
    mask: int
    low: int
    high: int
    sex: int


def _option(condition: Condition | None) -> Option | None:
    return None if condition is None else make_option(condition, condition.values[0])


def compile_ncci(
    fitting: Fitting | None = None,
) -> tuple[list[NcciScenario], list[QuietPair]]:
    """The NCCI scenarios and the pairs that are none, as far as ``fitting`` bears them out."""
    found = ncci.load()
    chosen, quiet = found.scenarios, found.decoys
    if fitting is not None:
        chosen = tuple(fitting.kept("NCCI scenarios", chosen, fitting.ncci))
        quiet = tuple(fitting.kept("quiet pairs", quiet, fitting.quiet))
    return [_scenario(one) for one in chosen], [_quiet(one) for one in quiet]


def _scenario(one: Scenario) -> NcciScenario:
    return NcciScenario(
        one.id, one.column1, one.column2, one.indicator, one.why, _option(one.problem),
        _option(one.second), one.phase, one.also, one.fits or ("",), one.needs,
        settings_mask(one.settings), one.age[0], one.age[1], SEX_INDEX[one.sex],
        tuple(v for v in one.variants if v.kind != "justified"), one.of_kind("justified"),
    )  # fmt: skip


def _quiet(one: PairDecoy) -> QuietPair:
    return QuietPair(
        one.id, one.kind, one.a, one.b, one.deleted_on, one.modifiers, one.says_a, one.says_b,
        one.say, one.reason, _option(one.problem), one.phase, one.fits or ("",), one.needs,
        settings_mask(one.settings), one.age[0], one.age[1], SEX_INDEX[one.sex],
    )  # fmt: skip


def _member(one: scenarios.Side) -> Member:
    return Member(
        one.term,
        one.code,
        one.system,
        one.course,
        Wording(one.names, story=one.story, exam=one.exam, plan=one.plan, drugs=one.drugs),
        tuple((add.code, add.term) for add in one.adds),
    )


def compile_pairs(fitting: Fitting | None = None) -> tuple[list[Pair], list[DecoyPair]]:
    """The curated Excludes1 pairs and their decoys, as far as ``fitting`` bears them out."""
    found = scenarios.load()
    chosen, alike = found.pairs, found.decoys
    if fitting is not None:
        chosen = tuple(fitting.kept("Excludes1 pairs", chosen, fitting.pair))
        alike = tuple(fitting.kept("Excludes1 decoys", alike, fitting.pair))
    pairs = [
        Pair(
            one.id,
            {name: _member(member) for name, member in one.sides.items()},
            one.keep,
            one.settle,
            one.groups,
            one.clashes,
            settings_mask(one.settings),
            *one.age,
            SEX_INDEX[one.sex],
        )
        for one in chosen
    ]
    decoys = [
        DecoyPair(
            one.id,
            one.kind,
            _member(one.sides["a"]),
            _member(one.sides["b"]),
            one.relation,
            one.reason,
            Authority(one.source, one.reference, _edition(one.source)),  # type: ignore[arg-type]
            one.groups,
            one.clashes,
            settings_mask(one.settings),
            *one.age,
            SEX_INDEX[one.sex],
        )
        for one in alike
    ]
    return pairs, decoys


def _edition(source: str) -> str:
    return sources.ICD10CM_EDITION if source == "tabular" else sources.GUIDELINES_EDITION


@dataclass(frozen=True, slots=True)
class Surprising:
    """A code with the sex and age of a patient whom one would not expect to have it."""

    tail: TailCode
    sex: int
    low: int
    high: int
    reason: str


def compile_surprises(tables: Tables) -> list[Surprising]:
    """The surprises of the data file that are right codes of the long tail."""
    found = []
    for row in data.read("surprises.yaml")["surprises"]:
        for code in row["codes"]:
            tail = tables.tail_of(code)
            if tail is not None:
                low, high = row["age"]
                found.append(Surprising(tail, SEX_INDEX[row["sex"]], low, high, row["reason"]))
    return found
