"""What has happened in an episode so far: the state on which rewards and scores rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from casegen.env.codes import fold
from casegen.schemas import Case, ClaimLine, Correction, Finding, Span
from casegen.schemas.pack import Task

from .case import case_of


@dataclass(frozen=True, slots=True)
class Flag:
    """One error of the draft. ``code`` as the claim spells it."""

    code: str
    error_type: str
    justification: str
    step: int
    suggested_code: str | None
    related_code: str | None
    investigated: bool


@dataclass(slots=True)
class Ledger:
    """The acts of an episode that count, in their order.

    ``invalid`` counts the acts that could not be carried out, ``foreign`` the flags among them on
    codes that the claim does not hold, and ``replaced`` the flags that took the place of another
    on their code (only where a profile lets a code carry one).
    """

    task: Task
    lines: dict[str, ClaimLine] = field(default_factory=dict)  # by folded code, the first line
    queried: list[str] = field(default_factory=list)
    pairs: list[str] = field(default_factory=list)
    paired: set[str] = field(default_factory=set)  # codes that stand in a checked pair
    asked: list[str] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    evidence: list[Span] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    steps: int = 0
    invalid: int = 0
    foreign: int = 0
    replaced: int = 0
    submitted: bool = False

    def __post_init__(self) -> None:
        for line in self.case.claim:
            self.lines.setdefault(fold(line.code), line)

    @property
    def case(self) -> Case:
        """The case that is played."""
        return case_of(self.task)

    def line(self, code: str) -> ClaimLine | None:
        """The claim's line with that code, however it is written; None if there is none."""
        return self.lines.get(fold(code))

    def investigated(self, code: str) -> bool:
        """Whether a code of the claim was queried, or checked in a pair."""
        return code in self.queried or code in self.paired

    def share_investigated(self) -> float:
        """The share of the claim's codes that were queried or checked in a pair."""
        codes = [line.code for line in self.lines.values()]
        return sum(map(self.investigated, codes)) / len(codes) if codes else 0.0


def findings_at(case: Case, code: str) -> list[Finding]:
    """The findings that a flag on ``code`` may name; either member names a pair."""
    folded = fold(code)
    return [f for f in case.findings if any(fold(one) == folded for one in f.accepted_codes)]


def mended(correction: Correction) -> str | None:
    """What a correction puts on the claim, as ``suggested_code`` spells it: a code, or the code of
    the line with the modifier that it lacked (``45380-59``); None where the line goes."""
    if correction.action == "add_modifier":
        return f"{correction.code}-{correction.replacement}"
    return correction.replacement


def names(flag: Flag, finding: Finding) -> bool:
    """Whether a flag names that finding: an accepted code, and an accepted type of error."""
    return names_error(finding, flag.code, flag.error_type)


def names_error(finding: Finding, code: str, error_type: str) -> bool:
    """The same by code and type of error."""
    folded = fold(code)
    return error_type in finding.accepted_error_types and any(
        fold(one) == folded for one in finding.accepted_codes
    )


def unnamed(case: Case, draft: Iterable[Mapping[str, Any]]) -> list[Finding]:
    """The findings that no entry of a draft names; the draft as an observation tells it."""
    told = {(fold(entry["code"]), entry["error_type"]) for entry in draft}
    return [
        finding
        for finding in case.findings
        if not any(
            (fold(code), kind) in told
            for code in finding.accepted_codes
            for kind in finding.accepted_error_types
        )
    ]
