"""A claim from outside: what ``casegen check`` reads.

The file is one JSON object::

    {"patient": {"sex": "female", "birth_date": "1961-02-03"},
     "service_date": "2026-05-04", "setting": "office", "claim_type": "professional",
     "lines": [{"code": "E11.9"}, {"code": "99213", "modifiers": ["25"], "units": 1}],
     "record": [{"kind": "problem", "term": "Type 2 diabetes mellitus without complications"}],
     "admission_date": null}

``record`` holds the facts of the chart, in the form that the cases use, but what a fact does
not need may be left out; without a record the checker says ``review`` wherever the chart
would decide. ``system`` of a line may be left out: the tables then say which code system
knows the code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from .case import (
    STRICT,
    ClaimType,
    CodeSystem,
    FactKind,
    FactStatus,
    IsoDate,
    Positive,
    Setting,
    Sex,
    Span,
    Text,
)


@dataclass(slots=True)
class ProposedPatient:
    """What a claim tells of the patient."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    sex: Sex
    birth_date: IsoDate


@dataclass(slots=True)
class ProposedLine:
    """One code of a claim from outside. Its number is its place in the list, from 1."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    code: Text
    modifiers: list[str] = field(default_factory=list)
    units: Positive = 1
    system: CodeSystem | None = None


@dataclass(slots=True)
class ProposedFact:
    """One fact of the chart, read as a ``Fact`` of a case is; all but ``kind`` and ``term`` may
    be left out.

    No note comes with the claim, so a fact counts as stated without ``spans``. Only a fact that
    a relation names in ``about`` needs an ``id``.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    kind: FactKind
    term: Text
    id: Text | None = None
    status: FactStatus = "active"
    attributes: dict[str, str] = field(default_factory=dict)
    about: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)


@dataclass(slots=True)
class ProposedClaim:
    """A claim from outside. ``service_date`` is the date of discharge for inpatient stays."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    patient: ProposedPatient
    service_date: IsoDate
    setting: Setting
    claim_type: ClaimType
    lines: list[ProposedLine]
    record: list[ProposedFact] | None = None
    admission_date: IsoDate | None = None
