"""Laboratory values that speak against a drug. A rule is judged by its own measure: an eGFR
never stands for a creatinine clearance."""

from __future__ import annotations

from dataclasses import dataclass

from casegen.seeds.rx.model import Measure
from casegen.seeds.rx.naming import measure_names

from .forbidding import State
from .patient import Patient


@dataclass(frozen=True, slots=True)
class Seen:
    """How a measure stands for the patient, and how a finding on it is named."""

    state: State
    names: list[str]
    evidence: list[str]
    lacking: str


def stands(patient: Patient, measure: Measure, drug: str, title: str) -> Seen:
    """Whether the newest value lies within the bounds."""
    value = patient.value(measure.name)
    if value is None:
        return Seen("unknown", [], [], f"no {measure.name} is told")
    names = measure_names(measure, value, drug, title)
    state: State = "holds" if measure.range.holds(value) else "denied"
    return Seen(state, names, [patient.fact_of(measure.name)], "")
