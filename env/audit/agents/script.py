"""Scripted agents of the audit, and the acts that they yield."""

from __future__ import annotations

from collections.abc import Callable

from casegen.env.writing.script import Move, Script, each
from casegen.env.writing.script import Scripted as _Scripted
from casegen.schemas.play import AuditAction, AuditObservation

__all__ = [
    "Move", "Script", "Scripted", "ask", "check", "diagnoses", "each", "extract", "flag",
    "looks", "query", "services", "submit",
]  # fmt: skip


class Scripted(_Scripted):
    """Follows a script to its end, then hands in the draft."""

    def __init__(self, script: Callable[[AuditObservation], Script]) -> None:
        super().__init__(script, submit)


def query(code: str) -> AuditAction:
    """Look a code up."""
    return AuditAction("query_guideline", code=code)


def check(code1: str, code2: str) -> AuditAction:
    """Look up the NCCI edit of two codes."""
    return AuditAction("check_ncci_edits", code1=code1, code2=code2)


def ask(question: str) -> AuditAction:
    """Ask the physician."""
    return AuditAction("ask_clarifying_question", question=question)


def extract(text: str) -> AuditAction:
    """Keep a passage of the note."""
    return AuditAction("extract_evidence", evidence_text=text)


def flag(
    code: str,
    error_type: str,
    justification: str,
    suggested: str | None = None,
    related: str | None = None,
) -> AuditAction:
    """Put an error into the draft."""
    return AuditAction(
        "flag_error",
        code=code,
        error_type=error_type,
        justification=justification,
        suggested_code=suggested,
        related_code=related,
    )


def submit() -> AuditAction:
    """Hand in the draft."""
    return AuditAction("submit_audit")


def services(observation: AuditObservation) -> list[str]:
    """The codes that stand on the claim as services, in its order."""
    told = observation.proposed_codes
    return [code for code, facts in told.items() if facts["code_type"] != "ICD-10-CM"]


def diagnoses(observation: AuditObservation) -> list[str]:
    """The codes that stand on the claim as diagnoses, in its order."""
    told = observation.proposed_codes
    return [code for code, facts in told.items() if facts["code_type"] == "ICD-10-CM"]


def unread(observation: AuditObservation) -> list[str]:
    """The codes of the claim that were neither looked up nor checked in a pair, in its order."""
    seen = {code for pair in observation.pairs_checked for code in pair.split("|")}
    seen.update(observation.codes_queried)
    return [code for code in observation.proposed_codes if code not in seen]


def all_looks(observation: AuditObservation) -> list[AuditAction]:
    """Looks at every code of the claim, and the last step to hand in if that leaves one."""
    acts = looks(observation, observation.max_steps - 1)
    looked = sum(1 if act.code is not None else 2 for act in acts)
    if looked < len(observation.proposed_codes):
        return looks(observation, observation.max_steps)
    return acts


def looks(observation: AuditObservation, steps: int) -> list[AuditAction]:
    """Looks at every code of the claim, in as many steps or fewer: each code is queried, and
    where steps are short, services are checked in pairs instead."""
    codes, pairs = list(observation.proposed_codes), services(observation)
    acts = []
    short = len(codes) - steps
    while short > 0 and len(pairs) > 1:
        acts.append(check(pairs.pop(0), pairs.pop(0)))
        short -= 1
    seen = {code for act in acts for code in (act.code1, act.code2)}
    acts += [query(code) for code in codes if code not in seen]
    return acts[:steps]
