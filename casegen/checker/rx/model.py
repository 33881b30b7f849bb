"""What the checker of prescriptions says, and what its rules hand each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from casegen.schemas.rx_case import (
    Component,
    DecoyKind,
    Prescription,
    Problem,
    Recommendation,
    RxAuthority,
    RxSeverity,
)
from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.model import Authority, Drug
from casegen.seeds.rx.recommending import asks_for

from .patient import Patient
from .written import Dose, Frequency


@dataclass(slots=True)
class Verdict:
    """One thing wrong: the fields of ``RxFinding``, ``evidence`` as ids of facts."""

    component: Component
    problem: Problem
    pair: list[str]
    names: list[str]
    severity: RxSeverity
    asks: Literal["modify", "reject"]
    effect: str
    management: str
    reason: str
    authority: list[RxAuthority]
    disputed: str
    evidence: list[str]


@dataclass(slots=True)
class Watch:
    """What looks wrong and is not: the fields of ``RxDecoy``. ``also`` is the recommendation that
    is as right, where authorities differ ("" where they do not)."""

    kind: DecoyKind
    component: Component
    pair: list[str]
    names: list[str]
    tolerated: bool
    reason: str
    authority: list[RxAuthority]
    evidence: list[str]
    also: Recommendation | Literal[""] = ""


@dataclass(slots=True)
class Open:
    """What could not be judged: ``about`` in a few words, and why. ``decides``: without it nothing
    certain can be said; else it only might change what is said."""

    component: Component
    about: str
    reason: str
    decides: bool = True


@dataclass(slots=True)
class Report:
    """All that is found. ``dosage_safe`` is false where a finding is on the dose."""

    findings: list[Verdict]
    watches: list[Watch]
    open: list[Open]
    dosage_safe: bool
    recommendation: Recommendation
    also_accepted: list[Recommendation]
    rationale: str


@dataclass(slots=True)
class Work:
    """A prescription under judgement. ``dose`` and ``frequency`` are None where what stands
    there could not be read; ``also`` holds recommendations that are as right; ``begun_told``:
    whether it is told that the prescription is new or goes on."""

    rx: Rx
    written: Prescription
    drug: Drug
    route: str
    form: str
    dose: Dose | None
    frequency: Frequency | None
    patient: Patient
    findings: list[Verdict] = field(default_factory=list)
    watches: list[Watch] = field(default_factory=list)
    open: list[Open] = field(default_factory=list)
    also: list[Recommendation] = field(default_factory=list)
    begun_told: bool = True

    def leave(self, component: Component, about: str, reason: str, decides: bool = True) -> None:
        """Note what can't be judged, once."""
        one = Open(component, about, reason, decides)
        if one not in self.open:
            self.open.append(one)

    def dose_finding(
        self,
        problem: Problem,
        severity: RxSeverity,
        effect: str,
        management: str,
        reason: str,
        authority: Iterable[Authority],
        evidence: Iterable[str] = (),
        disputed: str = "",
    ) -> None:
        """Add what is wrong with the dose."""
        self.findings.append(
            Verdict(
                "dose", problem, [self.drug.id], [], severity, asks_for("dose", problem), effect,
                management, reason, cite(authority), disputed, known(evidence),
            )
        )  # fmt: skip


def cite(authority: Iterable[Authority]) -> list[RxAuthority]:
    """Authorities as findings hold them, each once."""
    found: list[RxAuthority] = []
    for one in authority:
        made = RxAuthority(one.source, one.reference, one.section)
        if made not in found:
            found.append(made)
    return found


def known(evidence: Iterable[str]) -> list[str]:
    """The ids of facts, each once."""
    return list(dict.fromkeys(one for one in evidence if one))
