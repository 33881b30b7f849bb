"""An audit in a report: its errors, decoys and codes, and a case with the evidence marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from casegen.env.audit.page import ERROR_LABELS
from casegen.env.openenv.html import facts, table, words

from .parts import chapter, patient, remark, says, source
from .plain import act_line, result_text
from .text import Mark, marked, part
from .views import Row, Series, View

SERIES = (
    Series("error_type", "Types of error", "findings"),
    Series("kind", "Kinds of error", "findings"),
    Series("findings", "Errors on a claim", "cases", by_name=True),
    Series("decoy", "Decoys: what looks wrong and is right", "decoys"),
    Series("authority", "Authorities of findings", "findings"),
    Series("chapter", "Code chapters", "claim lines", by_name=True),
)
# What coders call the types of error, before the colon.
_TYPES = {name: label.partition(":")[0] for name, label in ERROR_LABELS.items()}
_CLAIM = ("Line", "Code", "System", "Description", "Modifiers", "Units", "Truth")


def _counted(row: Row) -> Iterator[tuple[str, str]]:
    found = row["findings"]
    yield "findings", str(len(found)) if found else "0, clean"
    for finding in found:
        yield "error_type", _type(finding)
        yield "kind", f"{_type(finding)}: {words(finding['kind'])}"
        yield "authority", source(finding["authority"])
    for decoy in row["decoys"]:
        yield "decoy", words(decoy["kind"])
    for line in row["claim"]:
        yield "chapter", chapter(line["code"], row["tables"], line["system"])


def _type(finding: Mapping[str, Any]) -> str:
    name: str = finding["error_type"]
    return _TYPES.get(name, words(name))


def _labels(row: Row) -> list[str]:
    kinds = dict.fromkeys(_type(finding) for finding in row["findings"])
    return list(kinds) or ["clean"]


def _case(row: Row) -> str:
    left = part("note", "Clinical note", marked(row["note"], _marks(row)) + _legend(row))
    right = "".join(
        (
            part("patient", "Patient and encounter", patient(row)),
            part("claim", "Proposed claim", table(_CLAIM, _lines(row))),
            part("findings", f"Errors: {len(row['findings'])}", _findings(row)),
            _optional("decoys", "Looks wrong, is right", _decoys(row["decoys"])),
            _optional("questions", "Only the physician knows", _questions(row["questions"])),
        )
    )
    return f'<div class="pair"><div>{left}</div><div class="stack">{right}</div></div>'


def _optional(name: str, title: str, inner: str) -> str:
    return part(name, title, inner) if inner else ""


def _marks(row: Row) -> Iterator[Mark]:
    for number, finding in enumerate(row["findings"], 1):
        title = f"evidence of error {number}: {_type(finding)}, {finding['code']}"
        for span in finding["evidence"]:
            yield Mark(span["start"], span["end"], "evidence", title, str(number))
    for decoy in row["decoys"]:
        title = f"why {decoy['code']} is right"
        for span in decoy["evidence"]:
            yield Mark(span["start"], span["end"], "decoy", title)


def _legend(row: Row) -> str:
    parts = []
    if row["findings"]:
        parts.append('<mark class="evidence">evidence of an error</mark>')
    if row["decoys"]:
        parts.append('<mark class="decoy">why a line is right</mark>')
    return f'<p class="legend">{" ".join(parts)}</p>' if parts else ""


def _lines(row: Row) -> Iterator[Sequence[object]]:
    wrong: dict[int, list[str]] = {}
    for number, finding in enumerate(row["findings"], 1):
        wrong.setdefault(finding["line"], []).append(f"error {number}")
    decoys = {decoy["line"] for decoy in row["decoys"]}
    for line in row["claim"]:
        at = line["line"]
        told = ", ".join(wrong.get(at, ())) or ("right, a decoy" if at in decoys else "right")
        modifiers = " ".join(line["modifiers"])
        yield (
            at, line["code"], line["system"], line["description"], modifiers, line["units"], told,
        )  # fmt: skip


def _findings(row: Row) -> str:
    parts = []
    for finding in row["findings"]:
        kind = f"{_type(finding)} ({words(finding['kind'])})"
        with_code = f" with {finding['related_code']}" if finding["related_code"] else ""
        parts.append(
            f"<li><strong>{escape(finding['code'])}{escape(with_code)}</strong>: {escape(kind)}"
            f"<p>{escape(finding['explanation'])}</p>"
            + facts(
                [("Mend", _mend(finding["correction"])), ("Authority", says(finding["authority"]))]
            )
            + "</li>"
        )
    return f"<ol>{''.join(parts)}</ol>" if parts else "<p>None: the claim is clean.</p>"


def _mend(correction: Mapping[str, Any]) -> str:
    code, new = correction["code"], correction["replacement"]
    told = {
        "remove": f"remove {code}",
        "replace": f"replace {code} by {new}",
        "add_modifier": f"add modifier {new} to {code}",
    }
    return told.get(correction["action"], words(correction["action"]))


def _decoys(decoys: Sequence[Mapping[str, Any]]) -> str:
    items = (
        f"<li><strong>{escape(one['code'])}</strong>: {escape(one['reason'])} "
        f"<small>{escape(says(one['authority']))}</small></li>"
        for one in decoys
    )
    return f"<ul>{''.join(items)}</ul>" if decoys else ""


def _questions(questions: Sequence[Mapping[str, Any]]) -> str:
    items = (
        f"<li><strong>{escape(words(one['topic']))}</strong>: {escape(one['answer'])}</li>"
        for one in questions
    )
    return f"<ul>{''.join(items)}</ul>" if questions else ""


VIEW = View(
    ("claim", "findings", "decoys", "questions", "patient", "encounter", "tables"),
    SERIES, _counted, _labels, _case, act_line, result_text, remark,
)  # fmt: skip
