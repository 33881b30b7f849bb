"""Errors that are none: what one believes who reads true words of the tables and the note wrongly.

Each stands in the form of a finding, so that it is told in the voice of one. Words of a look-up
that it rests on have been shown; what it makes of them is false, as the case knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Literal, NamedTuple

from casegen.env.audit.tools.source import tables_of
from casegen.env.writing.reading import terms
from casegen.env.writing.words import cited
from casegen.schemas import Authority, Case, Correction, Decoy, Finding, InputError
from casegen.schemas.authority import specificity, tabular_excludes1
from casegen.schemas.case import ErrorType

from .cues import care_of
from .grounds import TAKEN_FOR, excludes1_tie
from .reasons import Reasons
from .script import diagnoses

_EXTERNAL = 20  # the chapter of causes, which tell no condition
# What a phase of care is taken for, by its seventh character.
_OTHER_PHASE = {"A": "D", "B": "E", "C": "F", "D": "A"}
# What care its words tell of.
_PHASES = {"A": "active", "B": "active", "C": "active", "D": "healing"}
_SIBLINGS = 4


def misread(case: Case, reasons: Reasons) -> list[Finding]:
    """The errors that could be believed in by now, each on a line that is right."""
    wrong = {code for finding in case.findings for code in finding.accepted_codes}
    flagged = {entry["code"] for entry in reasons.seen.draft_report}
    found: list[Finding] = []
    for decoy in case.decoys:
        if not {decoy.code, decoy.related_code} & (wrong | flagged):
            found += _of_decoy(case, reasons, decoy)
    tables = tables_of(case.tables.name, case.tables.digest)[0]
    for code in diagnoses(reasons.seen):
        if code not in reasons.shown.codes or code in wrong | flagged or not tables.exists(code):
            continue
        if tables.chapter(code) != _EXTERNAL:
            found += _of_line(case, reasons, code)
    return found


def _of_decoy(case: Case, reasons: Reasons, decoy: Decoy) -> Iterator[Finding]:
    """A pair that stands rightly, taken for one that does not."""
    code, other = decoy.code, decoy.related_code or ""
    if decoy.error_type == "excludes1_conflict":
        tie = excludes1_tie(reasons, code, other)
        if tie is not None and {code, other} <= set(reasons.shown.codes):
            place = tie.place.removeprefix("at ")
            kept = reasons.seen.proposed_codes[other]["description"]
            told = (
                f"An Excludes1 note at {place} keeps {tie.holder} and {tie.target} apart, and the "
                f"record says that the one condition is {kept}."
            )
            kind = "own_note" if place == tie.holder else "inherited_note"
            authority = tabular_excludes1(place, tie.words)
            yield _finding(case, decoy.error_type, kind, code, other, None, told, authority)
    elif decoy.kind == "justified_modifier":
        edit = reasons.shown.edit(code, other)
        if edit is not None:
            modifiers = "".join(line["modifiers"][0] for line in _lines(reasons, code)[:1])
            rule = decoy.reason.partition(". ")[2]
            told = (
                f"{edit.column2} is column 2 to {edit.column1} (indicator 1); the record does not "
                f"bear modifier {modifiers} out. {rule}"
            )
            kind = "unjustified_modifier"
            yield _finding(case, "ncci_edit", kind, code, other, None, told, decoy.authority)


def _lines(reasons: Reasons, code: str) -> list[dict[str, list[str]]]:
    return [one for one in reasons.seen.claim_lines if one["code"] == code and one["modifiers"]]


def _of_line(case: Case, reasons: Reasons, code: str) -> Iterator[Finding]:
    """A diagnosis that says what the record says, taken for one that says something else, as the
    words that are quoted for it allow."""
    quote = reasons.quote(code) or ""
    line = reasons.shown.line(code, "Side: ")
    if line is not None:
        own = line.removeprefix("Side: ").partition(";")[0]
        others = [one.rsplit(" ", 1) for one in line.partition("other sides: ")[2].split(", ")]
        for side, right in others:
            if side in ("left", "right") and not _names_side(quote, own):
                yield from _specific(case, "laterality", "states another side than", code, right)
    sevenths = reasons.shown.sevenths(code)
    if code in sevenths:
        right = code[:-1] + _OTHER_PHASE.get(code[-1], "")
        if right in sevenths and care_of(quote).phase != _PHASES.get(code[-1]):
            yield from _specific(case, "phase", "states another phase of care than", code, right)
    elif (title := reasons.shown.title(code)) is not None and not _says_all(quote, title):
        for right in _siblings(case.tables.name, case.tables.digest, code, reasons.date):
            if right not in reasons.seen.proposed_codes:
                yield from _specific(case, "detail", "does not say what", code, right)


def _names_side(quote: str, side: str) -> bool:
    """Whether words name a side, so that nobody would take it for another."""
    words = ("both", "bilateral", "bilaterally") if side == "bilateral" else (side,)
    return any(re.search(rf"\b{word}\b", quote, re.I) for word in words)


def _says_all(quote: str, title: str) -> bool:
    """Whether words say all that a title does, or its number."""
    numbers = frozenset(re.findall(r"\d+", title))
    return terms(title) <= terms(quote) or bool(numbers & frozenset(re.findall(r"\d+", quote)))


def _specific(case: Case, kind: str, says: str, code: str, right: str) -> Iterator[Finding]:
    tables = tables_of(case.tables.name, case.tables.digest)[0]
    right = right.rstrip(".")
    if not tables.exists(right):
        return
    states = "the record states" if kind == "detail" else "the record"
    told = f"{code} {says} {states}; right is {right} ({tables.title(right)})."
    authority = specificity(kind, tables.chapter(right), right)
    yield _finding(case, "specificity_error", kind, code, None, right, told, authority)


@lru_cache(maxsize=4_096)
def _siblings(name: str, digest: str, code: str, on: str) -> tuple[str, ...]:
    """Some codes beside a code in the tabular list that are named like it, the nearest first."""
    tables = tables_of(name, digest)[0]
    try:
        above = tables.parent(code)
    except InputError:
        return ()
    if above is None:
        return ()
    own = terms(tables.title(code))
    near = {
        one: len(own & terms(tables.title(one)))
        for one in tables.children(above)
        # Another side is an error of its own.
        if one != code
        and tables.status(one, on) == "valid"
        and tables.laterality(one) == tables.laterality(code)
    }
    named = sorted((one for one, shared in near.items() if shared), key=lambda one: -near[one])
    return tuple(named[:_SIBLINGS])


def _finding(
    case: Case,
    error_type: ErrorType,
    kind: str,
    code: str,
    related: str | None,
    right: str | None,
    told: str,
    authority: Authority,
) -> Finding:
    line = next(one.line for one in case.claim if one.code == code)
    action: Literal["remove", "replace"] = "replace" if right else "remove"
    return Finding(
        error_type,
        kind,
        line,
        code,
        related,
        [code] if related is None else [code, related],
        [error_type],
        Correction(action, line, code, right),
        [],
        [],
        [],
        told,
        authority,
    )


# --- what the note tells


class Documented(NamedTuple):
    """A side or phase of care that the note tells. ``about`` is in the form of a line that looks
    wrong; ``shown`` are the words of a look-up with which it has to agree."""

    code: str
    fact: str
    about: Decoy
    shown: str


def documented(case: Case, reasons: Reasons) -> list[Documented]:
    """What nobody has to ask for, where the physician is not needed for anything of that kind."""
    open_topics = {question.topic for question in case.questions}
    return [
        one
        for code in diagnoses(reasons.seen)
        for one in _told(case, reasons, code)
        if one.about.questions[0] not in open_topics
    ]


def _told(case: Case, reasons: Reasons, code: str) -> Iterator[Documented]:
    quote = reasons.quote(code)
    facts = [fact for fact in case.record if quote in [span.text for span in fact.spans]]
    if quote is None or not facts:
        return
    chapter = tables_of(case.tables.name, case.tables.digest)[0].chapter
    side = reasons.shown.line(code, "Side: ")
    shown = {
        "side": cited(side.partition(";")[0]) if side else None,
        "phase": cited(reasons.shown.sevenths(code).get(code)),
    }
    for topic, words in shown.items():
        if words is not None and topic in facts[0].attributes:
            kind = "laterality" if topic == "side" else topic
            authority = specificity(kind, chapter(code))
            line = next(one.line for one in case.claim if one.code == code)
            about = Decoy(
                "specificity_error", kind, line, code, None, facts[0].spans, [topic], "", authority
            )
            yield Documented(code, facts[0].id, about, words)


# --- about true findings


def swapped(finding: Finding) -> Finding | None:
    """The finding with the member of its pair that stays in place of the one that goes."""
    if finding.related_code is None or finding.correction.action != "remove":
        return None
    other = finding.related_code
    goes = Correction("remove", finding.line, other, None)
    return replace(finding, code=other, related_code=finding.code, correction=goes)


def other_types(case: Case, code: str, error_type: str) -> list[ErrorType]:
    """What a type is taken for, where a flag of it on the code would name no finding."""
    right = {
        kind for f in case.findings if code in f.accepted_codes for kind in f.accepted_error_types
    }
    return [kind for kind in TAKEN_FOR[error_type] if kind not in right]


def standing(finding: Finding) -> Decoy:
    """The finding as a line that looks wrong and is right."""
    kind = _STANDS.get(finding.kind) or _STANDS[finding.error_type]
    return Decoy(
        finding.error_type,
        kind,
        finding.line,
        finding.code,
        finding.related_code,
        finding.evidence,
        finding.questions,
        finding.explanation,
        finding.authority,
    )


_STANDS = {
    "phase": "active_treatment",
    "healing": "active_treatment",
    "fracture_type": "active_treatment",
    "incomplete": "unexpected_patient",
    "specificity_error": "odd_but_valid",
    "excludes1_conflict": "unrelated",
    "ncci_edit": "justified_modifier",
    "demographic_mismatch": "unexpected_patient",
    "untraceable_code": "unexpected_patient",
}
