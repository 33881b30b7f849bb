"""A coding case drawn for a person: HTML of an observation. Everything is escaped."""

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
    table,
    text,
)

_CODES = ("Code", "Title", "Draft")


def render(told: Mapping[str, Any]) -> str:
    """The excerpt, the allowed codes, the draft and what the last act brought."""
    left = section("objective", "Objective", f"<p>{escape(told['objective'])}</p>") + section(
        "note", "Chart excerpt", text("Chart excerpt", escape(told["encounter_text"]))
    )
    right = (
        (score(told) if told["done"] else "")
        + section("result", "Last act", steps(told) + _progress(told))
        + "<div data-acts></div>"
        + section("draft", "Draft", _draft(told))
        + _hints(told)
        + section("codes", "Allowed codes", _codes(told))
    )
    return f'<div class="side left">{left}</div><div class="side right">{right}</div>'


def actions(told: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The acts that a button holds, with their labels."""
    if told["done"]:
        return []
    return [("Ask for a hint", {"request_hint": True}), ("Submit the draft", {"finalize": True})]


def forms(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The draft, filled in as it stands."""
    if told["done"]:
        return []
    codes = [[code, f"{code} – {title}"] for code, title in told["code_titles"].items()]
    return [
        form(
            "Change the draft",
            {},
            "Keep this draft",
            field(
                "primary_code", "Primary code", "select", required=False, options=codes,
                value=told["current_primary_code"],
            ),
            field(
                "secondary_codes", "Secondary codes", "several", required=False, options=codes,
                value=told["current_secondary_codes"],
            ),
            field(
                "needs_review", "A human coder has to review the chart", "flag", required=False,
                value=told["current_needs_review"],
            ),
        )
    ]  # fmt: skip


def _progress(told: Mapping[str, Any]) -> str:
    """The score so far and the grade in words, where they are told."""
    best, feedback = told["progress_score"], told["grader_feedback"]
    line = "" if best is None else f'<p class="steps">Best score so far: {best:.2f}</p>'
    return line + (paragraphs(feedback) if feedback else "")


def _draft(told: Mapping[str, Any]) -> str:
    return facts(
        (
            ("Primary", told["current_primary_code"] or "none yet"),
            ("Secondary", ", ".join(told["current_secondary_codes"]) or "none"),
            ("Review", "needed" if told["current_needs_review"] else "not needed"),
        )
    )


def _hints(told: Mapping[str, Any]) -> str:
    if not told["revealed_hints"]:
        return ""
    return section("hints", "Hints", paragraphs(told["revealed_hints"]))


def _codes(told: Mapping[str, Any]) -> str:
    primary, secondary = told["current_primary_code"], set(told["current_secondary_codes"])
    return table(
        _CODES,
        (
            (
                code,
                title,
                "primary" if code == primary else "secondary" if code in secondary else "",
            )
            for code, title in told["code_titles"].items()
        ),
    )
