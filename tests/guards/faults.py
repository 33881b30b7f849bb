"""Thirty faults, each one wrong code, rule, edit or span, planted in memory.

A fault is planted where cases are made, never in what the checker reads: in condition data,
coder, injectors, note writer or service data. ``touches`` says whether the faulty piece had a
part in a case, so that a fault that nothing uses can't pass for a caught one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from casegen.chart.model import Chart
from casegen.chart.options import BIT, Option, Pool
from casegen.coder import Draft, diagnoses
from casegen.injectors import (
    demographic_mismatch,
    excludes1_conflict,
    ncci_edit,
    questions,
    specificity_error,
    untraceable_code,
)
from casegen.note import pen, writer
from casegen.randomness import running_sums
from casegen.schemas import Case, Fact, Span
from casegen.schemas import authority as sources
from casegen.world import World

Patch = pytest.MonkeyPatch
HEAVY = 100_000


@dataclass(frozen=True)
class Fault:
    """A fault: how it is planted (the world to draw from is returned), which cases it touches,
    and the configuration that brings such cases about."""

    name: str
    area: str
    plant: Callable[[Patch, World], World]
    touches: Callable[[Case], bool]
    config: Mapping[str, Any] = field(default_factory=dict)


# -- condition data ----------------------------------------------------------------------


def _options(world: World) -> dict[str, Option]:
    pools = [*world.reasons.values(), world.backgrounds]
    return {option.key: option for pool in pools for option in pool.options}


def _first(pool: Pool, option: Option) -> Pool:
    """The pool without the value ``option`` as it was, and ``option`` before all others."""
    rest = [(o, w) for o, w in zip(pool.options, _weights(pool), strict=True) if o.key != option.key]
    return Pool(
        (option, *(o for o, _ in rest)), running_sums([HEAVY, *(w for _, w in rest)])
    )


def _weights(pool: Pool) -> list[int]:
    return [b - a for a, b in zip((0, *pool.totals), pool.totals, strict=False)]


def often(world: World, *options: Option) -> World:
    """The world with these options (changed or not) drawn before all others."""
    reasons, backgrounds = dict(world.reasons), world.backgrounds
    axes = dict(world.axis_pools)
    for option in options:
        if option.reason:
            reasons = {
                setting: _first(pool, option) if option.mask & BIT[setting] else pool
                for setting, pool in reasons.items()
            }
        if option.background:
            backgrounds = _first(backgrounds, option)
        axes = {
            axis: [option] if any(o.key == option.key for o in pool) else pool
            for axis, pool in axes.items()
        }
    return replace(
        world, reasons=reasons, backgrounds=backgrounds, axis_pools=axes, tail_percent=20
    )


def value(key: str, **changes: Any) -> Callable[[Patch, World], World]:
    """Change fields of a condition's value."""

    def plant(patch: Patch, world: World) -> World:
        option = _options(world)[key]
        return often(world, replace(option, value=replace(option.value, **changes)))

    return plant


def added(key: str, **changes: Any) -> Callable[[Patch, World], World]:
    """Change the code that comes with a condition's value."""

    def plant(patch: Patch, world: World) -> World:
        option = _options(world)[key]
        adds = (replace(option.value.adds[0], **changes), *option.value.adds[1:])
        return often(world, replace(option, value=replace(option.value, adds=adds)))

    return plant


def has(key: str) -> Callable[[Case], bool]:
    """Whether a condition's value stands in the case."""
    return lambda case: any(c.partition("[")[0] == key for c in case.conditions)


def told(*parts: str) -> Callable[[Case], bool]:
    """Whether one condition of the case has all these attributes."""
    return lambda case: any(all(part in c for part in parts) for c in case.conditions)


# -- coder ---------------------------------------------------------------------------------


def seventh(**changes: str) -> Callable[[Patch, World], World]:
    """Change the seventh-character table of injuries."""

    def plant(patch: Patch, world: World) -> World:
        for phase, char in changes.items():
            patch.setitem(diagnoses.injury_character.__globals__["_INJURY"], phase, char)
        return often(world, _options(world)["hand_laceration.hand_glass"])

    return plant


def fracture(table: str, key: Any, char: str) -> Callable[[Patch, World], World]:
    """Change the seventh-character tables of fractures."""

    def plant(patch: Patch, world: World) -> World:
        patch.setitem(diagnoses.fracture_character.__globals__[table], key, char)
        return often(world, _options(world)["distal_radius_fracture.nos_ladder"])

    return plant


def placeholder(patch: Patch, world: World) -> World:
    def lengthen(base: str, character: str) -> str:
        stem = base.replace(".", "").ljust(6, "0") + character
        return f"{stem[:3]}.{stem[3:]}"

    patch.setattr(diagnoses, "lengthen", lengthen)
    return often(world, _options(world)["hand_laceration.index_knife"])


def linked(change: Callable[[Any], list[Any]]) -> Callable[[Patch, World], World]:
    """Change the links that the coder assumes."""

    def plant(patch: Patch, world: World) -> World:
        right = diagnoses.assumed_links
        patch.setattr(diagnoses, "assumed_links", lambda codes: change(right(codes)))
        options = _options(world)
        return often(world, options["hypertension.longstanding"], options["ckd.stage_3a_listed"])

    return plant


def cause_seventh(patch: Patch, world: World) -> World:
    """External causes keep A when the injury heals."""
    right = diagnoses.lengthen

    def lengthen(base: str, character: str) -> str:
        return right(base, "A" if base[0] in "VWXY" else character)

    patch.setattr(diagnoses, "lengthen", lengthen)
    return often(world, _options(world)["hand_laceration.hand_glass"])


def coded(change: Callable[[list[Draft]], None]) -> Callable[[Patch, World], World]:
    """Change what the coder returns."""

    def plant(patch: Patch, world: World) -> World:
        from casegen import audit

        right = audit.code_chart

        def code_chart(chart: Chart) -> list[Draft]:
            drafts = right(chart)
            change(drafts)
            return drafts

        patch.setattr(audit, "code_chart", code_chart)
        return world

    return plant


def move_25(drafts: list[Draft]) -> None:
    services = [d for d in drafts if d.service is not None]
    for draft in services:
        if "25" in draft.modifiers:
            draft.modifiers.remove("25")
            next(d for d in services if d is not draft).modifiers.append("25")
            return


def drop_25(drafts: list[Draft]) -> None:
    for draft in drafts:
        if "25" in draft.modifiers:
            draft.modifiers.remove("25")


def two_services(case: Case) -> bool:
    return any(f.term == "separate_problem" for f in case.record)


# -- injectors -----------------------------------------------------------------------------


def broken(module: Any, change: Callable[[Any], None]) -> Callable[[Patch, World], World]:
    """Change the findings of an injector before they get their lines."""

    def plant(patch: Patch, world: World) -> World:
        right = module.Broken

        def make(*args: Any) -> Any:
            finding = right(*args)
            change(finding)
            return finding

        patch.setattr(module, "Broken", make)
        return world

    return plant


class Sources:
    """The authorities with some constructors changed."""

    def __init__(self, **changes: Any) -> None:
        self.__dict__.update(changes)

    def __getattr__(self, name: str) -> Any:
        return getattr(sources, name)


def cited(module: Any, **changes: Any) -> Callable[[Patch, World], World]:
    """Change how an injector cites an authority."""

    def plant(patch: Patch, world: World) -> World:
        patch.setattr(module, "sources", Sources(**changes))
        return world

    return plant


def other_replacement(finding: Any) -> None:
    finding.replacement = finding.draft.code


def one_type(finding: Any) -> None:
    del finding.accepted_types[1:]


def no_sentence(finding: Any) -> None:
    finding.facts = finding.facts[:-1]


def age_for_sex(finding: Any) -> None:
    if finding.kind == "sex":
        finding.facts = ["age"]


def found(error_type: str, *kinds: str) -> Callable[[Case], bool]:
    """Whether the case has a finding of that type (and of one of these kinds)."""
    return lambda case: any(
        f.error_type == error_type and (not kinds or f.kind in kinds) for f in case.findings
    )


def only(error_type: str, **more: Any) -> dict[str, Any]:
    """The configuration with errors of one type."""
    return {"errors": {error_type: 1}, "clean": 0.0, **more}


def age_bounds(patch: Patch, world: World) -> World:
    patch.setitem(demographic_mismatch.AGE_GROUPS, "pediatric", (0, 14))
    return world


def scenario(id: str, **changes: Any) -> Callable[[Patch, World], World]:
    """Draw one NCCI scenario only, with some fields changed."""

    def plant(patch: Patch, world: World) -> World:
        one = next(s for s in world.ncci if s.id == id)
        return replace(world, ncci=[replace(one, **changes)], quiet_pairs=[])

    return plant


def swapped(id: str) -> Callable[[Patch, World], World]:
    def plant(patch: Patch, world: World) -> World:
        one = next(s for s in world.ncci if s.id == id)
        turned = replace(one, column1=one.column2, column2=one.column1)
        return replace(world, ncci=[turned], quiet_pairs=[])

    return plant


def other_note(patch: Patch, world: World) -> World:
    right = World.leading_hit

    def leading_hit(self: World, hits: Any) -> Any:
        return replace(right(self, hits), note="any other disorder of this kind")

    patch.setattr(World, "leading_hit", leading_hit)
    return world


def false_deletion(patch: Patch, world: World) -> World:
    """A decoy that takes an active pair for a deleted one."""
    quiet = next(q for q in world.quiet_pairs if q.kind == "deleted_pair" and q.fits == ("",) or q)
    active = next(s for s in world.ncci if s.id == "large_and_small_metabolic_panel")
    wrong = replace(
        quiet, a=active.column1, b=active.column2, modifiers={}, says_a=(), says_b=(),
        problem=active.problem, phase=active.phase, fits=active.fits, needs=active.needs,
        mask=active.mask, low=active.low, high=active.high, sex=active.sex,
    )  # fmt: skip
    patch.setattr(World, "services", _Lenient(world.services, {wrong.a, wrong.b}), raising=False)
    return replace(world, quiet_pairs=[wrong], ncci=[replace(active, wrong=(), right=())])


class _Lenient:
    """Placeholder; replaced below."""

    def __init__(self, services: Any, codes: set[str]) -> None:
        self.services, self.codes = services, codes


def wrong_answer(patch: Patch, world: World) -> World:
    right = questions.ask

    def ask(problem: Any, work: Any) -> Any:
        question = right(problem, work)
        other = {"right": "left", "left": "right", "bilateral": "right"}
        question.value = other.get(question.value, "healing" if question.value == "active" else "active")
        return question

    patch.setattr(specificity_error, "ask", ask)
    return world
