"""Whether the parts of a coding case fit one another: the codes to choose from, the answer, what
is wrong of the rest, hints and review."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from casegen.schemas import CodingCase, GoldCode, Span
from casegen.seeds.icd10cm.codes import canonical

from ..consistent import facts_fit, read_so, readable
from ..where import Where

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

LEAST_CODES, MOST_CODES = 6, 40
LEAST_HINTS, MOST_HINTS = 2, 3


def consistent(case: CodingCase, where: Where, tables: Tables, services: Services) -> None:
    """Raise InputError, by ``where``, for the first part of the case that does not fit."""
    lines = [{"code": one.code, "system": "ICD-10-CM"} for one in case.gold()]
    readable(case, lines, "gold", where)
    read_so(case, _evidence(case), where)
    facts_fit(case, where)
    _allowed(case, where, tables)
    _answer(case, where)
    _wrong(case, where)
    if case.needs_review != (case.review is not None):
        told = "must be given where needs_review is true, and nowhere else"
        where.fail("review", None if case.review is None else case.review.kind, told)
    if case.review is not None and not case.review.evidence:
        where.fail("review.evidence", [], "must hold the words that leave it open")
    _hints(case, where)


def _evidence(case: CodingCase) -> Iterator[tuple[str, list[Span]]]:
    """The spans of the answer, each list with its place."""
    for place, gold in _golds(case):
        yield f"{place}.evidence", gold.evidence
    for number, wrong in enumerate(case.wrong):
        yield f"wrong[{number}].evidence", wrong.evidence
    if case.review is not None:
        yield "review.evidence", case.review.evidence


def _golds(case: CodingCase) -> Iterator[tuple[str, GoldCode]]:
    yield "primary", case.primary
    for number, gold in enumerate(case.secondary):
        yield f"secondary[{number}]", gold


def _allowed(case: CodingCase, where: Where, tables: Tables) -> None:
    codes = [one.code for one in case.allowed]
    if not LEAST_CODES <= len(codes) <= MOST_CODES:
        where.fail("allowed", len(codes), f"must hold {LEAST_CODES} to {MOST_CODES} codes")
    if 2 * len(case.gold()) > len(codes):
        where.fail("allowed", len(codes), "at most half of them may be codes of the answer")
    for number, one in enumerate(case.allowed):
        place = f"allowed[{number}]"
        if number and one.code <= codes[number - 1]:
            told = f"stands after {codes[number - 1]}; they are sorted, each stands there once"
            where.fail(f"{place}.code", one.code, told)
        if not tables.exists(one.code):
            where.fail(f"{place}.code", one.code, "no code of these tables")
        if one.code != canonical(one.code):
            where.fail(f"{place}.code", one.code, f"must be spelt {canonical(one.code)}")
        right = tables.title(one.code)
        if one.title != right:
            where.fail(f"{place}.title", one.title, f"{one.code} is {right!r}")


def _answer(case: CodingCase, where: Where) -> None:
    allowed = {one.code for one in case.allowed}
    named: set[str] = set()
    for place, gold in _golds(case):
        for field, code in _codes(place, gold):
            if code not in allowed:
                where.fail(field, code, "is not among the allowed codes")
            if code in named:
                where.fail(field, code, "stands in the answer before")
            named.add(code)
        if not gold.evidence:
            where.fail(f"{place}.evidence", [], "must hold the words that ask for the code")
        _recorded(case, f"{place}.evidence", gold.evidence, where)


def _codes(place: str, gold: GoldCode) -> Iterator[tuple[str, str]]:
    yield f"{place}.code", gold.code
    for name in ("equivalents", "alternates"):
        for number, code in enumerate(getattr(gold, name)):
            yield f"{place}.{name}[{number}]", code


def _wrong(case: CodingCase, where: Where) -> None:
    gold = {one.code for one in case.gold()}
    right = {code for place, one in _golds(case) for _, code in _codes(place, one)}
    left = {one.code for one in case.allowed} - right
    for number, wrong in enumerate(case.wrong):
        place = f"wrong[{number}]"
        if wrong.code not in left:
            told = "must be an allowed code that is not right, each once"
            where.fail(f"{place}.code", wrong.code, told)
        left.remove(wrong.code)
        if wrong.gold is not None and wrong.gold not in gold:
            where.fail(f"{place}.gold", wrong.gold, "is no code of the answer")
        _recorded(case, f"{place}.evidence", wrong.evidence, where)
    if left:
        told = "is allowed and not right, and nothing says why it is wrong"
        where.fail("wrong", sorted(left)[0], told)


def _recorded(case: CodingCase, place: str, evidence: Iterable[Span], where: Where) -> None:
    stated = [span for fact in case.record for span in fact.spans]
    for number, span in enumerate(evidence):
        if span not in stated:
            where.fail(f"{place}[{number}]", span.text, "is no span of the record")


def _hints(case: CodingCase, where: Where) -> None:
    if not LEAST_HINTS <= len(case.hints) <= MOST_HINTS:
        where.fail("hints", len(case.hints), f"must be {LEAST_HINTS} to {MOST_HINTS}")
    for number, hint in enumerate(case.hints):
        if not hint.strip():
            where.fail(f"hints[{number}]", hint, "must say something")
        for one in case.allowed:
            if one.code in hint.split():
                where.fail(f"hints[{number}]", hint, f"names the code {one.code}")
