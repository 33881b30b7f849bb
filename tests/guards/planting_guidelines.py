"""Faults planted in what guidelines make of several facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from casegen import audit
from casegen.chart.model import Statement
from casegen.coder import diagnoses, guided, told
from casegen.schemas import Case
from casegen.world import World

from .planting import Fault, Patch, Plant
from .planting_findings import flip, recorded

CLEAN = {"clean": 1.0}


def only_charts(patch: Patch, world: World, *kinds: str) -> World:
    """The world that draws guided charts of these kinds, one in each case."""
    patch.setattr(audit, "SHARE", 100)
    return replace(world, guidelines=[c for c in world.guidelines if c[0].kind in kinds])


def guideline(kind: str, plant: Callable[[Patch], None]) -> Plant:
    """A fault that shows in charts of one kind."""

    def planted(patch: Patch, world: World) -> World:
        plant(patch)
        return only_charts(patch, world, kind)

    return planted


def instead(module: Any, name: str, other: Callable[..., Any]) -> Callable[[Patch], None]:
    """Another function in the place of one of the coder's."""
    return lambda patch: patch.setattr(module, name, other)


def piece(kind: str, name: str, **changes: Any) -> Plant:
    """Change fields of the parts of that name in all charts of a kind."""

    def planted(patch: Patch, world: World) -> World:
        world = only_charts(patch, world, kind)
        return replace(world, guidelines=[[changed(c) for c in world.guidelines[0]]])

    def changed(chart: Any) -> Any:
        pieces = tuple(replace(p, **changes) if p.name == name else p for p in chart.pieces)
        return replace(chart, pieces=pieces)

    return planted


def note_writer(kind: str, plant: Plant) -> Plant:
    """A fault of the note writer, in charts of one kind."""
    return lambda patch, world: only_charts(patch, plant(patch, world), kind)


def holds(*charts: str) -> Callable[[Case], bool]:
    """Whether a case holds one of these guided charts."""
    return lambda case: any(name.split(".")[1] in charts for name in case.conditions)


def bills(*starts: str) -> Callable[[Case], bool]:
    """Whether a code that begins so stands on the claim."""
    return lambda case: any(line.code.startswith(starts) for line in case.claim)


def outside_hospital(case: Case) -> bool:
    return case.encounter.setting != "inpatient"


_right_trimester = guided.of_pregnancy
_right_uncertain = guided.of_uncertain
_right_fragile = guided._fragile


def _osteoporosis_left(told: list[guided.Told], statement: Statement) -> None:
    thin = [one for one in told if one.code == "M81.0"]
    _right_fragile(told, statement)
    told += thin


GUIDELINE_FAULTS = (
    Fault(
        "uncertain diagnosis coded in the office", "coder",
        guideline("uncertain", instead(guided, "of_uncertain", lambda code, stay: code)),
        outside_hospital, CLEAN,
    ),
    Fault(
        "suspected COVID-19 coded at discharge", "coder",
        guideline(
            "uncertain",
            instead(
                guided, "of_uncertain",
                lambda code, stay: code if code == "U07.1" and stay
                else _right_uncertain(code, stay),
            ),
        ),
        holds("suspected_covid"), CLEAN,
    ),
    Fault(
        "symptoms of a disease coded beside it", "coder",
        guideline("integral", instead(guided, "_integral", lambda told, statement: None)),
        bills("R"), CLEAN,
    ),
    Fault(
        "failure of an organ without severe sepsis", "coder",
        guideline("sepsis", instead(guided, "_severe", lambda found, statement: None)),
        holds("sepsis_with_kidney_failure"), CLEAN,
    ),
    Fault(
        "14 weeks counted as the first trimester", "coder",
        guideline(
            "pregnancy",
            instead(
                guided, "of_pregnancy",
                lambda base, weeks: _right_trimester(base, 13 if weeks == 14 else weeks),
            ),
        ),
        bills("Z3A.14"), CLEAN,
    ),
    Fault(
        "left side taken for the dominant one", "coder",
        guideline("stroke", instead(guided, "of_paralysis", lambda problem: "I69.352")),
        bills("I69.352"), CLEAN,
    ),
    Fault(
        "osteoporosis left beside the fragile bone", "coder",
        guideline("fragility", instead(guided, "_fragile", _osteoporosis_left)),
        bills("M81.0"), CLEAN,
    ),
    Fault(
        "lines left in the order of the chart", "coder",
        guideline("drug", instead(diagnoses, "in_order", lambda drafts, statements: drafts)),
        holds("antihistamine_twice", "beta_blocker_twice"), CLEAN,
    ),
    Fault(
        "kidney disease linked in spite of the provider", "coder",
        guideline("unlinked", instead(diagnoses, "untied", lambda chart: frozenset())),
        bills("E11.22", "I12.9"), CLEAN,
    ),
    Fault(
        "infarction acute for five weeks", "coder",
        guideline("infarction", lambda patch: patch.setattr(told, "_ACUTE_WEEKS", 200)),
        holds("infarction_healed"), CLEAN,
    ),
    Fault(
        "code of another infarction", "condition data",
        piece("infarction", "a", code="I21.3"), bills("I21.3"), CLEAN,
    ),
    Fault(
        "hand in the record flipped", "note writer",
        note_writer("stroke", recorded(flip("handedness", right="left", left="right"))),
        holds("paralysis_right_handed", "paralysis_left_handed"), CLEAN,
    ),
)  # fmt: skip
