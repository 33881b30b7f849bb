"""The checker: errors and open points of a claim, from claim, patient and record alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casegen.schemas import authority as sources

from .demographics import judge_demographics
from .excludes import judge_excludes
from .existence import (
    broken_diagnosis,
    broken_service,
    judge_incomplete,
    judge_untraceable,
    system_of,
)
from .facts import read_record
from .limits import judge_limits
from .memo import ICD, Icd, Memo, Svc, memo_of
from .merge import merged
from .model import ClaimView, Report, Review, Verdict, ViewLine
from .modifiers import judge_modifiers
from .ncci import bundled, judge_ncci
from .order import judge_order
from .support import judge_support
from .together import judge_links, judge_sequence, judge_together
from .work import Broken, Work

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

NO_RECORD = "no record: whether the chart supports the codes"


def check(view: ClaimView, tables: Tables, services: Services) -> Report:
    """Scrub one claim.

    Without a record nothing is called an error that the chart could excuse. Verdicts come by
    line, then by error type; reviews by line.
    """
    memo = memo_of(tables, services)
    work = _read(view, memo)
    if work.broken:
        judge_incomplete(work)
    judge_demographics(work)
    judge_support(work)
    if work.broken:
        judge_untraceable(work)
    if len(work.icd) > 1:
        judge_excludes(work)
        judge_together(work)
        if work.record is None:
            judge_links(work)
    judge_sequence(work)
    if len(work.icd) > 1:
        judge_order(work)
    if work.svc:
        judge_ncci(work)
        judge_limits(work)
    for line in view.lines:
        if line.modifiers:
            judge_modifiers(work)
            break
    _leftovers(work)
    report = work.report
    if memo.editions is not None:
        _cite(report, memo.editions)
    if len(report.verdicts) > 1:
        report.verdicts.sort(key=_verdict_order)
    if len(report.reviews) > 1:
        report.reviews = merged(report.reviews)
        report.reviews.sort(key=_review_order)
    return report


def _cite(report: Report, editions: sources.Editions) -> None:
    """Let the report cite the editions of the tables in use."""
    for verdict in report.verdicts:
        verdict.authority = sources.cited(verdict.authority, editions)
    for review in report.reviews:
        if review.authority is not None:
            review.authority = sources.cited(review.authority, editions)


def _verdict_order(verdict: Verdict) -> tuple[int, str, str]:
    return verdict.line, verdict.error_type, verdict.related_code or ""


def _review_order(review: Review) -> tuple[int, str, str]:
    return review.line, review.kind, review.code


def _read(view: ClaimView, memo: Memo) -> Work:
    """Sort the lines into valid diagnoses, known services and invalid codes."""
    report = Report([], [], [])
    on = view.service_date
    icd: list[tuple[ViewLine, Icd]] = []
    svc: list[tuple[ViewLine, Svc]] = []
    broken: list[Broken] = []
    billed: set[str] = set()
    unlisted: list[tuple[ViewLine, str]] = []
    repeated: list[ViewLine] = []
    misspelled: list[tuple[ViewLine, Icd]] = []
    categories = 0
    diagnoses = memo.icd
    untold: list[str] = []
    record = read_record(view, memo, untold)
    named = {} if record is None else record.named
    for line in view.lines:
        system = line.system or system_of(line, memo, report.unjudged)
        if system == ICD:
            # A code that the record names has been looked up, and is valid on the day.
            info = named.get(line.code)
            if info is None:
                info = diagnoses[line.code]
                if not (info.lo <= on <= info.hi or memo.valid(info, on)):
                    broken.append(broken_diagnosis(line, memo, on))
                    continue
            if info.misspelled:
                misspelled.append((line, info))
            if info.code in billed:
                repeated.append(line)
                continue
            icd.append((line, info))
            billed.add(info.code)
            categories |= info.bit
            continue
        service = memo.svc[line.code]
        if service is not None and service.service.system == system:
            svc.append((line, service))
            billed.add(service.code)
            continue
        fault = broken_service(line, memo, on, system)
        if fault is None:
            unlisted.append((line, system))
        else:
            broken.append(fault)
    if untold:
        report.unjudged.extend(untold)
    work = Work(view, memo, report, record, icd, svc, broken, billed, categories)
    for line, system in unlisted:
        text = f"line {line.line}: {line.code} has the shape of {system} and is not in our list"
        work.review(line, line.code, "unlisted", text)
    for line in repeated:
        text = f"line {line.line}: {line.code} already stands on the claim"
        work.review(line, line.code, "duplicate", text, sources.guideline("I.B.12"))
    for line, info in misspelled:
        text = f"line {line.line}: {line.code} is read as {info.code}; the dot stands elsewhere"
        authority = sources.code_set(ICD, f"the code is written {info.code}")
        work.remark(line, line.code, "spelling", text, authority)
    if record is None:
        report.unjudged.append(NO_RECORD)
    return work


def _leftovers(work: Work) -> None:
    """Lines that the record doesn't support, and codes that it calls for in vain."""
    record = work.record
    if record is None:
        return
    named = work.named
    expected = record.expected
    for line, info in work.icd:
        if info.code not in expected and line.line not in named:
            text = f"line {line.line}: the record does not support {line.code}"
            authority = None
            if info.code in record.doubtful:
                text += ", which it calls uncertain"
                authority = sources.guideline("IV.H")
            work.review(line, line.code, "unsupported", text, authority)
    services = record.services
    for line, svc in work.svc:
        if svc.code not in services and line.line not in named:
            text = f"line {line.line}: the record does not state {line.code}"
            work.review(line, line.code, "unsupported", text)
    billed = work.billed
    owed = work.owed
    for code in expected:
        if code not in billed and code not in owed:
            work.review(None, code, "unbilled", f"the record calls for {code}; no line bills it")
    for code in services:
        if code not in billed and code not in owed and not bundled(work, code):
            work.review(None, code, "unbilled", f"the record states {code}; no line bills it")
    for fact, codes in record.unclear:
        if billed.isdisjoint(codes):
            text = f'"{fact.term}" in the record names several codes: {", ".join(codes[:8])}'
            work.review(None, codes[0], "record does not settle", text)
