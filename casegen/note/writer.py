"""From chart to note and record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from casegen.schemas import Fact

from ..chart.model import Added, Chart, Problem
from ..randomness import Lane
from .page import Page
from .pen import Pen
from .sections import SECTIONS

if TYPE_CHECKING:
    from ..world import World


# Systems of which a note says nothing normal by the way where somebody is injured.
_INJURED = ("musculoskeletal", "skin", "neurologic")


# Absent, artificial and malformed limbs and joints.
_LIMBS = ("Z89", "Z96.6", "Z97.1", "Q65", "Q66", "Q68", "Q71", "Q72", "Q73", "Q74")


@dataclass(slots=True)
class Written:
    """A note, the facts that it states with their spans (by id), and its style."""

    style: str
    note: str
    facts: dict[str, Fact]


def _blank_facts(chart: Chart) -> dict[str, Fact]:
    """The record before anything is stated: sex, age, problems, services, relations."""
    age = f"{chart.days} d" if chart.years == 0 else str(chart.years)
    facts = {
        "sex": Fact("sex", "sex", chart.patient.sex, "active", {}, [], []),
        "age": Fact("age", "age", age, "active", {}, [], []),
    }
    for problem in chart.problems:
        attributes = problem.attributes
        if problem.hidden is not None:
            attributes = {k: v for k, v in attributes.items() if k != problem.hidden}
        facts[problem.id] = Fact(
            problem.id, "problem", problem.term, problem.status, attributes, [], []
        )
        for add in problem.adds:
            extra = {"phase": problem.attributes["phase"]} if add.seventh == "same" else {}
            facts[add.id] = Fact(add.id, "problem", add.term, "active", extra, [], [])
    for performed in chart.services:
        label = performed.service.label
        facts[performed.id] = Fact(performed.id, "service", label, "active", {}, [], [])
    for statement in chart.statements:
        facts[statement.id] = Fact(
            statement.id,
            "relation",
            statement.term,
            "active",
            statement.attributes,
            statement.about,
            [],
        )
    return facts


def write_note(world: World, chart: Chart, lane: Lane) -> Written:
    """Write the note; every active fact of the chart is stated at least once."""
    facts = _blank_facts(chart)
    sex = 0 if chart.patient.sex == "female" else 1
    newborn = chart.years == 0 and chart.days <= 28
    setting = chart.encounter.setting
    voice = world.voice(chart.years, newborn, sex, setting)
    draw = lane.draw
    styles = world.styles[setting]
    style, orders = styles[(draw() * len(styles)) >> 16]
    active: list[Problem] = []
    adds: list[Added] = []
    touched: set[str] = set()
    for problem in chart.problems:
        touched.add(problem.system)
        if problem.condition is not None:
            touched.update(problem.condition.also_systems)
        if problem.course == "injury":
            touched.update(_INJURED)
        elif problem.base.startswith(_LIMBS):
            touched.add("musculoskeletal")
        if problem.status == "active":
            if problem.reason:
                active.insert(0, problem)
            else:
                active.append(problem)
            if problem.adds:
                adds += problem.adds
    pen = Pen()
    page = Page(pen, facts, chart, voice, draw, sex, active, touched, adds, world.says)
    headings = world.headings
    for name in orders[(draw() * len(orders)) >> 16]:
        forms = headings[name]
        SECTIONS[name](page, forms[(draw() * len(forms)) >> 16])
    page.finish()
    return Written(style, pen.text().rstrip(), facts)
