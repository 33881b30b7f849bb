"""What an audit can still come to under ``strict`` after an act, whoever plays on.

A flag can't be taken back, and an act that could not be carried out counts to the end. So the
best that is left follows from the draft and from the steps that remain: those errors are flagged,
or those codes looked at, that earn most. Nothing is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction

from .acts import carry_out
from .event import INVALID
from .ledger import Flag, Ledger, names
from .parse import action_from
from .profiles import strict
from .tools.evidence import find_span
from .tools.physician import answer


class Outlook(NamedTuple):
    """The best score that can be reached, and why the act could not be carried out, if so."""

    score: float
    complaint: str | None


def outlook(task: Task, seen: Mapping[str, Any], act: Mapping[str, Any]) -> Outlook:
    """What is left after an act of an agent on an episode of which ``seen`` is the last
    observation, as plain values, and in which each act before could be carried out.

    Raises InputError for an act that is none.
    """
    action = action_from(act) if "report" in act else AuditAction(**act)
    ledger = _ledger(task, seen, action)
    ledger.steps += 1
    event = carry_out(ledger, action, strict.ONE_FLAG_A_CODE)
    ledger.invalid += event.verdict in INVALID
    return Outlook(best(ledger), event.error)


def _ledger(task: Task, seen: Mapping[str, Any], action: AuditAction) -> Ledger:
    """The state of an episode by its last observation, as far as it bears on an act."""
    ledger = Ledger(task)
    ledger.steps = seen["step_count"]
    ledger.queried = list(seen["codes_queried"])
    ledger.pairs = list(seen["pairs_checked"])
    ledger.paired = {code for pair in ledger.pairs for code in pair.split("|")}
    ledger.flags = [
        Flag(**entry, investigated=ledger.investigated(entry["code"]))
        for entry in seen["draft_report"]
    ]
    if action.question is not None:
        for question in seen["clarifications_asked"]:
            topic = answer(task, question, ledger.topics).topic
            if topic is not None and topic not in ledger.topics:
                ledger.topics.append(topic)
    if action.evidence_text is not None:
        spans = [find_span(task.case.note, text) for text in seen["extracted_evidence"]]
        ledger.evidence = [span for span in spans if span is not None]
    return ledger


def best(ledger: Ledger) -> float:
    """The best score that can be reached from a state, which is carried on to it."""
    left = 0 if ledger.submitted else max(0, ledger.case.max_steps - ledger.steps)
    if ledger.case.findings:
        _flag_most(ledger, left)
    else:
        _look_at_most(ledger, left)
    return strict.score(ledger)


def _flag_most(ledger: Ledger, left: int) -> None:
    """Flag as many findings as can be in so many steps: more of them never earn less."""
    missing = [
        finding
        for finding in ledger.case.findings
        if not any(names(flag, finding) for flag in ledger.flags)
    ]
    flags = [
        Flag(code, kind, "", ledger.steps, None, None, True)
        for finding in missing
        for code in finding.accepted_codes
        for kind in finding.accepted_error_types
    ]
    if left >= len(missing):
        ledger.flags += flags
        return
    # A flag may name two findings of one code.
    ledger.flags += max(
        combinations(flags, left),
        key=lambda some: sum(any(names(flag, one) for flag in some) for one in missing),
    )


def _look_at_most(ledger: Ledger, left: int) -> None:
    """Look at as many codes as can be in so many steps: a check of a pair looks at two."""
    unseen = [line for line in ledger.lines.values() if not ledger.investigated(line.code)]
    services = [line.code for line in unseen if line.system != "ICD-10-CM"]
    pairs = min(left, len(services) // 2)
    ledger.paired.update(services[: 2 * pairs])
    rest = [line.code for line in unseen if line.code not in ledger.paired]
    ledger.queried += rest[: left - pairs]
