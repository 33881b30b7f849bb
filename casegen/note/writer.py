"""From chart to note and record."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from casegen.schemas import Fact

from ..chart.model import Added, Chart
from ..randomness import Wide
from .page import Item, Page
from .pen import Pen
from .sections import SECTIONS
from .silence import LIMB, silences

if TYPE_CHECKING:
    from ..world import World


# Systems of which a note says nothing normal by the way where somebody is injured.
_INJURED = ("musculoskeletal", "skin", "neurologic")


# What is told only in a sentence that says how it stands to something else.
_UNTOLD = ("ruled_out", "uncertain")
# From so many active problems on a note is kept short.
_LONG = 5
# From so many on it has no room for what is normal anyway.
_CROWDED = 6
# Words of a note; and the characters of a word that no note falls short of on average.
_MOST_WORDS, _LEAST_A_WORD = 600, 5
_SPARED = frozenset(("ros", "family", "social", "allergies"))


@dataclass(slots=True)
class Written:
    """A note, the facts that it states with their spans (by id), and its style."""

    style: str
    note: str
    facts: dict[str, Fact]

    @property
    def too_long(self) -> bool:
        """Whether the note has more words than a note may have."""
        return len(self.note) > _MOST_WORDS * _LEAST_A_WORD and (
            len(self.note.split()) > _MOST_WORDS
        )


@dataclass(frozen=True, slots=True)
class Cut:
    """What an excerpt shows of a note: a ``header`` above it, and these ``sections``. The
    problems in ``aired`` (by id) are told at length, all alike, whichever the encounter is for.
    While it has more than ``most`` characters, sections without facts are left out, the last
    first."""

    header: str
    sections: Collection[str]
    aired: Collection[str]
    most: int


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


def _beside_injury(items: list[Item]) -> None:
    """Tell what caused an injury right after that injury."""
    for cause in [item for item in items if item.problem.course == "cause"]:
        items.remove(cause)
        ids = [item.problem.id for item in items]
        at = ids.index(cause.problem.of) if cause.problem.of in ids else len(ids) - 1
        items.insert(at + 1, cause)


def write_note(world: World, chart: Chart, lane: Wide, cut: Cut | None = None) -> Written:
    """Write the note, or an excerpt of it; every active fact of the chart is stated at least
    once."""
    facts = _blank_facts(chart)
    sex = 0 if chart.patient.sex == "female" else 1
    newborn = chart.years == 0 and chart.days <= 28
    setting = chart.encounter.setting
    draw = lane.draw
    styles = world.styles[setting]
    style = styles[(draw() * len(styles)) >> 32]
    items: list[Item] = []
    adds: list[Added] = []
    touched: set[str] = set()
    silent = 0
    for problem in chart.problems:
        touched.add(problem.system)
        if problem.condition is not None:
            touched.update(problem.condition.also_systems)
        if problem.course == "injury":
            touched.update(_INJURED)
        marks = silences(problem)
        if marks & LIMB:
            touched.add("musculoskeletal")
        silent |= marks
        if problem.quiet or problem.status in _UNTOLD:
            continue
        side = "" if problem.hidden == "side" else problem.side
        item = Item(problem, facts[problem.id], problem.wording.telling(sex, side))
        if problem.reason and cut is None:
            items.insert(0, item)
        else:
            items.append(item)
        if problem.adds:
            adds += problem.adds
    _beside_injury(items)
    # The more there is to tell, the less is told of each.
    crowded = len(items) >= (_CROWDED if cut is None else _CROWDED - 1)
    detail = -1 if crowded else max(0, min((draw() * 3) >> 32, _LONG - len(items)))
    pen = Pen()
    voice = world.voice(chart.years, newborn, sex, setting)
    page = Page(
        pen, facts, chart, voice, draw, sex, items, touched, silent, detail, adds,
        world.drugs_apart, world.says, None if cut is None else cut.aired,
    )  # fmt: skip
    if cut is not None:
        pen.put(f"{cut.header}\n\n")
    headings = style.authors[draw() % len(style.authors)]
    spare: list[tuple[int, int]] = []
    for name in style.orders[(draw() * len(style.orders)) >> 32]:
        if (crowded and name in _SPARED) or (cut is not None and name not in cut.sections):
            continue
        at, marks = len(pen.pieces), len(pen.marks)
        SECTIONS[name](page, headings[name])
        if name in _SPARED or (cut is not None and len(pen.marks) == marks):
            spare.append((at, len(pen.pieces)))
    page.finish()
    if cut is not None:
        pen.shorten(spare, cut.most)
    return Written(style.name, pen.finish(spare), facts)
