"""From chart to note and record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from casegen.schemas import Fact

from ..chart.model import Chart
from ..randomness import Lane
from .pen import Pen
from .sections import SECTIONS, Page

if TYPE_CHECKING:
    from ..world import World


@dataclass(slots=True)
class Written:
    """A note, the facts that it states with their spans (by id), and its style."""

    style: str
    note: str
    facts: dict[str, Fact]


def _blank_facts(chart: Chart) -> dict[str, Fact]:
    patient = chart.patient
    age = f"{chart.days} d" if chart.years == 0 else str(chart.years)
    facts = {
        "sex": Fact("sex", "sex", patient.sex, "active", {}, [], []),
        "age": Fact("age", "age", age, "active", {}, [], []),
    }
    for problem in chart.problems:
        attributes = problem.attributes
        if problem.hidden is not None:
            attributes = {k: v for k, v in attributes.items() if k != problem.hidden}
        facts[problem.id] = Fact(
            problem.id, "problem", problem.term, problem.status, attributes, [], []  # type: ignore[arg-type]
        )  # fmt: skip
        for add in problem.adds:
            extra = {"phase": problem.attributes["phase"]} if add.seventh == "same" else {}
            facts[add.id] = Fact(add.id, "problem", add.term, "active", extra, [], [])
    for performed in chart.services:
        facts[performed.id] = Fact(
            performed.id, "service", performed.service.label, "active", {}, [], []
        )
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
    voice = world.voice(chart.years, newborn, sex, chart.encounter.setting)
    styles = world.styles[chart.encounter.setting]
    style, orders = styles[lane.below(len(styles))]
    pen = Pen()
    page = Page(pen, facts, chart, voice, lane, sex, newborn)
    headings = world.headings
    for name in lane.pick(orders):
        section = SECTIONS[name]
        forms = headings[name]
        heading = forms[lane.below(len(forms))]
        section(page, heading)
    page.finish()
    return Written(style, pen.text().rstrip("\n"), facts)
