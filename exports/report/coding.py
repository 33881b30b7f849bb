"""A coding case in a report: its rules, codes and what is wrong of the rest, and a case with the
evidence marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from casegen.env.openenv.html import facts, paragraphs, table, words

from ..messages import prompt_of
from .parts import chapter, patient, remark, says, source
from .plain import call_line
from .text import Mark, marked, paragraph, part
from .views import Row, Series, View

SERIES = (
    Series("rule", "Rules in play", "cases"),
    Series("codes", "Codes of an answer", "cases", by_name=True),
    Series("wrong", "Wrong codes by kind", "codes"),
    Series("review", "Why a person has to look", "cases"),
    Series("authority", "Authorities of codes", "codes"),
    Series("chapter", "Code chapters", "codes", by_name=True),
)
_ALLOWED = ("Code", "Title", "Truth")


def _golds(row: Row) -> list[Mapping[str, Any]]:
    return [row["primary"], *row["secondary"]]


def _counted(row: Row) -> Iterator[tuple[str, str]]:
    golds = _golds(row)
    for kind in row["kinds"] or ("none",):
        yield "rule", words(kind)
    yield "codes", f"{len(golds):02}"
    for gold in golds:
        yield "authority", source(gold["authority"])
        yield "chapter", chapter(gold["code"], row["tables"])
    for wrong in row["wrong"]:
        yield "wrong", words(wrong["kind"])
    yield "review", words(row["review"]["kind"]) if row["review"] else "nobody has to"


def _labels(row: Row) -> list[str]:
    found = [words(kind) for kind in row["kinds"]] or ["plain"]
    return [*found, "review"] if row["needs_review"] else found


def _case(row: Row) -> str:
    left = part("note", "Chart excerpt", marked(row["note"], _marks(row)) + _legend(row))
    review = row["review"]
    right = "".join(
        (
            part("patient", "Patient and encounter", patient(row)),
            part("objective", "Objective", paragraph(row["objective"])),
            part("claim", "Codes to choose from", table(_ALLOWED, _allowed(row))),
            part("findings", f"Answer: {len(_golds(row))} codes", _answer(_golds(row))),
            part("review", "A person has to look at it", _review(review)) if review else "",
            part("decoys", "Near, and wrong", _wrong(row["wrong"])),
            part("hints", "Hints", paragraphs(row["hints"])),
        )
    )
    return f'<div class="pair"><div>{left}</div><div class="stack">{right}</div></div>'


def _marks(row: Row) -> Iterator[Mark]:
    for number, gold in enumerate(_golds(row), 1):
        for span in gold["evidence"]:
            title = f"evidence of code {number}: {gold['code']}"
            yield Mark(span["start"], span["end"], "evidence", title, str(number))
    for wrong in row["wrong"]:
        for span in wrong["evidence"]:
            title = f"why {wrong['code']} is wrong"
            yield Mark(span["start"], span["end"], "decoy", title)


def _legend(row: Row) -> str:
    parts = ['<mark class="evidence">evidence of a code</mark>']
    if any(wrong["evidence"] for wrong in row["wrong"]):
        parts.append('<mark class="decoy">why a code is wrong</mark>')
    return f'<p class="legend">{" ".join(parts)}</p>'


def _allowed(row: Row) -> Iterator[Sequence[object]]:
    truth = {wrong["code"]: f"wrong: {words(wrong['kind'])}" for wrong in row["wrong"]}
    for number, gold in enumerate(_golds(row), 1):
        truth[gold["code"]] = "primary" if number == 1 else f"secondary, code {number}"
        truth |= dict.fromkeys(gold["equivalents"], f"as right as {gold['code']}")
        truth |= dict.fromkeys(gold["alternates"], f"half of {gold['code']}")
    for one in row["allowed"]:
        yield one["code"], one["title"], truth.get(one["code"], "")


def _answer(golds: Sequence[Mapping[str, Any]]) -> str:
    items = (
        f"<li><strong>{escape(gold['code'])}</strong><p>{escape(gold['reason'])}</p>"
        f"{facts([('Authority', says(gold['authority']))])}</li>"
        for gold in golds
    )
    return f"<ol>{''.join(items)}</ol>"


def _review(review: Mapping[str, Any]) -> str:
    told = [("Authority", says(review["authority"]))]
    words_ = "; ".join(span["text"] for span in review["evidence"])
    return paragraph(review["reason"]) + facts([*told, ("The note says", words_)])


def _wrong(wrong: Sequence[Mapping[str, Any]]) -> str:
    items = (
        f"<li><strong>{escape(one['code'])}</strong>: {escape(one['reason'])} "
        f"<small>{escape(says(one['authority']))}</small></li>"
        for one in wrong
    )
    return f"<ul>{''.join(items)}</ul>"


def _act(action: Row) -> str:
    return call_line(*prompt_of("coding").call_of(action))


def _result(result: Row) -> tuple[str, bool]:
    """What came of an act: why it was refused, else the draft and the hints."""
    if wrong := result.get("last_action_error"):
        return wrong, True
    codes = [result.get("current_primary_code"), *result.get("current_secondary_codes", ())]
    named = [code for code in codes if code]
    told = [f"draft: {', '.join(named)}" if named else "the draft is empty"]
    if result.get("current_needs_review"):
        told.append("a person has to look at it")
    told += [f"hint: {hint}" for hint in result.get("revealed_hints", ())]
    return "\n".join(told), False


VIEW = View(
    ("objective", "allowed", "hints", "primary", "secondary", "needs_review", "review", "wrong",
     "kinds", "patient", "encounter", "tables"),
    SERIES, _counted, _labels, _case, _act, _result, remark,
)  # fmt: skip
