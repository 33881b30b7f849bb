"""Patient and prescription in words, of an observation by its plain fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LOOKED_FOR = {
    "dosage_check": "dose",
    "interaction_check": "dose, interactions, allergies",
    "full_validation": "dose, interactions, allergies, contraindications",
}
SOURCES = {
    "known_allergies": "Allergies",
    "current_medications": "Medications",
    "medical_conditions": "Conditions and measures",
}


class Fields(dict[str, Any]):
    """An observation by the names of its fields, which are looked up when they are wanted."""

    def __init__(self, seen: Any) -> None:
        super().__init__()
        self._seen = seen

    def __missing__(self, name: str) -> Any:
        return getattr(self._seen, name)


def looked_for(task: str) -> str:
    """What a task looks for."""
    return _LOOKED_FOR[task]


def patient(seen: Mapping[str, Any]) -> str:
    """``Ada Holm, 57 years old, female``; of small children the months."""
    months = seen["patient_age_months"]
    age = f"{seen['patient_age']} years old" if months is None else f"{months} months old"
    return f"{seen['patient_name']}, {age}, {seen['patient_sex']}"


def prescription(seen: Mapping[str, Any]) -> str:
    """``RX-1: warfarin 5 mg tablet by mouth once daily, new, for atrial fibrillation``."""
    told = " ".join(
        seen[name]
        for name in ("drug_name", "drug_dose", "drug_form", "drug_route", "drug_frequency")
        if seen[name]
    )
    told += ", new" if seen["new_prescription"] else ", continued"
    if seen["indication"]:
        told += f", for {seen['indication']}"
    return f"{seen['prescription_id']}: {told}"


def record(seen: Mapping[str, Any]) -> list[str]:
    """The lines of the record as far as they are shown, each source with its name."""
    told = []
    for field, title in SOURCES.items():
        entries = seen[field]
        if entries is not None:
            told.append(f"{title}:")
            told += [f"- {entry}" for entry in entries] or ["- none recorded"]
    return told
