"""How faults are planted in memory: in condition data, coder, injectors, note writer, services.

A fault is planted where cases are made, never in what the checker reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pytest

from casegen import audit
from casegen.chart.model import Chart
from casegen.chart.options import BIT, Option, Pool
from casegen.coder import Draft, diagnoses, sevenths
from casegen.randomness import running_sums
from casegen.schemas import Case
from casegen.seeds.icd10cm.tables import Tables
from casegen.world import World

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch, World], World]
HEAVY = 100_000


@dataclass(frozen=True)
class Fault:
    """A fault: how it is planted (the world to draw from is returned), which cases it touches,
    and the configuration that brings such cases about."""

    name: str
    area: str
    plant: Plant
    touches: Callable[[Case], bool]
    config: Mapping[str, Any] = field(default_factory=dict)


# -- condition data ----------------------------------------------------------------------


def _options(world: World) -> dict[str, Option]:
    pools = [*world.reasons.values(), world.backgrounds]
    return {option.key: option for pool in pools for option in pool.options}


def _first(pool: Pool, option: Option) -> Pool:
    """The pool without the value ``option`` as it was, and ``option`` before all others."""
    pairs = zip(pool.options, _weights(pool), strict=True)
    rest = [(o, weight) for o, weight in pairs if o.key != option.key]
    weights = [HEAVY, *(weight for _, weight in rest)]
    return Pool((option, *(o for o, _ in rest)), running_sums(weights))


def _weights(pool: Pool) -> list[int]:
    return [b - a for a, b in pairwise((0, *pool.totals))]


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


def option(key: str, **changes: Any) -> Plant:
    """Change fields of an option: of a condition's value as it is drawn."""

    def plant(patch: Patch, world: World) -> World:
        return often(world, replace(_options(world)[key], **changes))

    return plant


def value(key: str, **changes: Any) -> Plant:
    """Change fields of a condition's value."""

    def plant(patch: Patch, world: World) -> World:
        right = _options(world)[key]
        return often(world, replace(right, value=replace(right.value, **changes)))

    return plant


def added(key: str, **changes: Any) -> Plant:
    """Change the code that comes with a condition's value."""

    def plant(patch: Patch, world: World) -> World:
        right = _options(world)[key]
        adds = (replace(right.value.adds[0], **changes), *right.value.adds[1:])
        return often(world, replace(right, value=replace(right.value, adds=adds)))

    return plant


def has(key: str) -> Callable[[Case], bool]:
    """Whether a condition's value stands in the case."""
    return lambda case: any(c.partition("[")[0] == key for c in case.conditions)


def told(*parts: str) -> Callable[[Case], bool]:
    """Whether one condition of the case has all these attributes."""
    return lambda case: any(all(part in c for part in parts) for c in case.conditions)


# -- coder ---------------------------------------------------------------------------------


def table(name: str, key: Any, char: str, used: str) -> Plant:
    """Change one seventh character in a table of the coder; ``used`` is a value that needs it."""

    def plant(patch: Patch, world: World) -> World:
        patch.setitem(getattr(sevenths, name), key, char)
        return often(world, _options(world)[used])

    return plant


def lengthened(change: Callable[[str, str], tuple[str, str, str]], used: str) -> Plant:
    """Change how codes get their placeholders and seventh characters."""

    def lengthen(base: str, character: str) -> str:
        base, fill, character = change(base, character)
        stem = base.replace(".", "").ljust(6, fill) + character
        return f"{stem[:3]}.{stem[3:]}"

    def plant(patch: Patch, world: World) -> World:
        patch.setattr(diagnoses, "lengthen", lengthen)
        return often(world, _options(world)[used])

    return plant


def linked(change: Callable[[Any], list[Any]]) -> Plant:
    """Change the links that the coder assumes."""

    def plant(patch: Patch, world: World) -> World:
        right = diagnoses.assumed_links
        patch.setattr(
            diagnoses, "assumed_links", lambda codes, untied=None: change(right(codes, untied))
        )
        options = _options(world)
        return often(world, options["hypertension.longstanding"], options["ckd.stage_3a_listed"])

    return plant


def late_stage(found: list[Any]) -> list[Any]:
    return [replace(link, code=link.code.replace("I12.9", "I12.0")) for link in found]


def coded(change: Callable[[list[Draft]], None]) -> Plant:
    """Change the claim that the coder returns."""

    def plant(patch: Patch, world: World) -> World:
        right = audit.code_chart

        def code_chart(chart: Chart, tables: Tables) -> list[Draft]:
            drafts = right(chart, tables)
            change(drafts)
            return drafts

        patch.setattr(audit, "code_chart", code_chart)
        return world

    return plant


def many_units(drafts: list[Draft]) -> None:
    for draft in drafts:
        draft.units = 99


def services(case: Case) -> bool:
    return any(line.system != "ICD-10-CM" for line in case.claim)
