"""What the steps of making an rx case hand on to each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Any

from casegen.schemas.rx_case import (
    Component,
    DecoyKind,
    Problem,
    Recommendation,
    RxAuthority,
    RxFactKind,
    RxSeverity,
    RxSource,
)
from casegen.seeds.rx.model import Authority, Drug
from casegen.seeds.rx.recommending import asks_for

from ..accident import AccidentError
from ..randomness import Lane
from .doses import Body, Regimen
from .known import Known
from .problems import Problem as Condition
from .problems import Use

ADULT = 18 * 12


class UnfitError(AccidentError):
    """A kind does not fit the case as it stands; another is tried, or the case drawn again."""


@dataclass(slots=True)
class Item:
    """One fact of a list, to be written as a line. ``form``: which patterns tell it (allergy,
    intolerance, medication, stopped, local, condition, lab, weight, pregnancy); ``problem`` is
    what it stands for, "" for none; ``days`` how many days before the encounter it was."""

    id: str
    kind: RxFactKind
    term: str
    source: RxSource
    form: str
    attributes: dict[str, str] = field(default_factory=dict)
    status: str = "active"
    problem: str = ""
    days: int = 0
    regimen: Regimen | None = None
    words: str = ""
    # The name that the line gives a drug, "" while none is settled.
    called: str = ""


@dataclass(slots=True)
class Found:
    """A finding: the fields of ``RxFinding``, ``facts`` as ids of items. ``also`` is the other
    right recommendation where a label leaves it to watching, "" elsewhere."""

    component: Component
    problem: Problem
    pair: list[str]
    names: list[str]
    severity: RxSeverity
    asks: str
    effect: str
    management: str
    reason: str
    authority: Sequence[Authority]
    facts: list[str]
    disputed: str = ""
    also: Recommendation | str = ""


@dataclass(slots=True)
class Spared:
    """A decoy: the fields of ``RxDecoy``, ``facts`` as ids of items. ``also`` is the other right
    recommendation where authorities differ, "" elsewhere."""

    kind: DecoyKind
    component: Component
    pair: list[str]
    names: list[str]
    tolerated: bool
    reason: str
    authority: Sequence[Authority]
    facts: list[str]
    also: Recommendation | str = ""


@dataclass(frozen=True, slots=True)
class Opening:
    """How a kind may come about: the drug, whom it needs (completed months, ``sex`` "" for any,
    ``old`` where an age rule of the drug is what it is about) and what the kind itself reads from
    ``data``. ``group``: one rule or the like, so that one with many openings is no likelier than
    others."""

    drug: str
    group: str
    low: int = ADULT
    high: int = 92 * 12
    sex: str = ""
    old: bool = False
    use: Use | None = None
    data: Any = None


@dataclass(slots=True)
class Sketch:
    """A case in the making. ``regimen`` is None while nobody has settled the dose; ``dose``,
    ``often`` and ``route_told`` are what the prescriber writes, "" where that follows from it.
    ``unknown`` is a name that no drug has, "" where the drug is known."""

    known: Known
    lane: Lane
    drug: Drug
    use: Use
    sex: str
    months: int
    task: str
    weight: Decimal | None = None
    regimen: Regimen | None = None
    dose: str = ""
    often: str = ""
    route_told: str = ""
    unknown: str = ""
    # The brand that the prescriber writes, "" where any name will do.
    called: str = ""
    indication: str = ""
    starting: bool = False
    # What a kind has settled of it: None while nobody has.
    begun: bool | None = None
    items: list[Item] = field(default_factory=list)
    values: dict[str, Decimal] = field(default_factory=dict)
    findings: list[Found] = field(default_factory=list)
    decoys: list[Spared] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    # Whether a kind has settled the dose itself, so that no other may.
    fixed: bool = False
    # The weight in whole pounds, where the list tells it so.
    pounds: int | None = None
    # Drugs and problems that no filler may bring in.
    unwanted: set[str] = field(default_factory=set)

    @property
    def condition(self) -> Condition:
        """What the drug is for."""
        return self.known.problems[self.use.problem]

    @property
    def body(self) -> Body:
        """What of the patient bears on doses."""
        return Body(self.months, self.weight, self.values)

    @property
    def medications(self) -> list[str]:
        """The drugs that are taken now and act in the whole body."""
        return [one.term for one in self.items if one.form == "medication"]

    @property
    def problems(self) -> list[str]:
        """The conditions of the list, what the drug is for among them."""
        return [one.problem for one in self.items if one.kind == "condition"]

    def has(self, kind: str, term: str) -> bool:
        """Whether a fact of that kind and term stands there."""
        return any(one.kind == kind and one.term == term for one in self.items)

    def start(self, new: bool) -> None:
        """Settle whether the prescription begins or goes on. Raises UnfitError where another kind
        has settled it otherwise."""
        if self.begun not in (None, new):
            raise UnfitError("another kind has it begin otherwise")
        self.begun = self.starting = new

    def kept(self) -> dict[str, object]:
        """What a kind that fails half-way would leave behind, to be put back."""
        return {
            one.name: _copy(getattr(self, one.name)) for one in fields(self) if one.name != "known"
        }

    def put_back(self, kept: dict[str, object]) -> None:
        """Undo what has been done since."""
        for name, value in kept.items():
            setattr(self, name, value)

    def add(self, item: Item) -> Item:
        """Put a fact on its list."""
        self.items.append(item)
        return item

    def next_id(self, kind: str) -> str:
        """An id for the next fact of a kind."""
        return f"{kind}{sum(one.kind == kind for one in self.items) + 1}"


def _copy(value: object) -> object:
    return value.copy() if isinstance(value, list | dict | set) else value


def on_dose(
    sketch: Sketch,
    problem: Problem,
    severity: RxSeverity,
    effect: str,
    management: str,
    reason: str,
    authority: Iterable[Authority],
    facts: Iterable[str] = (),
) -> None:
    """Add a finding on the dose."""
    sketch.findings.append(
        Found(
            "dose", problem, [sketch.drug.id], [], severity, asks_for("dose", problem), effect,
            management, reason, tuple(authority), list(facts),
        )
    )  # fmt: skip


def cite(authority: Iterable[Authority]) -> list[RxAuthority]:
    """Authorities as cases hold them, each once."""
    made = dict.fromkeys((one.source, one.reference, one.section) for one in authority)
    return [RxAuthority(source, reference, section) for source, reference, section in made]
