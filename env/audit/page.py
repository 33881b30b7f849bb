"""An audit drawn for a person: HTML of an observation. Everything is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from itertools import combinations
from typing import Any, get_args

from casegen.env.openenv.html import (
    facts,
    field,
    form,
    marked,
    paragraphs,
    score,
    section,
    steps,
    table,
    text,
    words,
)
from casegen.schemas.case import ErrorType

MOST_PAIRS = 12  # buttons; the form takes any pair
ERROR_LABELS = {
    "demographic_mismatch": "Demographic mismatch: does not fit the patient's sex or age",
    "excludes1_conflict": "Excludes1 conflict: two diagnoses that exclude each other",
    "ncci_edit": "NCCI edit: two services that are not paid together",
    "specificity_error": "Specificity error: the note says more, or other, than the code",
    "untraceable_code": "Untraceable code: stands in no code set",
}
_CLAIM = ("Line", "Code", "System", "Description", "Modifiers", "Units", "So far")
_DRAFT = ("Code", "Error", "Justification", "Should be", "With", "Step")


def render(told: Mapping[str, Any]) -> str:
    """The case, the claim, the draft and what the last act brought."""
    left = section("patient", "Patient and encounter", _patient(told)) + section(
        "note", "Clinical note", _note(told)
    )
    right = (
        (score(told) if told["done"] else "")
        + section("claim", "Proposed codes", _claim(told))
        + section("result", "Last act", _result(told))
        + "<div data-acts></div>"
        + section("draft", "Draft report", _draft(told))
        + _asked(told)
    )
    return f'<div class="side left">{left}</div><div class="side right">{right}</div>'


def actions(told: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The acts that a button holds, with their labels."""
    if told["done"]:
        return []
    queried = set(told["codes_queried"])
    found: list[tuple[str, dict[str, Any]]] = [
        (f"Look up {code}", {"action_type": "query_guideline", "code": code})
        for code in told["proposed_codes"]
        if code not in queried
    ]
    checked = {frozenset(pair.split("|")) for pair in told["pairs_checked"]}
    pairs = [pair for pair in combinations(_services(told), 2) if frozenset(pair) not in checked]
    found += [
        (
            f"Check {first} with {second}",
            {"action_type": "check_ncci_edits", "code1": first, "code2": second},
        )
        for first, second in pairs[:MOST_PAIRS]
    ]
    found.append(("Submit the audit", {"action_type": "submit_audit"}))
    return found


def forms(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The acts that need words or a choice."""
    if told["done"]:
        return []
    codes = [[code, f"{code} – {about['description']}"] for code, about in _codes(told)]
    services = [[code, code] for code in _services(told)]
    types = [[name, ERROR_LABELS[name]] for name in get_args(ErrorType)]
    found = [
        form(
            "Flag an error",
            {"action_type": "flag_error"},
            "Flag",
            field("code", "Code", "select", options=codes),
            field("error_type", "Error", "select", options=types),
            field("justification", "Why", "area"),
            field("suggested_code", "Should be (if you like)", "text", required=False),
            field("related_code", "Together with (if you like)", "text", required=False),
        ),
        form(
            "Keep evidence",
            {"action_type": "extract_evidence"},
            "Keep these words",
            field("evidence_text", "Select words in the note, or paste them here", "selection"),
        ),
        form(
            "Ask the physician",
            {"action_type": "ask_clarifying_question"},
            "Ask",
            field("question", "Question", "area"),
        ),
    ]
    if len(services) > 1:
        pair = form(
            "Check a pair of services",
            {"action_type": "check_ncci_edits"},
            "Check",
            field("code1", "First", "select", options=services),
            field("code2", "Second", "select", options=services[1:] + services[:1]),
        )
        found.insert(1, pair)
    return found


def _codes(told: Mapping[str, Any]) -> Iterable[tuple[str, Mapping[str, str]]]:
    codes: Mapping[str, Mapping[str, str]] = told["proposed_codes"]
    return codes.items()


def _services(told: Mapping[str, Any]) -> list[str]:
    return [code for code, about in _codes(told) if about["code_type"] != "ICD-10-CM"]


def _patient(told: Mapping[str, Any]) -> str:
    who, visit = told["patient_demographics"], told["encounter"]
    age = f"{who['age_days']} days" if "age_days" in who else f"{who['age']} years"
    shown = [
        ("Age", age),
        ("Sex", who["sex"]),
        ("MRN", who["mrn"]),
        ("Insurance", who["insurance"]),
        ("Visit", words(visit["kind"])),
        ("Setting", words(visit["setting"])),
        ("Claim", words(visit["claim_type"])),
        ("Date", visit["service_date"]),
    ]
    if visit["admission_date"]:
        shown.insert(-1, ("Admitted", visit["admission_date"]))
    return facts(shown)


def _note(told: Mapping[str, Any]) -> str:
    return text("Clinical note", marked(told["clinical_note"], told["extracted_evidence"]))


def _claim(told: Mapping[str, Any]) -> str:
    queried = set(told["codes_queried"])
    paired = {code for pair in told["pairs_checked"] for code in pair.split("|")}
    flagged = {flag["code"] for flag in told["draft_report"]}
    rows = []
    for line in told["claim_lines"]:
        code = line["code"]
        seen = [
            name
            for name, held in (
                ("looked up", queried),
                ("pair checked", paired),
                ("flagged", flagged),
            )
            if code in held
        ]
        rows.append(
            (
                line["line"],
                code,
                line["code_type"],
                told["proposed_codes"][code]["description"],
                ", ".join(line["modifiers"]),
                line["units"],
                ", ".join(seen),
            )
        )
    return table(_CLAIM, rows)


def _draft(told: Mapping[str, Any]) -> str:
    if not told["draft_report"]:
        return "<p>Nothing is flagged yet.</p>"
    rows = [
        (
            flag["code"],
            words(flag["error_type"]),
            flag["justification"],
            flag["suggested_code"] or "",
            flag["related_code"] or "",
            flag["step"],
        )
        for flag in told["draft_report"]
    ]
    return table(_DRAFT, rows)


def _result(told: Mapping[str, Any]) -> str:
    result = told["tool_result"]
    return steps(told) + (f'<div class="text">{escape(result)}</div>' if result else "")


def _asked(told: Mapping[str, Any]) -> str:
    if not told["clarifications_asked"]:
        return ""
    return section("asked", "Asked", paragraphs(told["clarifications_asked"]))
