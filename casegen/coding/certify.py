"""Certifies a coding case: a derivation from its record alone must come to the same answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from casegen.schemas import CertificationError, ClaimLine, CodingCase

from ..accident import AccidentError
from ..checker import ClaimView, check
from ..checker.cited import bearing, judge_rules
from ..checker.coding import Answer, derive
from ..checker.memo import Memo, memo_of
from ..checker.near import judge_set
from ..checker.work import spans_of

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

# What may come about by chance, such as a note "code first" that means a link which the record
# does not state; all else says that chart, coder, note or tables are wrong.
BY_CHANCE = frozenset(("excludes1", "duplicate", "record does not settle", "sequence"))
APART = "a code near a right one that two rules judge differently"
NO_FIRST = "the record does not settle what goes first"
NO_CODE = "the record does not settle a code"
FEWEST, MOST = 6, 40


def view_of(case: CodingCase) -> ClaimView:
    """What the checker may see of a case: patient, encounter, record, and the answer as a claim."""
    encounter = case.encounter
    lines = [
        ClaimLine(at, one.code, "ICD-10-CM", one.code, [], 1)
        for at, one in enumerate(case.gold(), 1)
    ]
    return ClaimView(
        case.patient.sex,
        case.patient.birth_date,
        encounter.setting,
        encounter.claim_type,
        encounter.service_date,
        encounter.admission_date,
        lines,
        case.record,
    )


def certify(case: CodingCase, tables: Tables, services: Services) -> Answer:
    """Raise CertificationError where the derivation contradicts the case, AccidentError where
    the record leaves open by chance what is asked; return the derived answer."""
    view = view_of(case)
    report = check(view, tables, services)
    for review in report.reviews:
        if review.kind in BY_CHANCE:
            raise AccidentError(f"review {review.kind}")
    answer = derive(view, tables, services)
    if answer.unsettled and not report.reviews:
        raise AccidentError(NO_CODE)
    if answer.primary is None and len(answer.reasons) == 1:
        raise AccidentError(NO_FIRST)
    wrong = [verdict.message for verdict in report.verdicts]
    wrong += [f"{review.kind}: {review.code}: {review.message}" for review in report.reviews]
    for complaint in (*wrong, *_of_answer(case, answer, tables, services)):
        raise CertificationError(f"{case.id}: {complaint}")
    # Two rules judge by words of titles which codes lie near; where they differ, neither is sure.
    for _ in _of_set(case, answer, tables, services):
        raise AccidentError(APART)
    return answer


def objections(
    case: CodingCase, answer: Answer, tables: Tables, services: Services
) -> Iterator[str]:
    """What the derived answer objects to in a case."""
    yield from _of_answer(case, answer, tables, services)
    yield from _of_set(case, answer, tables, services)


def _of_answer(
    case: CodingCase, answer: Answer, tables: Tables, services: Services
) -> Iterator[str]:
    yield from _spans(case)
    memo = memo_of(tables, services)
    yield from _codes(case, answer, memo)
    yield from _review(case, answer)
    yield from judge_rules(case.gold(), answer, case.encounter.setting, memo)
    yield from _set(case, tables)


def _of_set(case: CodingCase, answer: Answer, tables: Tables, services: Services) -> Iterator[str]:
    on = case.encounter.service_date
    yield from judge_set(case.gold(), case.wrong, answer, on, tables, services)


def _spans(case: CodingCase) -> Iterator[str]:
    """Spans that do not say what stands in the note. Evidence is compared with the spans of the
    facts, so that those of the facts are all there are to try."""
    note = case.note
    for fact in case.record:
        for span in fact.spans:
            if note[span.start : span.end] != span.text:
                yield f"fact {fact.id}: the note does not read {span.text!r} at {span.start}"


def _codes(case: CodingCase, answer: Answer, memo: Memo) -> Iterator[str]:
    if case.primary.code != answer.primary:
        yield f"first is {case.primary.code}, the record asks for {answer.primary}"
    named = [one.code for one in case.gold()]
    if len(set(named)) < len(named):
        yield "a code of the answer stands there twice"
    for code in named:
        if code not in answer.codes:
            yield f"the record does not ask for {code}"
    for code in answer.codes:
        if code not in named:
            yield f"the record asks for {code}, which is missing"
    for at, one in enumerate(case.gold()):
        also = [*bearing(one, answer, memo), *(answer.reasons if at == 0 else ())]
        if one.evidence != spans_of([*answer.codes.get(one.code, ()), *also]):
            yield f"the evidence of {one.code} lies elsewhere"


def _review(case: CodingCase, answer: Answer) -> Iterator[str]:
    kinds = [fact.term for fact in answer.reviews]
    if case.needs_review != bool(kinds) or case.needs_review != (case.review is not None):
        yield f"the record leaves open: {', '.join(kinds) or 'nothing'}"
    elif case.review is not None:
        if kinds != [case.review.kind]:
            yield f"the record leaves open {', '.join(kinds)}, not {case.review.kind}"
        about = [fact for fact in answer.problems if fact.id in answer.reviews[0].about]
        if case.review.evidence != spans_of([*about, answer.reviews[0]]):
            yield "the evidence of what is open lies elsewhere"


def _set(case: CodingCase, tables: Tables) -> Iterator[str]:
    """The allowed codes are the right ones, their alternates and the wrong ones, sorted."""
    wanted = [one.code for one in case.gold()] + [one.code for one in case.wrong]
    for one in case.gold():
        wanted += [*one.alternates, *one.equivalents]
    codes = [one.code for one in case.allowed]
    if codes != sorted(set(wanted)) or len(codes) != len(wanted):
        yield "the allowed codes are not those of answer and wrong codes"
    if not FEWEST <= len(codes) <= MOST or 2 * len(case.gold()) > len(codes):
        yield f"{len(case.gold())} right codes among {len(codes)}"
    for allowed in case.allowed:
        if allowed.title != tables.title(allowed.code):
            yield f"{allowed.code}: its title is another one"
    hints = "\n".join(case.hints).lower()
    for one in case.gold():
        if one.code.lower() in hints or tables.title(one.code).lower() in hints:
            yield f"a hint names {one.code}"
