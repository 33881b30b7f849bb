"""Codes that the sex or the age of the patient rules out.

Ages are in whole years but for two codes that count days. On inpatient facility claims the
age groups of the Medicare Code Editor apply, at the age on admission; everywhere else the
meaning of the code does. The editor's sex edits ended on 2024-09-30; before that day they
are what a finding cites.
"""

from __future__ import annotations

from datetime import date

from casegen.schemas import Authority, Fact
from casegen.schemas import authority as sources

from .matching import assign
from .memo import Icd, Svc
from .model import ClaimView, ViewLine
from .work import Record, Work

# MCE definitions, age conflict: whole years, both ends included.
AGE_GROUPS = {"newborn": (0, 0), "pediatric": (0, 17), "maternity": (9, 64), "adult": (15, 124)}
_AGE_EDITS = frozenset(AGE_GROUPS)
# Codes whose own title (ICD-10-CM April 2026) counts days of life; both ends included. The
# title above them, "Newborn health examination", says no more than the first year.
DAYS = {
    "Z00.110": (0, 7, "Health examination for newborn under 8 days old"),
    "Z00.111": (8, 28, "Health examination for newborn 8 to 28 days old"),
}


def years_between(birth: str, on: str) -> int:
    """Completed years from one ISO date to another."""
    return int(on[:4]) - int(birth[:4]) - (on[5:] < birth[5:])


def days_of(view: ClaimView) -> tuple[int, int]:
    """The patient's age in completed days on the first and the last day of the encounter."""
    born = date.fromisoformat(view.birth_date)
    first = date.fromisoformat(view.admission_date or view.service_date)
    return (first - born).days, (date.fromisoformat(view.service_date) - born).days


def judge_demographics(work: Work) -> None:
    """Sex and age of every valid code. At most one verdict for a line; sex goes first."""
    view = work.view
    record = work.record
    if record is not None:
        _stated(work, record)
    inpatient = view.claim_type == "facility" and view.setting == "inpatient"
    for line, info in work.icd:
        if info.limited or inpatient:
            _diagnosis(work, line, info, inpatient)
    for line, svc in work.svc:
        if svc.limited:
            _service(work, line, svc)


def _stated(work: Work, record: Record) -> None:
    """One open point where the record tells of another patient, whatever the codes are."""
    view = work.view
    told = []
    for fact in record.sex:
        if fact.term != view.sex:
            told.append(fact.term)
    for fact in record.age:
        if not _agrees_age(view, fact):
            told.append(fact.term)
    if told:
        words = ", ".join(dict.fromkeys(told))
        text = f"the record states {words}; the claim's patient is {view.sex}, "
        text += f"born on {view.birth_date}"
        work.review(None, "", "demographic facts disagree", text)


def _diagnosis(work: Work, line: ViewLine, info: Icd, inpatient: bool) -> None:
    view = work.view
    code = info.code
    edits: frozenset[str] = frozenset()
    if inpatient:
        edits = work.memo.edits(info, view.service_date)
        for sex in ("female", "male"):
            if sex in edits and sex != view.sex:
                _mismatch(work, line, "sex", sources.mce_sex(sex), f"for {sex} patients", info)
                return
    if info.sex is not None and info.sex[0] != view.sex:
        sex, words = info.sex
        _mismatch(work, line, "sex", sources.meaning(code, words), f"for {sex} patients", info)
        return
    if inpatient:
        groups = edits & _AGE_EDITS
        if groups:
            years = years_between(view.birth_date, view.admission_date or view.service_date)
            for group in sorted(groups):
                lo, hi = AGE_GROUPS[group]
                if not lo <= years <= hi:
                    authority = sources.mce_age(group, lo, hi)
                    why = f"a {group} code ({lo}-{hi} years)"
                    _mismatch(work, line, "age", authority, why, info)
                    return
    elif info.age is not None:
        lo, hi, words = info.age
        if not lo <= years_between(view.birth_date, view.service_date) <= hi:
            authority = sources.meaning(code, words)
            _mismatch(work, line, "age", authority, f"for {_ages(lo, hi)}", info)
            return
    if code in DAYS:
        low, high, words = DAYS[code]
        first, last = days_of(view)
        if low <= last and first <= high:
            return
        authority = sources.meaning(code, words)
        _mismatch(work, line, "age", authority, f"for days {low} to {high} of life", info)


def _service(work: Work, line: ViewLine, svc: Svc) -> None:
    view = work.view
    service = svc.service
    if service.sex in ("female", "male") and service.sex != view.sex:
        authority = sources.meaning(svc.code, service.label, service.system)
        _mismatch(work, line, "sex", authority, f"for {service.sex} patients", svc)
        return
    lo, hi = service.age
    if not lo <= years_between(view.birth_date, view.service_date) <= hi:
        authority = sources.meaning(svc.code, service.label, service.system)
        _mismatch(work, line, "age", authority, f"for {_ages(lo, hi)}", svc)


def _mismatch(
    work: Work, line: ViewLine, kind: str, authority: Authority, why: str, info: Icd | Svc
) -> None:
    view = work.view
    record = work.record
    message = f"line {line.line}: {line.code} is {why}; the patient is "
    message += view.sex if kind == "sex" else f"born on {view.birth_date}"
    facts: list[Fact] = []
    right = None
    if record is not None:
        stated = record.sex if kind == "sex" else record.age
        agree = _agrees_sex if kind == "sex" else _agrees_age
        facts = [fact for fact in stated if agree(view, fact)]
        if not stated:
            text = f"{message}; the record does not state the {kind}"
            work.review(line, line.code, "demographic fact not stated", text, authority)
            return
        if len(facts) < len(stated):
            text = f"{message}; the record states another {kind}"
            work.review(line, line.code, "demographic facts disagree", text, authority)
            return
        right = _same_category(work, line, info)
        if right is not None:
            facts = facts + (record.expected.get(right) or record.services.get(right) or [])
            message += f"; the record calls for {right}"
    work.verdict(
        "demographic_mismatch", kind, line, authority, message, replacement=right, facts=facts
    )


def _same_category(work: Work, line: ViewLine, info: Icd | Svc) -> str | None:
    """The unbilled expected code of the same category that resembles the claimed one most."""
    if isinstance(info, Icd):
        head = info.code[:3]
        pool = [code for code in work.unbilled() if code[:3] == head]
        return assign({line.line: info.stem}, pool).get(line.line)
    category = info.service.category
    pool = []
    for code in work.unbilled_services():
        svc = work.memo.svc[code]
        if svc is not None and svc.service.category == category:
            pool.append(code)
    return assign({line.line: info.code}, pool).get(line.line)


def _agrees_sex(view: ClaimView, fact: Fact) -> bool:
    return fact.term == view.sex


def _agrees_age(view: ClaimView, fact: Fact) -> bool:
    """True if the stated age ("45", or "17 d" below one year) is the patient's on some day
    of the encounter."""
    first = view.admission_date or view.service_date
    term = fact.term
    try:
        if term.endswith("d"):
            low, high = days_of(view)
            return low <= int(term[:-1]) <= high
        years = int(term)
        low = high = years_between(view.birth_date, first)
        if first != view.service_date:
            high = years_between(view.birth_date, view.service_date)
        return low <= years <= high
    except ValueError:
        return False


def _ages(low: int, high: int) -> str:
    return f"age {low}" if low == high else f"ages {low} to {high}"
