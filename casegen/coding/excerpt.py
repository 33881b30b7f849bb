"""What of the note a coding case shows: a header, and whole sections."""

from __future__ import annotations

from casegen.schemas import Encounter

from ..chart.model import Chart
from ..note import Cut
from ..randomness import Lane
from .levels import Level
from .model import Drawn

LEAST_WORDS, MOST_WORDS = 60, 400
_CHARACTERS = 2_300
# Sections that tell the facts, and those that may be shown beside them.
_ALWAYS = ("chief_complaint", "hpi", "pmh")
_MORE = (
    "medications", "allergies", "social", "family", "ros", "vitals", "exam", "results", "course",
    "disposition",
)  # fmt: skip
_VISITS = {
    "office": "Office visit",
    "telehealth": "Telehealth visit",
    "emergency": "Emergency department visit",
    "outpatient_surgery": "Outpatient surgery",
}


def cut_of(drawn: Drawn, level: Level, lane: Lane) -> Cut:
    """The excerpt: all sections that state facts, and some of the others."""
    chart = drawn.chart
    sections = set(_ALWAYS)
    codes = [add.code for problem in chart.problems for add in problem.adds]
    if any(code.startswith("Z79") for code in codes):
        sections.add("medications")
    if any(code.startswith("Z68") for code in codes):
        sections.add("vitals")
    # On a ward only what was watched, worked up or treated is coded (III): the plan tells of it.
    if lane.below(100) < level.open or chart.encounter.setting == "inpatient":
        sections.add("assessment_plan")
    percent = 10 + 10 * lane.below(6)
    sections.update(name for name in _MORE if lane.below(100) < percent)
    return Cut(header(chart), sections, drawn.aired, _CHARACTERS)


def header(chart: Chart) -> str:
    """Setting, date and patient in one line."""
    patient = "woman" if chart.patient.sex == "female" else "man"
    if chart.years < 18:
        patient = "girl" if chart.patient.sex == "female" else "boy"
    age = f"{chart.years} years" if chart.years else f"{chart.days} days"
    if chart.years == 1:
        age = "1 year"
    elif chart.days == 1:
        age = "1 day"
    return f"{_encounter(chart.encounter)}. Patient: {patient}, {age}."


def _encounter(encounter: Encounter) -> str:
    visit = _VISITS.get(encounter.setting)
    if visit is None:
        days = f"{encounter.admission_date} to {encounter.service_date}"
        return f"Inpatient stay, {days}, coded for the hospital"
    return f"{visit}, {encounter.service_date}"
