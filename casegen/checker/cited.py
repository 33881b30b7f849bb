"""Whether the rule that a coding case cites for a code can be the rule for it at all.

Sections of the ICD-10-CM Official Guidelines speak of certain codes and encounters only; a tabular
note holds between two codes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from casegen.schemas import Authority, Fact, GoldCode
from casegen.schemas import authority as sources

from .coding import Answer
from .first import names_first
from .memo import Memo

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

Says = Callable[["Tables", str], bool]


def _begins(*starts: str) -> Says:
    return lambda tables, code: code.startswith(starts)


def _sided(tables: Tables, code: str) -> bool:
    return tables.laterality(code) is not None


def _seventh(*heads: str) -> Says:
    return lambda tables, code: code.startswith(heads) and tables.seventh(code) is not None


def _drug(*chars: str) -> Says:
    def says(tables: Tables, code: str) -> bool:
        stem = code.replace(".", "")
        if not "T36" <= stem[:3] <= "T50" or len(stem) != 7:
            return False
        return (stem[4] if stem[5] == "X" else stem[5]) in chars

    return says


# Section -> the codes that it can ask for.
_ASKS: dict[str, Says] = {
    "I.B.10": _seventh("S", "T"),
    "I.B.13": _sided,
    "I.B.14": _begins("Z68"),
    "I.C.1.d.1.a": _begins("R65.20"),
    "I.C.1.d.2": _begins("R65.21"),
    "I.C.2.m": _begins("Z85", "C"),
    "I.C.4.a": _begins("E10.22", "E11.22"),
    "I.C.9.a": _begins("I11", "I12", "I13"),
    "I.C.9.d.1": _begins("I69"),
    "I.C.9.d.3": _begins("Z86.73"),
    "I.C.9.e.1": _begins("I21", "I22", "I25.2"),
    "I.C.10.c": _begins("J11"),
    "I.C.13.c": _seventh("M"),
    "I.C.13.d.2": _begins("M80.0"),
    "I.C.15.a.3": _begins("O"),
    "I.C.19.a": _seventh("S", "T"),
    "I.C.19.c": _seventh("S"),
    "I.C.19.e.5.a": _drug("5"),
    "I.C.19.e.5.b": _drug("1", "2", "3", "4"),
    "I.C.19.e.5.c": _drug("6"),
    "I.C.20.a": _begins("V", "W", "X", "Y"),
    "I.C.20.a.2": _seventh("V", "W", "X", "Y"),
    "I.C.21.c.1": _begins("Z20", "Z77"),
    "I.C.21.c.3": _begins(
        "Z14",
        "Z15",
        "Z16",
        "Z17",
        "Z18",
        "Z21",
        "Z22",
        "Z28.3",
        "Z66",
        "Z67",
        "Z74.01",
        "Z78",
        "Z79",
        "Z88",
        "Z89",
        "Z90",
        "Z91.0",
        "Z92.82",
        "Z93",
        "Z94",
        "Z95",
        "Z96",
        "Z97",
        "Z98",
        "Z99",
    ),
    "I.C.21.c.4": _begins(
        "Z80",
        "Z81",
        "Z82",
        "Z83",
        "Z84",
        "Z85",
        "Z86",
        "Z87",
        "Z91.4",
        "Z91.5",
        "Z91.81",
        "Z92.2",
        "Z92.3",
        "Z92.4",
        "Z92.5",
        "Z92.8",
    ),
    "I.C.21.c.14": _begins("Z28", "Z72", "Z73", "Z74", "Z91.1", "Z91.83", "Z91.A"),
    "I.C.21.c.17": _begins(
        "Z55", "Z56", "Z57", "Z58", "Z59", "Z60", "Z61", "Z62", "Z63", "Z64", "Z65"
    ),
    "I.C.21.c.11": _begins("Z3A"),
}
# Kinds of codes with a section of their own: of these nobody says that they are cared for.
_KINDS = ("I.C.21.c.1", "I.C.21.c.3", "I.C.21.c.4", "I.C.21.c.14", "I.C.21.c.17")
# Guideline I.C.21.c.16: only principal or first-listed diagnoses.
_ONLY_FIRST = (
    "Z00", "Z01", "Z02", "Z04", "Z31.81", "Z31.82", "Z31.83", "Z31.84", "Z33.2", "Z34", "Z38",
    "Z39", "Z40", "Z42", "Z51.0", "Z51.1", "Z52", "Z76.1", "Z76.2", "Z99.12",
)  # fmt: skip
# Sections on two conditions that the provider calls unrelated, and the codes that I.C.4.a and
# I.C.9.a presume a link between.
UNTIED = ("I.A.12.a", "I.A.15")
_JOINED = ("E10", "E11", "I10", "I50", "N18")
# Codes that two facts call for only where a relation ties these, and the relation.
_HELD_BY = {"M80.0": "minor_trauma", "R65.20": "due_to"}
# Sections that say no more than that what is present is coded.
_OTHERS = {"III": True, "IV.J": False}
_NAMED = re.compile(r"\(guideline ([A-Z][\w.]*)\)")


def section_of(authority: Authority) -> str:
    """The section of the guidelines that an authority names."""
    return authority.reference.removeprefix("section ").partition(",")[0]


def edition_of(authority: Authority, memo: Memo) -> str:
    """The edition that an authority of its source has to name."""
    if authority.source == "guideline":
        return sources.GUIDELINES_EDITION
    return sources.ICD10CM_EDITION if memo.editions is None else memo.editions.icd10cm


def judge_rules(
    gold: Sequence[GoldCode], answer: Answer, setting: str, memo: Memo
) -> Iterator[str]:
    """What is to be said against the rules cited for the codes of the answer, and against codes
    that may only go first (I.C.21.c.16) and do not."""
    stay = setting == "inpatient"
    for at, one in enumerate(gold):
        if at and one.code.startswith(_ONLY_FIRST) and one.code != "Z00.6":
            yield f"{one.code}: may only go first"
        authority = one.authority
        section = section_of(authority)
        if authority.source == "tabular":
            right = _noted(one, gold, memo)
        elif at:
            right = authority.source == "guideline" and _guided(one, section, answer, stay, memo)
        else:
            right = names_first(section, one.code, answer, setting, memo.tables)
            # What makes it this code is told along with its place.
            for named in _NAMED.findall(one.reason):
                right = right and _guided(one, named, answer, stay, memo)
        if not right or authority.edition != edition_of(authority, memo):
            yield f"{one.code}: {authority.reference} ({authority.edition}) is not its rule"


def _noted(one: GoldCode, gold: Sequence[GoldCode], memo: Memo) -> bool:
    """Whether the note ties the code to another one of the answer."""
    for other in gold:
        for note in memo.tables.code_also(other.code, one.code):
            told = sources.tabular_note(note.kind, note.stands_on, note.text)
            if other is not one and told.reference == one.authority.reference:
                return True
    return False


def _guided(one: GoldCode, section: str, answer: Answer, stay: bool, memo: Memo) -> bool:
    """Whether a section asks for a code, wherever that stands."""
    if section in _OTHERS:
        own = [s for s, asks in _ASKS.items() if s in _KINDS and asks(memo.tables, one.code)]
        return _OTHERS[section] == stay and not own
    if section in UNTIED:
        return bool(untied(one, answer, memo))
    if section == "I.C.21.c.5":
        return _screened(one.code, answer)
    if section == "II.H":
        # As if established: the code is that which the diagnosis itself names (else I.C.10.c).
        facts = [fact for fact in answer.codes.get(one.code, []) if fact.status == "uncertain"]
        return stay and any(one.code in memo.codes_of(f.term, f.attributes) for f in facts)
    asks = _ASKS.get(section)
    return asks is not None and asks(memo.tables, one.code)


def bearing(one: GoldCode, answer: Answer, memo: Memo) -> list[Fact]:
    """The relations without which the facts of a code would not call for it: that two conditions
    are unrelated, that a slight fall broke a bone in osteoporosis (I.C.13.d.2), that sepsis made
    an organ fail (I.C.1.d.1.a), that a tumor is treated or over (I.C.2.m)."""
    ids = [fact.id for fact in answer.codes.get(one.code, ())]
    relations = answer.record.relations
    for start, term in _HELD_BY.items():
        if one.code.startswith(start):
            return [r for r in relations if r.term == term and sorted(r.about) == sorted(ids)]
    if section_of(one.authority) == "I.C.2.m":
        return [r for r in relations if r.term == "told" and r.about == ids]
    return untied(one, answer, memo)


def untied(one: GoldCode, answer: Answer, memo: Memo) -> list[Fact]:
    """The relation that calls the fact of a code unrelated to one of another code, where the
    section cited is one on that: of two codes under an Excludes1 note (I.A.12.a), or of two that
    no note parts and the word "with" may join (I.A.15)."""
    section = section_of(one.authority)
    own = answer.codes.get(one.code, [])
    if section not in UNTIED or len(own) != 1:
        return []
    for relation in answer.record.relations:
        if relation.term != "unrelated" or own[0].id not in relation.about:
            continue
        for code, facts in answer.codes.items():
            if code != one.code and any(fact.id in relation.about for fact in facts):
                barred = bool(memo.tables.excludes1(one.code, code))
                joined = one.code.startswith(_JOINED) and code.startswith(_JOINED)
                if barred if section == "I.A.12.a" else joined and not barred:
                    return [relation]
    return []


def _screened(code: str, answer: Answer) -> bool:
    """Whether a code is a screening, or of what was found at one."""
    if code.startswith(("Z11", "Z12", "Z13")):
        return True
    facts = [fact.id for fact in answer.codes.get(code, ())[:1]]
    return any(one.term == "found_by" and one.about[:1] == facts for one in answer.record.relations)
