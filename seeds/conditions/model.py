"""What is known of a condition: who may have it, how it is said, and which code each value has.

The fields are those of the YAML files beside this module; lists become tuples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Role = Literal["reason", "background"]
SexRule = Literal["any", "female", "male"]
Course = Literal["acute", "chronic", "injury", "status", "screening", "pregnancy", "newborn"]
SeventhRule = Literal["none", "injury", "fracture"]
Side = Literal["right", "left", "bilateral"]


@dataclass(frozen=True, slots=True)
class Addition:
    """A code that stands beside the value's own code (long-term drug, BMI, external cause):
    code and title. With ``seventh`` "same" the code lacks its seventh character (placeholders
    may stand) and takes the one for the phase of the value itself."""

    code: str
    term: str
    seventh: Literal["none", "same"]


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a condition: the attribute that settles the code, and its wording.

    ``weight`` is a whole number: how often the value is drawn beside the others of its condition.
    ``id``, ``weight``, ``course``, ``term``, ``code`` or ``codes``, and ``source`` must be there;
    ``seventh`` is ``none`` without a word, and all other fields are empty.

    ``code`` holds the complete code, or is None for sided values, whose ``codes`` maps a
    side to its code and whose ``unspecified`` is the code without a known side. Codes of
    values with ``seventh`` other than ``none`` lack the seventh character. ``term`` is the
    official title or inclusion term (for sided values that of the unsided parent), and
    ``terms`` holds the wording of sides that differ. ``less_specific`` is a code of the same
    category that says less than what is documented. ``roles`` and ``settings`` are those of
    the condition unless the value narrows them. ``attributes`` holds what the value itself
    adds to the term beside the side, as a record's fact would (``seventh``: official text of
    a seventh character that the code already has, such as a stage of glaucoma).

    Sentences of ``story``, ``exam`` and ``plan`` end with a full stop; ``background`` and
    ``results`` are fragments. The first sentence of ``exam`` is on the organ of the problem
    itself, and is always told of the reason for the encounter. All may hold slots (``{he}``,
    ``{side}``, ``{n:2-6}``, ``{d:6.8-9.4}``).
    """

    id: str
    weight: int
    course: Course
    roles: tuple[Role, ...]
    settings: tuple[str, ...]
    term: str
    code: str | None
    codes: Mapping[str, str] = field(hash=False)
    unspecified: str | None
    terms: Mapping[str, str] = field(hash=False)
    seventh: SeventhRule
    less_specific: str | None
    names: tuple[str, ...]
    story: tuple[str, ...]
    background: tuple[str, ...]
    exam: tuple[str, ...]
    results: tuple[str, ...]
    plan: tuple[str, ...]
    drugs: tuple[str, ...]
    services: tuple[str, ...]
    adds: tuple[Addition, ...]
    attributes: Mapping[str, str] = field(hash=False)
    source: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition with its values.

    ``system`` is the organ system of which the condition is, ``also_systems`` others on which its
    sentences touch: no sentence of the review of systems or the examination calls these normal,
    and no symptom of the long tail joins from ``system``. ``weight`` is a whole number: how often
    the condition is drawn beside the others. ``chapter`` and ``source`` are those of the file.
    ``id``, ``system``, ``age`` or ``age_days``, ``settings``, ``roles``, ``weight`` and ``values``
    must be there; ``sex`` is ``any`` without a word, and all other fields are empty.

    ``age`` is inclusive, in completed years; ``age_days`` is set for newborn conditions only
    (inclusive, in days; ``age`` is then ``(0, 0)``). ``incompatible`` names the conditions
    that may not stand in one chart with this one; it holds in both directions, whichever
    of the two files says it; ``*`` means every other condition but those that ``compatible``
    of either names. ``groups``: at most one
    condition of a group in one chart. ``presupposes``: conditions that the chart must hold
    already.
    """

    id: str
    chapter: int
    system: str
    also_systems: tuple[str, ...]
    sex: SexRule
    age: tuple[int, int]
    age_days: tuple[int, int] | None
    settings: tuple[str, ...]
    roles: tuple[Role, ...]
    weight: int
    groups: tuple[str, ...]
    incompatible: tuple[str, ...]
    compatible: tuple[str, ...]
    presupposes: tuple[str, ...]
    values: tuple[Value, ...]
    source: str
