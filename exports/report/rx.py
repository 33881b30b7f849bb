"""An rx case in a report: its problems, decoys and answer, and a case with the evidence marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from casegen.env.openenv.html import facts, words

from ..messages import prompt_of
from .parts import patient
from .plain import call_line
from .text import Mark, marked, paragraph, part
from .views import Row, Series, View

SERIES = (
    Series("task", "Tasks", "cases"),
    Series("recommendation", "Recommendations", "cases"),
    Series("problem", "Problems", "findings"),
    Series("items", "Findings of a case", "cases", by_name=True),
    Series("severity", "Severity", "findings"),
    Series("decoy", "Decoys", "decoys"),
    Series("authority", "Authorities of findings", "findings"),
)
_SHOWN = ("known_allergies", "current_medications", "medical_conditions")


def _counted(row: Row) -> Iterator[tuple[str, str]]:
    yield "task", words(row["task"])
    yield "recommendation", row["recommendation"]
    yield "items", f"{len(row['findings']):02}"
    for one in row["findings"]:
        yield "problem", words(one["problem"])
        yield "severity", one["severity"]
        for authority in one["authority"]:
            yield "authority", authority["source"]
    for decoy in row["decoys"]:
        yield "decoy", words(decoy["kind"])


def _labels(row: Row) -> list[str]:
    return [words(kind) for kind in row["kinds"]] or ["plain"]


def _case(row: Row) -> str:
    left = part("note", "Record", marked(row["note"], _marks(row)) + _legend(row))
    right = "".join(
        (
            part("claim", "Prescription", facts(_written(row["prescription"]))),
            part("patient", "Patient and encounter", patient(row)),
            part("findings", f"Answer: {row['recommendation']}", _answer(row)),
            part("decoys", "Looks wrong, and is not", _decoys(row["decoys"])),
        )
    )
    return f'<div class="pair"><div>{left}</div><div class="stack">{right}</div></div>'


def _written(one: Mapping[str, Any]) -> list[tuple[str, str]]:
    told = " ".join(one[name] for name in ("dose", "form", "route", "frequency") if one[name])
    return [
        ("Drug", one["drug"]),
        ("As written", told),
        ("For", one["indication"] or "not told"),
        ("Begun with it", "yes" if one["starting"] else "no"),
    ]


def _marks(row: Row) -> Iterator[Mark]:
    for number, one in enumerate(row["findings"], 1):
        for span in one["evidence"]:
            title = f"evidence of finding {number}: {_name(one)}"
            yield Mark(span["start"], span["end"], "evidence", title, str(number))
    for decoy in row["decoys"]:
        for span in decoy["evidence"]:
            yield Mark(span["start"], span["end"], "decoy", f"no finding: {words(decoy['kind'])}")


def _legend(row: Row) -> str:
    parts = ['<mark class="evidence">evidence of a finding</mark>'] if row["findings"] else []
    if any(decoy["evidence"] for decoy in row["decoys"]):
        parts.append('<mark class="decoy">looks wrong, and is not</mark>')
    return f'<p class="legend">{" ".join(parts)}</p>'


def _name(one: Mapping[str, Any]) -> str:
    return one["names"][0] if one["names"] else "unsafe dose"


def _answer(row: Row) -> str:
    items = (
        f"<li><strong>{escape(_name(one))}</strong> ({escape(words(one['problem']))})"
        f"<p>{escape(one['reason'])}</p>{facts(_told(one))}</li>"
        for one in row["findings"]
    )
    accepted = ", ".join(row["also_accepted"])
    head = [("Dose", "safe" if row["dosage_safe"] else "not safe"),
            ("Recommendation", row["recommendation"] + (f" (or {accepted})" if accepted else "")),
            ("Why", row["rationale"])]  # fmt: skip
    return facts(head) + (f"<ol>{''.join(items)}</ol>" if row["findings"] else "")


def _told(one: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        ("Severity", one["severity"]),
        ("Effect", one["effect"]),
        ("Management", one["management"]),
        ("Authority", _says(one["authority"])),
    ]


def _says(authorities: Sequence[Mapping[str, Any]]) -> str:
    return "; ".join(f"{one['source']} {one['reference']}, {one['section']}" for one in authorities)


def _decoys(decoys: Sequence[Mapping[str, Any]]) -> str:
    if not decoys:
        return paragraph("nothing")
    items = (
        f"<li><strong>{escape(words(one['kind']))}</strong>: {escape(one['reason'])} "
        f"<small>{escape(_says(one['authority']))}</small></li>"
        for one in decoys
    )
    return f"<ul>{''.join(items)}</ul>"


def _act(action: Row) -> str:
    given = {name: value for name, value in action.items() if name != "reasoning"}
    return call_line(*prompt_of("rx").call_of(given))


def _result(result: Row) -> tuple[str, bool]:
    """What came of an act: why it could not be done, else what is shown."""
    if wrong := result.get("last_action_error"):
        return wrong, True
    told = [entry for name in _SHOWN for entry in result.get(name) or ()]
    return "\n".join(told), False


VIEW = View(
    ("task", "prescription", "dosage_safe", "findings", "decoys", "recommendation",
     "also_accepted", "rationale", "kinds", "patient", "encounter", "tables"),
    SERIES, _counted, _labels, _case, _act, _result,
)  # fmt: skip
