"""An rx case drawn for a person: HTML of an observation. Everything is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from casegen.env.openenv.html import (
    facts,
    field,
    form,
    paragraphs,
    score,
    section,
    steps,
    text,
)

from .acts import RECOMMENDATIONS
from .written import SOURCES, looked_for, patient, prescription

_ASKS = {
    "known_allergies": "allergies",
    "current_medications": "medications",
    "medical_conditions": "conditions",
}
_HINT = "pairs A-B, one on each line"


def render(told: Mapping[str, Any]) -> str:
    """The prescription, the record as far as it is shown, and what the last act brought."""
    left = (
        section("prescription", "Prescription", f"<p>{escape(prescription(told))}</p>")
        + section("patient", "Patient", f"<p>{escape(patient(told))}</p>")
        + section("note", "Record", text("Record", _record(told)))
    )
    right = (
        (score(told) + _graded(told) if told["done"] else "")
        + section("task", "Task", facts(_task(told)))
        + section("result", "Last act", steps(told))
        + "<div data-acts></div>"
    )
    return f'<div class="side left">{left}</div><div class="side right">{right}</div>'


def actions(told: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The parts of the record that can still be asked for."""
    hidden = [name for field_, name in _ASKS.items() if told[field_] is None]
    if told["done"] or not hidden:
        return []
    found = [(f"Ask for {name}", {"action_type": "request_info", "info_requested": name})
             for name in hidden]  # fmt: skip
    full = {"action_type": "request_info", "info_requested": "full_profile"}
    return [*found, ("Ask for all of it", full)] if len(hidden) > 1 else found


def forms(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The answer, with the fields of the task."""
    if told["done"]:
        return []
    names = []
    if told["task"] != "dosage_check":
        names = [
            ("interactions_found", "Interactions"),
            ("allergy_conflicts", "Allergy conflicts"),
        ]
    if told["task"] == "full_validation":
        names.append(("contraindications_found", "Contraindications"))
    options = [[name, name] for name in RECOMMENDATIONS]
    return [
        form(
            "Submit the answer",
            {"action_type": "submit"},
            "Submit",
            field("dosage_safe", "The dose is safe", "flag", required=False, value=True),
            *(
                field(name, f"{title}: {_HINT}", "lines", required=False)
                for name, title in names
            ),
            field("recommendation", "Recommendation", "select", options=options),
            field("reasoning", "Why", "area", required=False),
        )
    ]  # fmt: skip


def _task(told: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        ("Task", told["task"]),
        ("Look for", looked_for(told["task"])),
        ("Difficulty", told["difficulty"]),
    ]


def _record(told: Mapping[str, Any]) -> str:
    parts = []
    for name, title in SOURCES.items():
        entries = told[name]
        shown = "<p>not asked for yet</p>" if entries is None else paragraphs(entries or ["none"])
        parts.append(f"<p>{escape(title)}</p>{shown}")
    return "".join(parts)


def _graded(told: Mapping[str, Any]) -> str:
    found, missed = told["issues_found_correctly"] or [], told["issues_missed"] or []
    inner = paragraphs([told["feedback"]]) if told["feedback"] else ""
    inner += facts([("Found", ", ".join(found) or "nothing"), ("Missed", ", ".join(missed) or "-")])
    return section("graded", "Grade", inner)
