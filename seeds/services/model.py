"""What is known of a service and of a pair of services."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

CodeSystem = Literal["CPT", "HCPCS"]
OLDEST = 124  # years; the upper end of open age ranges, as in the MCE's adult group


class EM(NamedTuple):
    """The basis of an evaluation and management service.

    ``kind``: office, emergency, critical_care, hospital_initial, hospital_subsequent,
    discharge or preventive. ``patient``: new, established, or None where the code doesn't
    tell them apart. ``minutes`` is the inclusive range of total time on the date of service
    (None where time doesn't settle the level), ``mdm`` the level of medical decision making.
    ``telehealth_modifier`` goes on the line when the visit is by live video.
    Source: CPT E/M guidelines as revised for 2021, 2023 and 2024.
    """

    kind: str
    patient: str | None
    level: int | None
    minutes: tuple[int, int] | None
    mdm: str | None
    telehealth_modifier: str | None


class Service(NamedTuple):
    """A CPT or HCPCS service of our list.

    ``label`` is our own plain label, unique, and the ``term`` of a record's service fact.
    ``says`` are note sentences, each stating that the service was done, with slots
    (``{he}``, ``{side}``, ``{n:20-29}``). ``settings`` are those in which a professional
    claim may carry the code.

    ``sex`` and ``age`` (whole years, inclusive) are what the code MEANS and may be judged;
    None and (0, 124) where it means nothing. ``suits_sex`` and ``suits`` say who plausibly
    has the service and only help to draw charts. ``systems`` are organ systems (``any``
    for all); ``conditions`` are ICD-10-CM prefixes that make it plausible (``""`` for all).

    ``units`` is what the sentences amount to, ``units_max`` the MUE. ``needs_primary``
    lists the codes of which one must be billed with an add-on code. ``companions`` are codes
    of which one belongs on the same claim (a drug's administration, a vaccine). ``takes_25``:
    the code is an E/M service to which modifier 25 belongs.
    """

    code: str
    system: CodeSystem
    label: str
    category: str
    says: tuple[str, ...]
    settings: tuple[str, ...]
    sex: Literal["female", "male"] | None
    age: tuple[int, int]
    em: EM | None
    systems: tuple[str, ...]
    units_max: int
    needs_primary: tuple[str, ...]
    lateral: bool
    conditions: tuple[str, ...]
    suits_sex: Literal["female", "male"] | None
    suits: tuple[int, int]
    units: int
    companions: tuple[str, ...]
    telehealth_modifier: str | None
    takes_25: bool


@dataclass(frozen=True, slots=True)
class PtpEdit:
    """An NCCI procedure-to-procedure edit for practitioners.

    ``column2`` is the code that isn't paid. ``indicator``: 0 no modifier lifts the edit,
    1 an NCCI-associated modifier may, 9 the edit never was in force. ``deleted`` is the
    last date on which a deleted edit applied, None for an active one; ``since`` the first
    date, None where the table at hand doesn't tell.
    """

    column1: str
    column2: str
    indicator: int
    deleted: str | None
    rationale: str
    since: str | None = None


class Retired(NamedTuple):
    """A code that once was valid. ``ended_on`` is the first date on which it no longer is."""

    code: str
    ended_on: str
    label: str
    source: str
