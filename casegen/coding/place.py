"""Why the first code of the answer goes first, in a few words, and the rule that says so.

Sources: ICD-10-CM Official Guidelines, II and II.A (principal diagnosis), IV.G, IV.D, IV.N and
IV.P (first-listed diagnosis), I.B.10, I.C.1.d.3, I.C.15.a.1, I.C.19.e.5, I.C.21.c.5 and
I.C.21.c.13; notes of the tabular list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from casegen.schemas import Authority
from casegen.schemas import authority as sources

from ..coder import Draft
from .model import Drawn

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

Rule = tuple[str, Authority]
_MEANT = "the record names it as what the encounter was for"
_SCREENINGS = ("Z11", "Z12", "Z13")
_EXAMINATIONS = ("Z00", "Z01", "Z02")
_SEPSIS = ("A40", "A41")


def place_of(drafts: Sequence[Draft], drawn: Drawn, tables: Tables) -> Rule:
    """Why the first of the codes stands there, with the rule."""
    first, setting = drafts[0], drawn.chart.encounter.setting
    if drawn.reason.id in first.facts:
        if first.code.startswith(_SCREENINGS):
            return _by("I.C.21.c.5", "the record names the screening as what the encounter was for")
        return _by(_of_encounter(first.code, setting, tables), _MEANT)
    return (
        _of_relation(drafts, drawn)
        or _of_note(drafts, tables)
        or _of_disease(first, drawn)
        or _by(
            _of_encounter(first.code, setting, tables),
            "it holds what the record names as the reason for the encounter",
        )
    )


def _by(section: str, why: str) -> Rule:
    return why, sources.guideline(section)


def _of_encounter(code: str, setting: str, tables: Tables) -> str:
    """The section on what an encounter was for. Examinations have their own, those with abnormal
    findings another, and so has surgery without a stay."""
    if setting == "inpatient":
        return "II"
    if code.startswith(_EXAMINATIONS):
        return "IV.P" if "with abnormal findings" in tables.title(code) else "I.C.21.c.13"
    return "IV.N" if setting == "outpatient_surgery" else "IV.G"


def _of_relation(drafts: Sequence[Draft], drawn: Drawn) -> Rule | None:
    """What goes before the reason for the encounter by what the record tells of the two."""
    first = drafts[0]
    if first.code[0] == "O":
        return _by("I.C.15.a.1", "codes of pregnancy go before those of all other chapters")
    head = first.facts[0]
    for statement in drawn.chart.statements:
        if statement.term == "found_by" and head in statement.about[1:2]:
            return _by("I.C.21.c.5", "a screening goes before what was found at it")
        if statement.term != "due_to" or head not in statement.about[:2]:
            continue
        cause = next((d.code for d in drafts if d.facts[:1] == statement.about[1:2]), "")
        if head == statement.about[1]:
            if cause.startswith(_SEPSIS):
                why = "sepsis goes before the failure of an organ that it brought on"
                return _by("I.C.1.d.3", why)
            return _by("I.C.19.e.5.b", "a poisoning goes before what it did")
        if cause[:1] == "S":
            return _by("I.B.10", "what an injury has left goes before the injury")
        if cause[:1] == "T":
            section = "I.C.19.e.5.c" if _underdosed(cause) else "I.C.19.e.5.a"
            return _by(section, "the condition goes before the code of the drug")
    return None


def _underdosed(code: str) -> bool:
    return (code[5:6] if code[6:7] == "X" else code[6:7]) == "6"


def _of_note(drafts: Sequence[Draft], tables: Tables) -> Rule | None:
    first = drafts[0]
    for other in drafts[1:]:
        for note in tables.code_also(first.code, other.code):
            if note.kind != "code_also":
                return (
                    f"the record states it, and a note puts it before {other.code}",
                    sources.tabular_note(note.kind, note.stands_on, note.text),
                )
    return None


def _of_disease(first: Draft, drawn: Drawn) -> Rule | None:
    """The disease of which a symptom is what the encounter was for."""
    stay = drawn.chart.encounter.setting == "inpatient"
    for statement in drawn.chart.statements:
        disease, *symptoms = statement.about
        if statement.term == "integral" and drawn.reason.id in symptoms and disease in first.facts:
            why = "the record lays to it the symptom that the encounter was for"
            return _by("II.A" if stay else "IV.D", why)
    return None
