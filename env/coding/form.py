"""The form of a coding case that was made elsewhere: what the grader goes by must hold together."""

from __future__ import annotations

from collections.abc import Iterator

from casegen.schemas.coding_case import CodingCase, GoldCode

from ..caseform import Fault, blank_code, misquoted
from ..codes import fold


def faults(case: CodingCase) -> Iterator[Fault]:
    """What does not hold among the fields that only cases of this family have."""
    yield from _allowed(case)
    golds = [("primary", case.primary)]
    golds += [(f"secondary[{number}]", one) for number, one in enumerate(case.secondary)]
    named: set[str] = set()
    for where, gold in golds:
        if fold(gold.code) in named:
            yield Fault(f"{where}.code", gold.code, "stands in the answer before")
        named.add(fold(gold.code))
        yield from _gold(case, where, gold)
    for number, wrong in enumerate(case.wrong):
        where = f"wrong[{number}]"
        yield from _among(case, f"{where}.code", wrong.code)
        if fold(wrong.code) in named:
            yield Fault(f"{where}.code", wrong.code, "stands in the answer")
        yield from misquoted(case.note, f"{where}.evidence", wrong.evidence)
    if case.needs_review != (case.review is not None):
        told = "must be given where needs_review is true, and nowhere else"
        yield Fault("review", None if case.review is None else case.review.kind, told)
    if case.review is not None:
        yield from misquoted(case.note, "review.evidence", case.review.evidence)


def _allowed(case: CodingCase) -> Iterator[Fault]:
    seen: set[str] = set()
    for number, one in enumerate(case.allowed):
        where = f"allowed[{number}].code"
        yield from blank_code(where, one.code)
        if fold(one.code) in seen:
            yield Fault(where, one.code, "is among the allowed codes before")
        seen.add(fold(one.code))
    if len(case.allowed) < 2 * len(case.gold()):
        told = f"must hold {2 * len(case.gold())} codes or more: half of them are wrong ones"
        yield Fault("allowed", len(case.allowed), told)


def _gold(case: CodingCase, where: str, gold: GoldCode) -> Iterator[Fault]:
    yield from _among(case, f"{where}.code", gold.code)
    for name in ("equivalents", "alternates"):
        for number, code in enumerate(getattr(gold, name)):
            yield from _among(case, f"{where}.{name}[{number}]", code)
    yield from misquoted(case.note, f"{where}.evidence", gold.evidence)


def _among(case: CodingCase, field: str, code: str) -> Iterator[Fault]:
    yield from blank_code(field, code)
    if fold(code) not in {fold(one.code) for one in case.allowed}:
        yield Fault(field, code, "is not among the allowed codes")
