"""Charts that a guideline codes as a whole, put into a chart before anything else is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from casegen.schemas.case import FactStatus

from ..randomness import Lane
from ..wording import Wording
from .model import Added, Problem, Statement
from .options import BIT, Option

if TYPE_CHECKING:
    from .build import Builder

_TRIES = 4
_PLACE = "hpi"


@dataclass(frozen=True, slots=True)
class Piece:
    """One problem of a guided chart, ready to join: an ``option`` of the condition files, or
    its own words. ``attributes`` holds the values of which one is drawn, ``weeks`` the weeks of
    gestation; ``system`` and the rest are those of ``Problem``."""

    name: str
    option: Option | None
    term: str
    code: str
    system: str
    course: str
    status: FactStatus
    quiet: bool
    reason: bool
    seventh: str
    attributes: Mapping[str, tuple[str, ...]]
    weeks: tuple[int, ...]
    wording: Wording
    adds: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Link:
    """How pieces stand to each other; ``say_stay`` is for a stay that the hospital bills."""

    term: str
    about: tuple[str, ...]
    say: tuple[str, ...]
    say_stay: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guideline:
    """A guided chart of one kind. ``mask`` holds the settings of professional claims; ``stays``
    tells that it may also be a stay that the hospital bills. ``slips`` are codes of the right
    claim, each with the wrong one of who overlooks the guideline, and the finding's kind;
    ``odd`` are right codes that look wrong, with section and reason."""

    id: str
    kind: str
    mask: int
    stays: bool
    low: int
    high: int
    sex: int
    groups: tuple[str, ...]
    clashes: tuple[str, ...]
    closed: bool
    pieces: tuple[Piece, ...]
    links: tuple[Link, ...]
    slips: tuple[tuple[str, str, str], ...]
    odd: tuple[tuple[tuple[str, ...], str, str], ...]
    services: tuple[str, ...]


def join_guideline(
    builder: Builder, lane: Lane, kinds: Sequence[Sequence[Guideline]] | None = None
) -> Guideline | None:
    """Put a drawn chart of a drawn kind into a chart that is still empty, and return it; None
    where none of those drawn fits the frame. ``kinds`` are the world's own unless given."""
    if kinds is None:
        kinds = builder.world.guidelines
    charts = kinds[lane.below(len(kinds))]
    for _ in range(_TRIES if charts else 0):
        chart = lane.pick(charts)
        if _fits(builder, chart):
            _join(builder, lane, chart)
            return chart
    return None


def _fits(builder: Builder, chart: Guideline) -> bool:
    mask = chart.mask | (BIT["inpatient"] if chart.stays else 0)
    return builder.frame.allows(mask, chart.low, chart.high, chart.sex)


def _join(builder: Builder, lane: Lane, chart: Guideline) -> None:
    frame = builder.frame
    open_mask = frame.mask & chart.mask
    stay = chart.stays and bool(frame.mask & BIT["inpatient"]) and (not open_mask or lane.below(2))
    if stay:
        frame.claim = "facility"
    frame.narrow(BIT["inpatient"] if stay else open_mask, chart.low, chart.high, chart.sex)
    ids: dict[str, Problem] = {}
    for piece in lane.shuffled(chart.pieces):
        ids[piece.name] = _problem(builder, lane, chart, piece)
    before = ""
    for problem in sorted((ids[piece.name] for piece in chart.pieces), key=_reason_first):
        problem.behind = before
        before = problem.id
        builder.take(problem)
        if problem.status in ("uncertain", "ruled_out") or problem.quiet:
            builder.lines -= 1
    builder.groups.update(chart.groups)
    builder.clashes.extend(chart.clashes)
    builder.slips.extend(chart.slips)
    builder.odd.extend(chart.odd)
    builder.guided = True
    builder.closed = builder.closed or chart.closed
    for link in chart.links:
        if link.term == "minor_trauma":
            # What the two are coded as together (I.C.13.d.2) must clash with nothing either.
            builder.mark("M80")
            builder.drops.append("M80.0")
        text = lane.pick(link.say_stay if stay and link.say_stay else link.say)
        mentions = {name: problem.id for name, problem in ids.items() if f"{{{name}}}" in text}
        about = [ids[name].id for name in link.about]
        builder.statements.append(
            Statement(builder.next_id("r"), link.term, about, text, mentions, place=_PLACE)
        )
    for code in chart.services:
        builder.admit_service(builder.world.service(code))


def _reason_first(problem: Problem) -> bool:
    return not problem.reason


def _problem(builder: Builder, lane: Lane, chart: Guideline, piece: Piece) -> Problem:
    attributes = {name: lane.pick(values) for name, values in piece.attributes.items()}
    adds = [Added(builder.next_id("a"), code, term, "") for code, term in piece.adds]
    if piece.weeks:
        week = lane.pick(piece.weeks)
        term = f"{week} weeks gestation of pregnancy"
        adds.append(Added(builder.next_id("a"), f"Z3A.{week:02}", term, ""))
    problem = Problem(
        builder.next_id("p"), f"guide.{chart.id}.{piece.name}", piece.term, piece.code,
        piece.system, piece.course, piece.wording, attributes, piece.seventh, piece.status,
        piece.reason, side=attributes.get("side", ""), adds=tuple(adds), reserved=True,
        quiet=piece.quiet,
    )  # fmt: skip
    option = piece.option
    if option is not None:
        condition = option.condition
        problem.condition, problem.value = condition, option.value
        if option.value.code is None:
            side = attributes["side"]
            problem.base = option.value.codes[side]
            problem.term = option.value.terms.get(side, piece.term)
        builder.ids.add(condition.id)
        builder.groups.update(condition.groups)
        builder.barred.update(condition.incompatible)
        builder.barred.update(builder.world.barred_by.get(condition.id, ()))
        builder.systems.update(condition.also_systems)
        builder.frame.narrow(
            builder.frame.mask, max(option.low, builder.frame.low), option.high, option.sex
        )
    return problem


def behind_another(problems: Sequence[Problem]) -> list[Problem]:
    """The problems in their order, each one that belongs behind another right behind it."""
    held = {p.behind: p for p in problems if p.behind}
    ordered: list[Problem] = []
    for problem in problems:
        if problem.behind:
            continue
        at: Problem | None = problem
        while at is not None:
            ordered.append(at)
            at = held.get(at.id)
    return ordered
