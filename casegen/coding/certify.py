"""Certifies a coding case: a derivation from its record alone must come to the same answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casegen.schemas import CertificationError, ClaimLine, CodingCase, Fact, Span

from ..accident import AccidentError
from ..checker import ClaimView, check
from ..checker.coding import Answer, derive

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

# What may come about by chance; all else says that chart, coder, note or tables are wrong.
BY_CHANCE = frozenset(("excludes1", "duplicate", "record does not settle", "sequence"))


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
    _spans_hold(case)
    view = view_of(case)
    report = check(view, tables, services)
    for verdict in report.verdicts:
        raise CertificationError(f"{case.id}: {verdict.message}")
    for review in report.reviews:
        if review.kind in BY_CHANCE:
            raise AccidentError(f"review {review.kind}")
        raise CertificationError(f"{case.id}: {review.kind}: {review.code}: {review.message}")
    answer = derive(view, tables, services)
    if answer.unsettled:
        raise AccidentError("the record does not settle a code")
    if answer.primary is None:
        raise AccidentError("the record does not settle what goes first")
    if answer.primary != case.primary.code:
        raise CertificationError(
            f"{case.id}: first is {case.primary.code}, the record asks for {answer.primary}"
        )
    return answer


def _spans_hold(case: CodingCase) -> None:
    spans: list[tuple[str, Span]] = []
    for fact in case.record:
        spans += [(_named(fact), span) for span in fact.spans]
    for one in case.gold():
        spans += [(one.code, span) for span in one.evidence]
    for wrong in case.wrong:
        spans += [(wrong.code, span) for span in wrong.evidence]
    for name, span in spans:
        if case.note[span.start : span.end] != span.text:
            raise CertificationError(f"{case.id}: {name}: the note does not read {span.text!r}")


def _named(fact: Fact) -> str:
    return f"fact {fact.id}"
