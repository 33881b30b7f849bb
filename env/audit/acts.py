"""What each act does: it is checked against the claim and the note, and the ledger is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import get_args

from casegen.schemas import InputError
from casegen.schemas.case import ErrorType
from casegen.schemas.play import AuditAction, ReportedError

from .event import Event, Verdict
from .ledger import Flag, Ledger
from .tools.evidence import find_span
from .tools.guideline import guideline_text
from .tools.ncci import ncci_text
from .tools.physician import answer

ERROR_TYPES: tuple[str, ...] = get_args(ErrorType)
# A report holds at most as many errors: every type at each of the twelve codes of a claim.
MOST_REPORTED = 60
MOST_TEXT = 4_000


def carry_out(ledger: Ledger, action: AuditAction, one_flag_a_code: bool) -> Event:
    """Carry out one act and keep the ledger.

    Raises InputError, before anything counts, where the action is none.
    """
    if not isinstance(action, AuditAction):
        raise InputError("action", action, "an AuditAction")
    act = _ACTS.get(action.action_type) if isinstance(action.action_type, str) else None
    if act is None:
        raise InputError("action_type", action.action_type, f"one of {', '.join(_ACTS)}")
    for name in _TEXTS:
        value = getattr(action, name)
        if value is not None and not isinstance(value, str):
            raise InputError(name, value, "text")
        if value is not None and len(value) > MOST_TEXT:
            raise InputError(name, value, f"at most {MOST_TEXT} characters")
    return act(ledger, action, one_flag_a_code)


_TEXTS = tuple(f.name for f in fields(AuditAction) if f.name not in ("action_type", "report"))
_REPORTED = tuple(f.name for f in fields(ReportedError))


def _query(ledger: Ledger, action: AuditAction, one: bool) -> Event:
    if missing := _missing(action, "code"):
        return missing
    line = ledger.line(action.code or "")
    if line is None:
        return _foreign(action, action.code or "")
    text = guideline_text(ledger.task, line)
    if line.code in ledger.queried:
        return Event(action.action_type, "repeat", text, f"{line.code} was queried before")
    ledger.queried.append(line.code)
    return Event(action.action_type, "done", text)


def _check_pair(ledger: Ledger, action: AuditAction, one: bool) -> Event:
    if missing := _missing(action, "code1", "code2"):
        return missing
    lines = []
    for code in (action.code1 or "", action.code2 or ""):
        line = ledger.line(code)
        if line is None:
            return _foreign(action, code)
        lines.append(line)
    first, second = lines
    for line in lines:
        if line.system == "ICD-10-CM":
            told = f"{line.code} stands on the claim as a diagnosis; NCCI pairs hold services"
            return Event(action.action_type, "unusable", "", told)
    if first is second:
        return Event(action.action_type, "unusable", "", "name two different codes")
    text, found = ncci_text(ledger.task, first, second)
    pair = f"{first.code}|{second.code}"
    if pair in ledger.pairs or f"{second.code}|{first.code}" in ledger.pairs:
        return Event(action.action_type, "repeat", text, f"{pair} was checked before")
    ledger.pairs.append(pair)
    ledger.paired.update((first.code, second.code))
    return Event(action.action_type, "edit" if found else "no_edit", text)


def _ask(ledger: Ledger, action: AuditAction, one: bool) -> Event:
    if missing := _missing(action, "question"):
        return missing
    question = " ".join((action.question or "").split())
    ledger.asked.append(question)
    told = answer(ledger.task, question, ledger.topics)
    if told.refused:
        return Event(action.action_type, "unusable", told.text, told.why)
    if told.topic is None:
        return Event(action.action_type, "unanswered", told.text)
    if told.topic in ledger.topics:
        return Event(action.action_type, "repeat", told.text, "that was asked before")
    ledger.topics.append(told.topic)
    return Event(action.action_type, "answered", told.text)


def _extract(ledger: Ledger, action: AuditAction, one: bool) -> Event:
    if missing := _missing(action, "evidence_text"):
        return missing
    span = find_span(ledger.case.note, action.evidence_text or "")
    if span is None:
        return Event(
            action.action_type, "absent", "", "the note does not hold these words, as they stand"
        )
    if any(old.start == span.start and old.end == span.end for old in ledger.evidence):
        return Event(action.action_type, "repeat", "", "these words were extracted before")
    ledger.evidence.append(span)
    return Event(action.action_type, "extracted", "The words are kept as evidence.", span=span)


def _flag(ledger: Ledger, action: AuditAction, one: bool) -> Event:
    if missing := _missing(action, "code", "error_type", "justification"):
        return missing
    reported = ReportedError(
        action.code or "",
        action.error_type or "",
        action.justification or "",
        action.suggested_code,
        action.related_code,
    )
    return _record(ledger, action, reported, one)


def _record(ledger: Ledger, action: AuditAction, reported: ReportedError, one: bool) -> Event:
    """Put one error into the draft."""
    line = ledger.line(reported.code)
    if line is None:
        ledger.foreign += 1
        return _foreign(action, reported.code)
    kind = reported.error_type.strip().lower()
    if kind not in ERROR_TYPES:
        told = f"no error type {reported.error_type!r}; there are {', '.join(ERROR_TYPES)}"
        return Event(action.action_type, "unusable", "", told)
    standing = [flag for flag in ledger.flags if flag.code == line.code]
    if any(flag.error_type == kind for flag in standing):
        told = f"{line.code} is flagged as {kind} already"
        return Event(action.action_type, "repeat", "", told)
    flag = Flag(
        line.code,
        kind,
        reported.justification,
        ledger.steps,
        reported.suggested_code,
        reported.related_code,
        ledger.investigated(line.code),
    )
    if one and standing:
        ledger.flags = [old for old in ledger.flags if old.code != line.code]
        ledger.replaced += 1
    ledger.flags.append(flag)
    verdict: Verdict = "replaced" if one and standing else "flagged"
    return Event(action.action_type, verdict, f"{line.code}: {kind} is in the draft.", flag=flag)


def _report(ledger: Ledger, action: AuditAction, one: bool) -> Event:
    """A whole report at once; it also hands in what the draft holds already."""
    report = action.report
    if not isinstance(report, list):
        raise InputError("report", report, "a list of errors, which may be empty")
    if len(report) > MOST_REPORTED:
        raise InputError("report", len(report), f"at most {MOST_REPORTED} errors")
    for at, entry in enumerate(report):
        if not isinstance(entry, ReportedError):
            raise InputError(f"report[{at}]", entry, "a ReportedError")
        for name in _REPORTED:
            value = getattr(entry, name)
            optional = name.endswith("_code") and value is None
            if not optional and (not isinstance(value, str) or len(value) > MOST_TEXT):
                raise InputError(f"report[{at}].{name}", value, "text, and not too long")
    wrong = []
    for entry in report:
        event = _record(ledger, action, entry, one)
        if event.error is not None:
            ledger.invalid += 1
            wrong.append(event.error)
    ledger.submitted = True
    return Event(action.action_type, "done", "The report is handed in.", "; ".join(wrong) or None)


def _submit(ledger: Ledger, action: AuditAction, one: bool) -> Event:
    ledger.submitted = True
    return Event(action.action_type, "done", "The audit is handed in.")


def _missing(action: AuditAction, *names: str) -> Event | None:
    for name in names:
        value = getattr(action, name)
        if value is None or not value.strip():
            told = f"{action.action_type} needs {name}"
            return Event(action.action_type, "unusable", "", told)
    return None


def _foreign(action: AuditAction, code: str) -> Event:
    shown = code if len(code) <= 40 else code[:37] + "..."
    return Event(action.action_type, "foreign", "", f"{shown!r} is not on the claim")


_ACTS: dict[str, Callable[[Ledger, AuditAction, bool], Event]] = {
    "query_guideline": _query,
    "check_ncci_edits": _check_pair,
    "flag_error": _flag,
    "ask_clarifying_question": _ask,
    "extract_evidence": _extract,
    "submit_audit": _submit,
    "submit_report": _report,
}
