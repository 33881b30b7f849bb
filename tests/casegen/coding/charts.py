"""Cases that hold one guided chart of a kind, made by the generator as it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import casegen
from casegen.coding import CodingGenerator
from casegen.schemas import CodingCase


def generator_of(*kinds: str, seed: int = 12, **config: Any) -> CodingGenerator:
    """A generator that puts a chart of one of these kinds into each case: kinds that leave
    something open into cases that do, others into cases that do not."""
    generator = casegen.make("coding-v0", seed=seed, **config)
    known = generator.known
    guided = [charts for charts in known.guided if charts[0].kind in kinds]
    levels = {
        name: replace(level, guided=100 if guided else 0, review=0 if guided else 100)
        for name, level in known.levels.items()
    }
    kept = {kind: charts for kind, charts in known.open.items() if kind in kinds}
    # A kind that is not wanted gives way to a side that is left open.
    opened = {kind: kept.get(kind, []) for kind in known.open}
    generator.known = replace(
        known,
        guided=guided or known.guided,
        open=opened,
        settled={kind: [] for kind in known.settled},
        levels=levels,
    )
    return generator


def chart_of(case: CodingCase) -> str:
    """The guided chart of a case, "" where it holds none."""
    return next((n.split(".")[1] for n in case.conditions if n.startswith("guide.")), "")


def charts(*kinds: str, count: int = 60, **config: Any) -> Iterator[tuple[str, CodingCase]]:
    """Cases with a chart of one of these kinds, each with the chart's name."""
    for case in generator_of(*kinds, **config).cases(0, count):
        name = chart_of(case)
        if name:
            yield name, case


def codes(case: CodingCase) -> list[str]:
    """The codes of the answer, the primary first."""
    return [one.code for one in case.gold()]


def why_wrong(case: CodingCase, code: str) -> tuple[str, str] | None:
    """The kind and the section by which a code is wrong, None where it is not in the set."""
    for one in case.wrong:
        if one.code == code:
            return one.kind, one.authority.reference.removeprefix("section ").partition(",")[0]
    return None


def drawn(*kinds: str, count: int = 60, seed: int = 12) -> dict[str, list[CodingCase]]:
    """Cases with a chart of one of these kinds, by chart."""
    found: dict[str, list[CodingCase]] = defaultdict(list)
    for name, case in charts(*kinds, count=count, seed=seed):
        found[name].append(case)
    assert found
    return found


def in_order(case: CodingCase, wanted: str) -> bool:
    """Whether the codes stand in the answer, each behind the one before."""
    places = [codes(case).index(code) for code in wanted.split() if code in codes(case)]
    return len(places) == len(wanted.split()) and places == sorted(places)
