"""The right answer: the codes of the claim, each with the rule that asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casegen.schemas import Authority
from casegen.schemas import authority as sources

from ..chart.model import Chart, Problem
from ..coder import Draft
from ..coder.links import assumed_links
from .model import Drawn, Given
from .place import place_of
from .stay import UNCARED

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

    from .known import Known

# Why a code is assigned, in a few words, and what asks for it.
Rule = tuple[str, Authority]
# Codes that guidelines make of several facts: beginnings, section.
_COMBINED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("I11", "I12", "I13"), "I.C.9.a"),
    (("E10.22", "E11.22"), "I.C.4.a"),
    (("M80.0",), "I.C.13.d.2"),
    (("R65.20",), "I.C.1.d.1.a"),
)
# Where several facts do not simply add up: beginnings, and why in a few words.
_BOUND: tuple[tuple[str, str], ...] = (
    ("M80.0", "a fall that would break no healthy bone broke one with known osteoporosis"),
    ("R65.20", "the record says that the sepsis brought on the failure of an organ"),
)
# Germs as the cause of a disease.
_GERMS = ("B95", "B96", "B97")
# What binds the facts of such a code.
_BINDS = ("minor_trauma", "due_to")
# All that some rules say of a code.
_STATED = "the record states it"
# What lies back: beginnings, section, and why in a few words.
_HISTORY: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("Z85",), "I.C.2.m", "the record gives the tumor as past"),
    (("Z86.73",), "I.C.9.d.3", "the record gives the stroke as past"),
    (("I21", "I22"), "I.C.9.e.1", "the record tells of an infarction of the last four weeks"),
    (("I25.2",), "I.C.9.e.1", "the record gives it as an infarction of the past"),
)


def given_codes(drawn: Drawn, drafts: list[Draft], tables: Tables, known: Known) -> list[Given]:
    """The codes of the answer in the order of the claim."""
    answer: list[Given] = []
    for at, draft in enumerate(drafts):
        untied = _untied(draft, drafts, drawn.chart, tables) if at else None
        if untied is not None:
            rule, statement = untied
            told = f"{draft.code} ({tables.title(draft.code)}): {rule[0]}."
            answer.append(Given(draft, told, rule[1], list(draft.facts), also=[statement]))
            continue
        ruled = _ruled(draft, drawn, known, first=not at)
        if not at:
            why, authority = _first(ruled or _sided(draft), place_of(drafts, drawn, tables))
        else:
            why, authority = (
                ruled
                or _noted(draft, drafts, tables, known.also)
                or _sided(draft)
                or _beside(draft, drawn)
            )
        told = f"{draft.code} ({tables.title(draft.code)}): {why}."
        also = _settling(draft, drawn.chart, authority)
        answer.append(Given(draft, told, authority, list(draft.facts), also=also))
    return answer


def _settling(draft: Draft, chart: Chart, authority: Authority) -> list[str]:
    """The ids of the statements without which the facts would not call for the code: what broke
    the bone (I.C.13.d.2), what made the organ fail (I.C.1.d.1.a), whether the tumor is treated
    (I.C.2.m)."""
    if draft.code.startswith(tuple(start for start, _ in _BOUND)):
        return [
            s.id for s in chart.statements if s.term in _BINDS and set(s.about) == set(draft.facts)
        ]
    if authority.reference.startswith("section I.C.2.m"):
        return [s.id for s in chart.statements if s.term == "told" and s.about == draft.facts]
    return []


def _untied(
    draft: Draft, drafts: list[Draft], chart: Chart, tables: Tables
) -> tuple[Rule, str] | None:
    """Why a code stands beside one that a note or a presumed link would set against it: the
    record calls the two unrelated (I.A.12.a, I.A.15); with the id of the statement."""
    if len(draft.facts) != 1:
        return None
    for statement in chart.statements:
        if statement.term != "unrelated" or draft.facts[0] not in statement.about:
            continue
        for other in drafts:
            if other is draft or not set(other.facts) & set(statement.about):
                continue
            why = f"the record calls it unrelated to {other.code}, so that "
            if tables.excludes1(draft.code, other.code):
                why += "the Excludes1 note between the two does not bar it"
                return (why, sources.guideline("I.A.12.a")), statement.id
            if assumed_links([draft.code, other.code]):
                why += "no link between the two is presumed"
                return (why, sources.guideline("I.A.15")), statement.id
    return None


def _ruled(draft: Draft, drawn: Drawn, known: Known, *, first: bool) -> Rule | None:
    """Why a guideline makes the code what it is, in a few words, and the section that does; None
    where the code is simply what the record names."""
    stay = drawn.chart.encounter.setting == "inpatient"
    found = _rule(draft, drawn.chart, stay)
    if found is None:
        for start, rule in known.rules.get(draft.code[:1], ()):
            if draft.code.startswith(start) and (rule.first or not first):
                found = rule.section, rule.why
                break
    if found is None:
        return None
    section, why = found
    return why, sources.guideline(section)


def _sided(draft: Draft) -> Rule | None:
    if draft.problem is not None and draft.problem.side and not draft.added:
        return "the record names the side", sources.guideline("I.B.13")
    return None


def _first(which: Rule | None, place: Rule) -> Rule:
    """Why a code goes first, by the rule for that; what makes it this code is told along with its
    section, unless the one is the other or there is nothing to tell."""
    why, authority = place
    if which is None or which[1] == authority or which[0] == _STATED:
        return place
    section = which[1].reference.removeprefix("section ").partition(",")[0]
    return f"{which[0]} (guideline {section}), and {why}", authority


def _beside(draft: Draft, drawn: Drawn) -> Rule:
    """What is present beside it."""
    stay = drawn.chart.encounter.setting == "inpatient"
    problem = draft.problem
    why = "the record lists it among the patient's conditions"
    cared = stay and not draft.code.startswith(UNCARED)
    if cared or (problem is not None and not draft.added and problem.id in drawn.aired):
        why = "the record states it as present and cared for"
    return why, sources.guideline("III" if stay else "IV.J")


def _rule(draft: Draft, chart: Chart, stay: bool) -> tuple[str, str] | None:
    """The section that makes the code what it is by its facts, and why in a few words."""
    code, problem = draft.code, draft.problem
    if len(draft.facts) > 1:
        for starts, section in _COMBINED:
            if code.startswith(starts):
                bound = (why for start, why in _BOUND if code.startswith(start))
                return section, next(bound, "it stands for several facts of the record together")
    if problem is None or draft.added:
        return None
    if problem.status == "uncertain" and problem.base.startswith(("J09", "J10")):
        return "I.C.10.c", (
            "influenza of an identified virus is coded only where it is confirmed, and what is "
            "probable counts as influenza of an unidentified virus, in a hospital too"
        )
    if problem.status == "uncertain":
        return ("II.H" if problem.reason or stay else "IV.H"), (
            "at discharge a probable diagnosis is coded as if it were established"
        )
    if code[0] == "C" and problem.quiet:
        return "I.C.2.m", "the record tells that the tumor is there or still treated"
    if problem.status == "history":
        for starts, section, why in _HISTORY:
            if code.startswith(starts):
                return section, why
    if any(s.term == "found_by" and s.about[:1] == [problem.id] for s in chart.statements):
        return "I.C.21.c.5", "it was found at a screening, behind which it stands"
    drug = _of_drug(code)
    if drug is not None:
        return drug, "the record tells how the drug was taken and what it did"
    seventh = _of_seventh(problem, code)
    if seventh is not None:
        return seventh, "the seventh character follows the phase of care"
    return None


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


def _noted(draft: Draft, drafts: list[Draft], tables: Tables, also: frozenset[str]) -> Rule | None:
    """The note "code first" of the code, or "use additional code" or "code also" of one before
    it, that names the other."""
    order = tables.ordering(draft.code)[1]
    for other in _nearest(draft, drafts):
        if other.code[:3] not in also and not order & tables.ordering(other.code)[0]:
            continue
        for note in tables.code_also(other.code, draft.code):
            holder = draft.code if note.kind == "code_first" else other.code
            if _stands_on(tables, note.stands_on, holder) and not _of_drug(other.code):
                why = f"the record states it, and a note asks for it beside {other.code}"
                if note.kind == "code_first":
                    why = f"the record states it, and a code first note puts it after {other.code}"
                return why, sources.tabular_note(note.kind, note.stands_on, note.text)
    return None


def _nearest(draft: Draft, drafts: list[Draft]) -> list[Draft]:
    """The codes before one, that of the disease to which it belongs at the head; of a germ that
    alone, for it is the cause of that infection and of no other."""
    before = drafts[: next(at for at, one in enumerate(drafts) if one is draft)]
    owner = ""
    if draft.problem is not None:
        owner = draft.problem.id if draft.added else draft.problem.behind
    own = [one for one in before if one.problem is not None and one.problem.id == owner]
    if draft.code.startswith(_GERMS) and draft.added:
        return own
    return [*own, *(one for one in before if one not in own)]


def _stands_on(tables: Tables, place: str, code: str) -> bool:
    """Whether a note at a place (``J44``, ``block J40-J4A``) holds for a code."""
    return place.replace(" ", ":", 1) in tables.ancestors(code)
