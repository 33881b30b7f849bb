"""Charts that leave something open, and their twins in which it has been settled.

The two are told in nearly the same words (``seeds/coding/settled.yaml``): whether somebody has to
look is to follow from what a note says, and from no word in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from casegen.seeds import coding

if TYPE_CHECKING:
    from casegen.seeds.scenarios.guidelines import GuidedChart, Part, Relation

# How often each kind of twin is drawn.
SHARES: tuple[str, ...] = (*("worked_up",) * 5, *("agreed",) * 3, *("treated",) * 2)


@lru_cache(maxsize=1)
def _told() -> dict[str, Any]:
    return coding.read("settled.yaml")


def named(chart: GuidedChart) -> GuidedChart:
    """The chart with its tests in the sentences of a work-up that is open."""
    tests = _told()["worked_up"]["tests"].get(chart.id)
    if tests is None:
        return chart
    return replace(
        chart,
        relations=tuple(replace(one, say=_with(one.say, tests)) for one in chart.relations),
    )


def _with(say: Sequence[str], tests: Sequence[str]) -> tuple[str, ...]:
    return tuple(text.replace("[test]", test) for text in say for test in tests)


def twins(chart: GuidedChart) -> list[GuidedChart]:
    """The same chart once what it leaves open has been settled, in each way that the data has."""
    told = _told()
    if chart.kind == "open_workup":
        rows = told["worked_up"]
        say = _with(rows["say"], rows["tests"][chart.id])
        twin = _excluded(chart, say)
        if chart.id in rows["operations"]:
            twin = replace(twin, settings=(*twin.settings, "outpatient_surgery"))
        return [twin]
    if chart.kind == "conflict_diagnosis":
        rows = told["agreed"]
        return [_agreed(chart, name, rows["say"]) for name in rows["holds"][chart.id]]
    return [_treated(chart, status, say) for status, say in told["treated"][chart.id].items()]


def _statement(chart: GuidedChart, about: tuple[str, ...], say: Sequence[str]) -> Relation:
    return replace(chart.relations[0], term="told", about=about, say=tuple(say), say_stay=())


def _excluded(chart: GuidedChart, say: Sequence[str]) -> GuidedChart:
    """The disease that was looked for is not there; what was found stays (I.B.4)."""
    parts = tuple(
        replace(part, status="ruled_out") if part.status == "uncertain" else part
        for part in chart.parts
    )
    gone = tuple(part.name for part in parts if part.status == "ruled_out")
    return replace(
        chart, id=f"{chart.id}_settled", kind="worked_up", parts=parts,
        relations=(_statement(chart, gone, say),),
    )  # fmt: skip


def _agreed(chart: GuidedChart, holds: str, say: Sequence[str]) -> GuidedChart:
    """One of two diagnoses holds, the other was withdrawn (I.A.19)."""
    parts = {part.name: part for part in chart.parts}
    other = "c" if holds == "b" else "b"
    common: Part = parts["a"]
    kept = replace(
        parts[holds], status="active", reason=True, story=common.story, exam=common.exam,
        plan=common.plan,
    )  # fmt: skip
    places: Mapping[str, str] = {"[holds]": f"{{{holds}}}", "[other]": f"{{{other}}}"}
    told = []
    for text in say:
        for place, name in places.items():
            text = text.replace(place, name)
        told.append(text)
    return replace(
        chart, id=f"{chart.id}_{holds}", kind="agreed",
        parts=(kept, replace(parts[other], status="ruled_out")),
        relations=(_statement(chart, (other,), told),),
    )  # fmt: skip


def _treated(chart: GuidedChart, status: str, say: Sequence[str]) -> GuidedChart:
    """The tumor is under treatment, or over (I.C.2.m)."""
    parts = tuple(replace(part, status=status) if part.quiet else part for part in chart.parts)
    about = tuple(part.name for part in parts if part.quiet)
    return replace(
        chart, id=f"{chart.id}_{status}", kind="treated", parts=parts,
        settings=(*chart.settings, "outpatient_surgery"),
        relations=(_statement(chart, about, say),),
    )  # fmt: skip
