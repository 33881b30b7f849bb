"""A claim from outside: what ``casegen check`` reads.

The file is one JSON object::

    {"patient": {"sex": "female", "birth_date": "1961-02-03"},
     "service_date": "2026-05-04", "setting": "office", "claim_type": "professional",
     "lines": [{"code": "E11.9"}, {"code": "99213", "modifiers": ["25"], "units": 1}],
     "record": [...], "admission_date": null}

``record`` holds the facts of the chart, in the form that the cases use; without it the
checker says ``review`` wherever the chart would decide. ``system`` of a line may be left
out: the tables then say which code system knows the code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from .case import (
    STRICT,
    ClaimType,
    CodeSystem,
    Fact,
    IsoDate,
    Positive,
    Setting,
    Sex,
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
class ProposedClaim:
    """A claim from outside. ``service_date`` is the date of discharge for inpatient stays."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    patient: ProposedPatient
    service_date: IsoDate
    setting: Setting
    claim_type: ClaimType
    lines: list[ProposedLine]
    record: list[Fact] | None = None
    admission_date: IsoDate | None = None
