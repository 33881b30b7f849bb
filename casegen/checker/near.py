"""Judges the closed set of a coding case: accepted alternates, and for every wrong code that the
record does not call for it, that it is wrong in the way that is told, and where it shows.

Like ``coding`` it sees record, encounter and tables, never how the set was chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from casegen.schemas import Authority, Fact, GoldCode, Span, WrongCode

from .cited import bearing, edition_of, section_of
from .coding import Answer
from .memo import Memo, memo_of
from .work import spans_of

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

_SUBCATEGORY = 4
_TOKEN = re.compile(r"[a-z0-9]+")
_SILENT = frozenset(
    "unspecified not otherwise nos of the and in with to or by a an at on for due specified "
    "site side".split()
)
# What a drug list can leave to anybody's judgment.
_NEVER = ("Z79.89", "Z91.19", "R69", "Z76.89")
# Ways of being wrong that a fact and what is said about it show.
_TOLD = frozenset(("ruled_out", "uncertain", "history", "integral_symptom", "excludes1"))
# Ways of being wrong that a code next to the right one could have.
_NEAR = frozenset(("less_specific", "wrong_stage", "wrong_type", "not_documented"))
# Ways that show in all on which the right code rests.
_AS_A_WHOLE = frozenset(("part_of_combination", "history"))
# The sections that a way of being wrong may rest on, by their beginnings.
_SECTIONS: dict[str, tuple[str, ...]] = {
    "less_specific": ("I.B.2", "I.B.13", "I.B.18", "I.C.9.a", "I.A.15"),
    "wrong_side": ("I.B.13",),
    "wrong_stage": ("I.B.2", "I.B.14"),
    "wrong_phase": ("I.C.19", "I.C.20.a.2", "I.C.13.c", "I.A.5"),
    "wrong_type": (
        "I.A.15",
        "I.A.19",
        "I.B.18",
        "I.C.19",
        "I.A.13",
        "I.C.20.a",
        "I.C.13.c",
        "I.A.5",
    ),
    "integral_symptom": ("I.B.5",),
    "ruled_out": ("III", "IV.J"),
    "uncertain": ("IV.H", "II.H", "I.B.14", "I.C.1.", "I.C.10.c"),
    "history": ("III", "IV.J", "I.C.2.m", "I.C.9.", "I.C.21.c.4"),
    "part_of_combination": ("I.C.4.a", "I.C.9.a", "I.C.13.d.2", "I.B.9"),
    "not_documented": ("III", "IV.J", "I.B.18", "I.C."),
}


@dataclass(slots=True)
class Judge:
    """What the rules on one case share. ``named``: code -> the facts, of whatever status, that
    name it alone; ``on``: the day on which codes must be valid."""

    memo: Memo
    answer: Answer
    gold: dict[str, GoldCode]
    on: str
    named: dict[str, list[Fact]]


def judge_set(
    gold: Sequence[GoldCode], wrong: Sequence[WrongCode], answer: Answer, on: str,
    tables: Tables, services: Services,
) -> Iterator[str]:  # fmt: skip
    """What is to be said against alternates and wrong codes."""
    memo = memo_of(tables, services)
    judge = Judge(memo, answer, {one.code: one for one in gold}, on, _named(answer, memo))
    for one in gold:
        for code in one.alternates:
            yield from _alternate(judge, code, one.code)
        for code in one.equivalents:
            yield f"{code}: nothing makes it as right as {one.code}"
    for other in wrong:
        for complaint in _wrong(judge, other):
            yield f"{other.code} ({other.kind}): {complaint}"


def _named(answer: Answer, memo: Memo) -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = {}
    for fact in answer.problems:
        codes = memo.codes_of(fact.term, fact.attributes)
        if len(codes) == 1:
            found.setdefault(codes[0], []).append(fact)
    return found


def _alternate(judge: Judge, code: str, right: str) -> Iterator[str]:
    if not _valid(judge, code):
        yield f"{code}: not valid on {judge.on}"
    if code in judge.answer.codes:
        yield f"{code}: an alternate that is called for itself"
    if not is_half(judge.memo.tables, code, right):
        yield f"{code}: not the nearest code that says less than {right}"


def _valid(judge: Judge, code: str) -> bool:
    return judge.memo.valid(judge.memo.icd[code], judge.on)


def says_no_more(tables: Tables, code: str, right: str) -> bool:
    """Whether a code of the same category leaves something open and says nothing that the
    right code's own titles, from its category down, do not say."""
    if code == right or code[:3] != right[:3] or not leaves_open(tables, code):
        return False
    siblings = tables.side_siblings(right)
    if code in siblings.values():
        return siblings.get("unspecified") == code
    if "with unspecified complication" in tables.title(code).lower():
        return False
    if at_odds(tables, code, right):
        return False
    # A heading that is not the right code's own may name another thing.
    line = set(tables.ancestors(right))
    for head in tables.ancestors(code):
        told = tables.title(head).lower()
        if ":" in head or head in line or head == code:
            continue
        if "unspecified" not in told.replace("or unspecified", ""):
            return False
    title, mine = (f" {tables.title(one).lower()} " for one in (code, right))
    said = _tokens(title.replace("unspecified cause", "").replace("part unspecified", ""))
    # Another one than those listed is none of them.
    if title.count(" other ") > mine.count(" other "):
        return False
    # Of what a heading lists a code is one: the words of such a heading are not all its own.
    own = _tokens(tables.title(right))
    for head in tables.ancestors(right):
        told = tables.title(head)
        several = {",", "and", "or"} & set(told.lower().replace(",", " , ").split())
        if ":" not in head and (not several or _tokens(told) - {"other"} <= said):
            own |= _tokens(told)
    return said <= own


def at_odds(tables: Tables, code: str, right: str) -> bool:
    """Whether one title says to be there what the other one says not to be."""
    one, other = (_parted(tables.title(name).lower()) for name in (code, right))
    if "unilateral" in one[0] and "bilateral" in other[0]:
        return True
    return bool(
        (one[0] - one[1]) & (other[1] - other[0]) or (other[0] - other[1]) & (one[1] - one[0])
    )


@lru_cache(maxsize=8192)
def _parted(title: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a title that are said to be there, and those that are said not to be. A
    "without" reaches to the next "with" or the end, a "not" to the next comma."""
    there: list[str] = []
    gone: list[str] = []
    denied = ""
    title = title.replace("not elsewhere classified", "").replace("not otherwise specified", "")
    for word in title.replace(",", " , ").split():
        if word in ("without", "not", "no"):
            denied = word
        elif word == "with" or (word == "," and denied in ("not", "no")):
            denied = ""
        elif denied:
            gone.append(word)
        else:
            there.append(word)
    return _tokens(" ".join(there)), _tokens(" ".join(gone))


def is_half(tables: Tables, code: str, right: str) -> bool:
    """Whether a code says no more than the right one, and lies one step from it within the
    subcategory."""
    mine, other = right.replace(".", ""), code.replace(".", "")
    apart = [at for at, pair in enumerate(zip(mine, other, strict=False)) if len(set(pair)) > 1]
    if len(mine) != len(other) or len(apart) != 1 or apart[0] < _SUBCATEGORY:
        return False
    said, own = (f" {tables.title(one).lower()} " for one in (code, right))
    if any(said.count(word) > own.count(word) for word in (" without ", " other ")):
        return False
    if tables.side_siblings(right).get("unspecified") == code:
        return True
    if said.count("unspecified") <= own.count("unspecified"):
        return False
    return _tokens(said.replace("unspecified eye,", "")) <= _lineage(tables, right)


def leaves_open(tables: Tables, code: str) -> bool:
    """Whether a code says that something is not specified."""
    said = tables.title(code).lower().replace("or unspecified", "")
    return "unspecified" in said or tables.laterality(code) == "unspecified"


@lru_cache(maxsize=8192)
def _tokens(title: str) -> frozenset[str]:
    # Headings speak of many, codes of one.
    said = frozenset(_TOKEN.findall(title.lower())) - _SILENT
    return frozenset(word.removesuffix("s") for word in said)


def _lineage(tables: Tables, code: str) -> frozenset[str]:
    codes = [name for name in tables.ancestors(code) if ":" not in name]
    return frozenset().union(*(_tokens(tables.title(name)) for name in codes))


def _wrong(judge: Judge, wrong: WrongCode) -> Iterator[str]:
    answer = judge.answer
    code, kind, gold = wrong.code, wrong.kind, wrong.gold
    if not _valid(judge, code):
        yield f"not valid on {judge.on}"
    if code in answer.codes or code in answer.record.possible:
        yield "the record calls for it"
        return
    if code.startswith(_NEVER):
        yield "somebody could defend it beside anything"
    if gold is not None and gold not in answer.codes:
        yield f"{gold} is no code of the answer"
        return
    if gold is None and kind not in _ALONE:
        yield "stands near no code of the answer"
        return
    own = judge.named.get(code, [])
    told = next((fact.status for fact in own if fact.status != "active"), None)
    if told is None and own and kind not in ("part_of_combination", "integral_symptom"):
        yield "a fact that is present names it"
    if told is not None and kind != told and not (told == "ruled_out" and kind == "excludes1"):
        yield f"the record calls it {told}"
    if not _cites(judge, wrong):
        yield f"{wrong.authority.reference} is not the rule"
    halved = [right for right in judge.gold if is_half(judge.memo.tables, code, right)]
    if halved and kind in _NEAR:
        yield f"the nearest code that says less than {halved[0]}, and so half right"
    relation = _RELATIONS.get(kind)
    if relation is not None and gold is not None and not relation(judge, code, gold):
        yield f"not the {kind.replace('_', ' ')} of {gold}"
    if kind == "integral_symptom" and not (own and code.startswith(("R", "M25.5"))):
        yield "no symptom that the record states"
    if not any(spans == wrong.evidence for spans in _evidence(judge, wrong, own)):
        yield "its evidence lies elsewhere"


_ALONE = frozenset(("integral_symptom", "ruled_out", "uncertain", "history", "not_documented"))


def _cites(judge: Judge, wrong: WrongCode) -> bool:
    authority: Authority = wrong.authority
    if authority.edition != edition_of(authority, judge.memo):
        return False
    if wrong.kind == "excludes1":
        found = judge.memo.tied[wrong.gold or "", wrong.code]
        return found is not None and authority.source == "tabular" and any(
            authority.reference == f'Excludes1 note at {hit.stands_on}: "{hit.note}"'
            for hit in judge.memo.tables.excludes1(wrong.gold or "", wrong.code)
        )  # fmt: skip
    if authority.source != "guideline":
        return False
    return section_of(authority).startswith(_SECTIONS[wrong.kind])


def _evidence(judge: Judge, wrong: WrongCode, own: list[Fact]) -> Iterator[list[Span]]:
    """The spans that may show a code to be wrong."""
    record = judge.answer.record
    if wrong.kind == "not_documented":
        yield []
        return
    support = judge.answer.codes[wrong.gold] if wrong.gold is not None else []
    if wrong.gold is not None and wrong.kind in _AS_A_WHOLE:
        # What makes the right code the right one speaks against this one.
        support = [*support, *bearing(judge.gold[wrong.gold], judge.answer, judge.memo)]
    if own and wrong.kind in _TOLD:
        ids = {fact.id for fact in own}
        about = [one for one in record.relations if not ids.isdisjoint(one.about)]
        if wrong.kind == "integral_symptom":
            about = [one for one in about if one.term == "integral"]
        yield spans_of([*support, *own, *about])
        return
    yield spans_of(support)
    ids = {fact.id for fact in support}
    if wrong.kind == "wrong_side":
        yield spans_of([*support, *(r for r in judge.answer.reviews if ids & set(r.about))])
    if wrong.kind == "wrong_type":
        parted = [one for one in record.relations if one.term == "unrelated"]
        yield spans_of([*support, *(one for one in parted if ids & set(one.about))])


def _other_side(judge: Judge, code: str, gold: str) -> bool:
    siblings = judge.memo.tables.side_siblings(gold)
    sides = {sibling: side for side, sibling in siblings.items()}
    side, mine = sides.get(code), sides.get(gold)
    if side is None or side == mine or side == "unspecified":
        return False
    if mine != "unspecified":
        return True
    facts = judge.answer.codes[gold]
    return any(facts[0].id in one.about for one in judge.answer.reviews)


def _other_phase(judge: Judge, code: str, gold: str) -> bool:
    tables = judge.memo.tables
    mine, other = tables.seventh(gold), tables.seventh(code)
    if code[:-1] != gold[:-1] or mine is None or other is None:
        return False
    return mine.phase != other.phase or mine.healing != other.healing


def _kin(judge: Judge, code: str, gold: str) -> bool:
    return not says_no_more(judge.memo.tables, code, gold)


def _stage(judge: Judge, code: str, gold: str) -> bool:
    return code[:3] == gold[:3] and _kin(judge, code, gold)


def _less(judge: Judge, code: str, gold: str) -> bool:
    tables = judge.memo.tables
    return says_no_more(tables, code, gold) and not at_odds(tables, code, gold)


def _part(judge: Judge, code: str, gold: str) -> bool:
    facts = judge.answer.codes[gold]
    return len(facts) > 1 and any(fact in facts for fact in judge.named.get(code, []))


def _apart(judge: Judge, code: str, gold: str) -> bool:
    """Whether a note parts two codes that the record both names."""
    return judge.memo.tied[gold, code] is not None and bool(judge.named.get(code))


def _present(judge: Judge, code: str, gold: str) -> bool:
    """Whether a code of history names what is there: nothing in the record is past that it could
    mean instead (I.C.21.c.4)."""
    if not code.startswith(("Z86", "Z87")) or code == "Z86.73":
        return True
    past = any(fact.status == "history" for fact in judge.answer.problems)
    return not past and all(fact.status == "active" for fact in judge.answer.codes[gold])


_RELATIONS = {
    "history": _present,
    "less_specific": _less,
    "wrong_side": _other_side,
    "wrong_stage": _stage,
    "wrong_phase": _other_phase,
    "wrong_type": _kin,
    "part_of_combination": _part,
    "excludes1": _apart,
}
