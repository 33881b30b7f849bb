"""The case of rx, and the parts of an answer that its tasks look for."""

from __future__ import annotations

from datetime import date
from typing import cast

from casegen.schemas.pack import Task
from casegen.schemas.rx_case import Component, RxCase, RxTask

# Where an entry of the record is read. ``full_profile`` asks for all three.
SOURCES = ("allergies", "medications", "conditions")
FULL = "full_profile"
# The field of the answer that names the findings of a component; the dose has a field of its own.
FIELDS: dict[Component, str] = {
    "interaction": "interactions_found",
    "allergy": "allergy_conflicts",
    "contraindication": "contraindications_found",
}
# What a task looks for beside the dose, as documented.
LOOKED_FOR: dict[RxTask, tuple[Component, ...]] = {
    "dosage_check": (),
    "interaction_check": ("interaction", "allergy"),
    "full_validation": ("interaction", "allergy", "contraindication"),
}
UNSAFE_DOSE = "unsafe dose"
_MONTHS_TOLD = 24  # an age below so many months is told in months, too


def case_of(task: Task) -> RxCase:
    """The case of a task of this family, as what it is: a family plays its own tasks alone."""
    return cast("RxCase", task.case)


def entries(case: RxCase) -> int:
    """How many entries the record has: allergies, medications and conditions."""
    return len(case.allergies) + len(case.medications) + len(case.conditions_listed)


def lines(case: RxCase, source: str) -> list[str]:
    """The entries of one source, as the record has them."""
    spans = {
        "allergies": case.allergies,
        "medications": case.medications,
        "conditions": case.conditions_listed,
    }
    return [span.text for span in spans[source]]


def dangerous(case: RxCase) -> bool:
    """Whether something is wrong with the prescription."""
    return bool(case.findings) or not case.dosage_safe


def ground(case: RxCase) -> str:
    """Why the recommendation is right, without the recommendation itself."""
    head = f"{case.recommendation}, since "
    told = case.rationale
    return told[len(head) :] if told.casefold().startswith(head) else told


def months_old(case: RxCase) -> int:
    """The age of the patient at the visit in completed months."""
    born = date.fromisoformat(case.patient.birth_date)
    seen = date.fromisoformat(case.encounter.service_date)
    return 12 * (seen.year - born.year) + seen.month - born.month - (seen.day < born.day)


def age_of(case: RxCase) -> tuple[int, int | None]:
    """The age in completed years, and in months where a patient is below two years."""
    months = months_old(case)
    return months // 12, months if months < _MONTHS_TOLD else None
