"""The chart: the structured truth about one patient and one encounter."""

from __future__ import annotations

from dataclasses import dataclass, field

from casegen.schemas import Encounter, Patient
from casegen.schemas.case import FactStatus
from casegen.seeds.conditions import Condition, Value
from casegen.seeds.services import Service

from ..wording import Wording


@dataclass(slots=True)
class Problem:
    """One problem of the chart.

    ``base`` is the code without a seventh character that the attributes call for (the coder
    completes it); ``attributes`` are the truth, ``hidden`` names the one that the note leaves
    out and only the physician knows. ``status`` is ``active``, ``history``, ``uncertain`` or
    ``ruled_out``; a finding or decoy is to rest on a ``reserved`` problem. A ``quiet`` problem
    is told in the sentence of a relation alone; ``behind`` is the id of the problem right
    behind which the chart lists it, ``of`` that of the injury that an external cause brought
    about. A ``grave`` one is met in an emergency department or on a ward only.
    """

    id: str
    origin: str
    term: str
    base: str
    system: str
    course: str
    wording: Wording
    attributes: dict[str, str] = field(default_factory=dict)
    seventh: str = "none"
    status: FactStatus = "active"
    reason: bool = False
    hidden: str | None = None
    later: bool = False
    side: str = ""
    condition: Condition | None = None
    value: Value | None = None
    adds: tuple[Added, ...] = ()
    code: str = ""
    reserved: bool = False
    suits: tuple[str, ...] = ()
    of: str = ""
    quiet: bool = False
    behind: str = ""
    grave: bool = False

    @property
    def tells_side(self) -> bool:
        """Whether the problem is present on a side that the note does not keep open."""
        return bool(self.side) and self.status == "active" and self.hidden != "side"

    @property
    def chapter_data(self) -> bool:
        """Whether the problem comes from the condition files, not from a scenario or the
        long tail."""
        return self.condition is not None and not self.origin.startswith("ncci")


@dataclass(slots=True)
class Added:
    """A code that comes with a problem: long-term drug, body mass index, week, external cause."""

    id: str
    code: str
    term: str
    seventh: str


@dataclass(slots=True)
class Performed:
    """A service of the encounter. ``modifiers`` stand on the right claim; a service that is
    part of another is told in the note and not billed."""

    id: str
    service: Service
    says: str | None = None
    side: str = ""
    modifiers: list[str] = field(default_factory=list)
    billed: bool = True


@dataclass(slots=True)
class Statement:
    """A relation that the note states between facts, in these words.

    ``term`` is the relation (see ``Fact``), ``about`` the ids of the facts; in ``text`` the
    places ``{keep}``, ``{drop}`` and ``{a}`` to ``{e}`` name problems by ``mentions``, ``{bare}``
    one without its side. With a ``bank`` the sentence is drawn from it when the note is written.
    """

    id: str
    term: str
    about: list[str]
    text: str
    mentions: dict[str, str] = field(default_factory=dict)
    place: str = "hpi"
    attributes: dict[str, str] = field(default_factory=dict)
    bank: str | None = None


@dataclass(slots=True)
class Chart:
    """All that is true of the case before the note is written.

    A ``guided`` chart holds problems whose codes follow from guidelines that bind several facts
    (see ``coder.guided``).
    """

    patient: Patient
    encounter: Encounter
    years: int
    days: int
    problems: list[Problem]
    services: list[Performed]
    statements: list[Statement]
    guided: bool = False
