"""The answer of a coding case, derived from its record alone.

Nothing here knows the chart, the coder or who chose the wrong codes: the record, the encounter and
the tables settle which codes are right, which of them goes first, and whether a person has to
look.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from casegen.schemas import Fact

from .facts import read_record
from .memo import Memo, memo_of
from .model import ClaimView
from .work import Record

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

REVIEWS = frozenset(
    ("open_side", "conflict_side", "open_workup", "conflict_diagnosis", "treatment_unclear")
)


@dataclass(slots=True)
class Answer:
    """What the record asks for: codes with the facts that call for each, the one that goes first
    (None where the record does not say), the relations that leave something open, what could not
    be settled at all, and the problems and the reason that are stated."""

    codes: Mapping[str, list[Fact]]
    primary: str | None
    reviews: list[Fact]
    unsettled: list[str]
    record: Record
    problems: list[Fact]
    reasons: list[Fact]


def derive(view: ClaimView, tables: Tables, services: Services) -> Answer:
    """The answer. Raises ValueError without a record."""
    memo = memo_of(tables, services)
    untold: list[str] = []
    record = read_record(view, memo, untold)
    if record is None:
        raise ValueError("a coding case needs a record")
    untold += [f'"{fact.term}" names several codes' for fact, _ in record.unclear]
    primary = _primary(record, memo)
    reviews = [fact for fact in record.relations if fact.term in REVIEWS]
    stated = [fact for fact in view.record or () if fact.spans]
    problems = [fact for fact in stated if fact.kind == "problem"]
    by_id = {fact.id: fact for fact in problems}
    untold += [
        f'"{one.term}" does not fit what it is about'
        for one in reviews
        if not _is_open(one, [by_id[a] for a in one.about if a in by_id], record, memo)
    ]
    return Answer(record.expected, primary, reviews, untold, record, problems, _reasons(record))


def _reasons(record: Record) -> list[Fact]:
    return [fact for fact in record.relations if fact.term == "reason"]


def _is_open(review: Fact, about: list[Fact], record: Record, memo: Memo) -> bool:
    """Whether the record leaves open what the relation says: a side that its fact does not name
    while others could be meant (I.B.13), a diagnosis that is not coded (I.B.4, IV.H; I.B.14), a
    tumor that is neither coded nor history (I.C.2.m)."""
    if len(about) != len(review.about) or not about:
        return False
    coded = {fact.id for facts in record.expected.values() for fact in facts}
    if review.term in ("open_side", "conflict_side"):
        code = _own(record, about[0].id)
        return (
            code is not None
            and "side" not in about[0].attributes
            and memo.tables.laterality(code) == "unspecified"
        )
    if review.term == "treatment_unclear":
        return about[0].id not in coded
    open_ones = [fact for fact in about if fact.status == "uncertain"]
    least = 1 if review.term == "open_workup" else 2
    return (
        len(open_ones) >= least
        and not any(fact.id in coded for fact in open_ones)
        and any(fact.id in coded for fact in about)
    )


def _primary(record: Record, memo: Memo) -> str | None:
    """What the encounter was for (guidelines II, IV.G), and what must go before it."""
    reasons = _reasons(record)
    if len(reasons) != 1 or len(reasons[0].about) != 1:
        return None
    code = _code_of(record, reasons[0].about[0])
    seen: set[str] = set()
    while code is not None and code not in seen:
        seen.add(code)
        earlier = _before(record, memo, code)
        if not earlier:
            return code
        roots = [one for one in earlier if not _before(record, memo, one)]
        if len(earlier) > 1 and len(roots) != 1:
            return None
        code = roots[0] if roots else earlier[0]
    return None


def _code_of(record: Record, fact_id: str) -> str | None:
    """The code by which a fact is billed: its own, else that of the disease of which it is a
    symptom (II.A), else the one combination that rests on it."""
    for code, facts in record.expected.items():
        if facts[0].id == fact_id:
            return code
    for relation in record.relations:
        if relation.term == "integral" and fact_id in relation.about[1:]:
            return _code_of(record, relation.about[0])
    found = [code for code, facts in record.expected.items() if fact_id in [f.id for f in facts]]
    return found[0] if len(found) == 1 else None


def _before(record: Record, memo: Memo, code: str) -> list[str]:
    """The codes of the answer that must stand before this one."""
    others = [one for one in record.expected if one != code]
    if not code.startswith("O"):
        obstetric = [one for one in others if one.startswith("O")]
        if obstetric:  # I.C.15.a.1
            return obstetric
    return [
        other
        for other in others
        if _told_before(record, other, code)
        or (not _told_before(record, code, other) and _noted_before(memo, other, code))
    ]


def _noted_before(memo: Memo, first: str, second: str) -> bool:
    """Whether the tabular list puts one code before another (I.A.13, I.A.17). Its notes on drugs
    mean adverse effects: the order of the others is a guideline's (I.C.19.e.5)."""
    tables = memo.tables
    if not tables.ordering(first)[1] & tables.ordering(second)[0]:
        return False
    if {_harm(first), _harm(second)} & {"poisoning", "underdosing"}:
        return False
    return tables.goes_before(first, second)


def _told_before(record: Record, first: str, second: str) -> bool:
    """Whether a relation of the record puts one code before another."""
    for relation in record.relations:
        if relation.term not in ("found_by", "due_to") or len(relation.about) < 2:
            continue
        effect, cause = (_own(record, about) for about in relation.about[:2])
        if effect is None or cause is None:
            continue
        drug = _harm(cause)
        if relation.term == "found_by" or drug == "poisoning":
            pair = (cause, effect)  # I.C.21.c.5, I.C.19.e.5.b
        elif drug or (cause[:1] == "S" and cause[-1] == "S"):
            pair = (effect, cause)  # I.C.19.e.5.a and c; I.B.10
        elif cause[:3] in ("A40", "A41"):
            pair = (cause, effect)  # I.C.1.d.3
        else:
            continue
        if pair == (first, second):
            return True
    return False


def _own(record: Record, fact_id: str) -> str | None:
    for code, facts in record.expected.items():
        if facts[0].id == fact_id:
            return code
    return None


def _harm(code: str) -> str:
    """What a code of T36-T50 says of the drug, "" of another code."""
    stem = code.replace(".", "")
    if not ("T36" <= stem[:3] <= "T50" and len(stem) == 7):
        return ""
    char = stem[5] if stem[5] != "X" else stem[4]
    return {"5": "adverse effect", "6": "underdosing"}.get(char, "poisoning")
