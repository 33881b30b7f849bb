"""The right answer: the codes of the claim, each with the rule that asks for it."""

from __future__ import annotations

from casegen.schemas import Authority
from casegen.schemas import authority as sources
from casegen.seeds.icd10cm.tables import Tables

from ..chart.model import Chart, Problem
from ..coder import Draft
from .model import Drawn, Given

# Codes that guidelines make of several facts or of how sure the provider is: beginnings, section.
_COMBINED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("I11", "I12", "I13"), "I.C.9.a"),
    (("E10.22", "E11.22"), "I.C.4.a"),
    (("M80.0",), "I.C.13.d.2"),
    (("R65.20",), "I.C.1.d.1.b"),
)
_BY_CODE: tuple[tuple[tuple[str, ...], str], ...] = (
    (("Z3A",), "I.C.21.c.11"),
    (("Z79",), "I.C.21.c.3"),
    (("Z68",), "I.B.14"),
    (("I69",), "I.C.9.d.1"),
    (("V", "W", "X", "Y"), "I.C.20.a"),
    (("O",), "I.C.15.a.3"),
    (("R65.21",), "I.C.1.d.2"),
)
_HISTORY: tuple[tuple[tuple[str, ...], str], ...] = (
    (("Z85",), "I.C.2.m"),
    (("Z86.73",), "I.C.9.d.3"),
    (("I21", "I22", "I25.2"), "I.C.9.e.1"),
)


def given_codes(
    drawn: Drawn, drafts: list[Draft], tables: Tables, also: frozenset[str]
) -> list[Given]:
    """The codes of the answer in the order of the claim; ``also`` are the categories that have
    a note "code also"."""
    chart = drawn.chart
    stay = chart.encounter.setting == "inpatient"
    answer: list[Given] = []
    for at, draft in enumerate(drafts):
        section, why = _rule(draft, chart, stay)
        title = tables.title(draft.code)
        if section is None:
            noted = _noted(draft, drafts, tables, also)
            if noted is not None:
                authority = noted
                why = "a tabular note asks for it beside another code"
            elif at == 0:
                authority = sources.guideline("II" if stay else "IV.G")
                why = "the record names it as what the encounter was for"
            else:
                authority = sources.guideline("III" if stay else "IV.J")
                why = "the record states it as present and cared for"
        else:
            authority = sources.guideline(section)
        answer.append(Given(draft, f"{draft.code} ({title}): {why}.", authority, list(draft.facts)))
    return answer


def _rule(draft: Draft, chart: Chart, stay: bool) -> tuple[str | None, str]:
    """The guideline section that makes the code what it is, and why in a few words; None where
    it is simply what the record names."""
    code, problem = draft.code, draft.problem
    if len(draft.facts) > 1:
        for starts, section in _COMBINED:
            if code.startswith(starts):
                return section, "it stands for several facts of the record together"
    if problem is not None and not draft.added:
        if problem.status == "uncertain":
            return ("II.H" if problem.reason or stay else "IV.H"), (
                "at discharge a probable diagnosis is coded as if it were established"
            )
        if problem.status == "history":
            for starts, section in _HISTORY:
                if code.startswith(starts):
                    return section, "the record tells when it happened and what is left of it"
        drug = _of_drug(code)
        if drug is not None:
            return drug, "the record tells how the drug was taken and what it did"
        seventh = _of_seventh(problem, code)
        if seventh is not None:
            return seventh, "the seventh character follows the phase of care"
    for starts, section in _BY_CODE:
        if code.startswith(starts):
            return section, "the record states it"
    if problem is not None and problem.side and not draft.added:
        return "I.B.13", "the record names the side"
    return None, ""


def _of_seventh(problem: Problem, code: str) -> str | None:
    if "phase" not in problem.attributes:
        return None
    if code[0] in "VWXY":
        return "I.C.20.a.2"
    if problem.attributes["phase"] == "sequela":
        return "I.B.10"
    if code[0] == "M":
        return "I.C.13.c"
    return "I.C.19.c" if "fracture" in problem.attributes else "I.C.19.a"


def _of_drug(code: str) -> str | None:
    """The section on adverse effect, poisoning or underdosing."""
    if not "T36" <= code[:3] <= "T50":
        return None
    char = code[5:6] if code[6:7] == "X" else code[6:7]
    kinds = {"5": "I.C.19.e.5.a", "6": "I.C.19.e.5.c"}
    return kinds.get(char, "I.C.19.e.5.b") if char.isdigit() else None


def _noted(
    draft: Draft, drafts: list[Draft], tables: Tables, also: frozenset[str]
) -> Authority | None:
    """The note "code first" of the code, or "use additional code" or "code also" of one before
    it, that names the other."""
    order = tables.ordering(draft.code)[1]
    for other in drafts:
        if other is draft:
            return None
        if other.code[:3] not in also and not order & tables.ordering(other.code)[0]:
            continue
        for note in tables.code_also(other.code, draft.code):
            holder = draft.code if note.kind == "code_first" else other.code
            if _stands_on(tables, note.stands_on, holder) and not _of_drug(other.code):
                return sources.tabular_note(note.kind, note.stands_on, note.text)
    return None


def _stands_on(tables: Tables, place: str, code: str) -> bool:
    """Whether a note at a place (``J44``, ``block J40-J4A``) holds for a code."""
    return place.replace(" ", ":", 1) in tables.ancestors(code)
