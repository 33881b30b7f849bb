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
    (None where the record does not say), the facts that leave something open, and what could not
    be settled at all."""

    codes: Mapping[str, list[Fact]]
    primary: str | None
    reviews: list[Fact]
    unsettled: list[str]
    record: Record


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
    return Answer(record.expected, primary, reviews, untold, record)


def _primary(record: Record, memo: Memo) -> str | None:
    """What the encounter was for (guidelines II, IV.G), and what must go before it."""
    reasons = [fact for fact in record.relations if fact.term == "reason"]
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
    if {_harm(first), _harm(second)} & {"poisoning", "underdosing"}:
        return False
    return memo.tables.goes_before(first, second)


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
        elif drug:
            pair = (effect, cause)  # I.C.19.e.5.a and c
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
