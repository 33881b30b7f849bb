"""What a file of rx cases is made of: tasks, kinds, answers, drugs, authorities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from casegen.schemas import RxCase


@dataclass(slots=True)
class Stats:
    """Counts over rx cases. ``codes`` holds those of the conditions that the records list."""

    findings: int = 0
    decoys: int = 0
    safe: int = 0
    entries: int = 0
    task: Counter[str] = field(default_factory=Counter)
    recommendation: Counter[str] = field(default_factory=Counter)
    problem: Counter[str] = field(default_factory=Counter)
    decoy: Counter[str] = field(default_factory=Counter)
    severity: Counter[str] = field(default_factory=Counter)
    authority: Counter[str] = field(default_factory=Counter)
    chapter: Counter[str] = field(default_factory=Counter)
    codes: set[str] = field(default_factory=set)
    drugs: set[str] = field(default_factory=set)

    def add(self, case: RxCase, chapter_of: Callable[[str], str]) -> None:
        """Count one case."""
        self.findings += len(case.findings)
        self.decoys += len(case.decoys)
        self.safe += not case.findings
        self.entries += len(case.allergies) + len(case.medications) + len(case.conditions_listed)
        self.task[case.task] += 1
        self.recommendation[case.recommendation] += 1
        self.drugs.add(case.prescription.drug.casefold())
        for finding in case.findings:
            self.problem[finding.problem] += 1
            self.severity[finding.severity] += 1
            self.authority.update(one.source for one in finding.authority)
        self.decoy.update(decoy.kind for decoy in case.decoys)
        for fact in case.record:
            if fact.kind == "condition":
                self.codes.add(fact.term)
                self.chapter[chapter_of(fact.term)] += 1

    def numbers(self) -> dict[str, int]:
        """How many there are of each thing."""
        return {
            "findings": self.findings,
            "decoys": self.decoys,
            "safe": self.safe,
            "entries": self.entries,
            "distinct_drug_names": len(self.drugs),
        }

    def rows(self, cases: int) -> Sequence[tuple[str, str]]:
        """The same for a person."""
        return (
            ("safe prescriptions", f"{self.safe} ({self.safe / cases:.1%})"),
            ("findings", f"{self.findings} ({self.findings / cases:.2f} a case)"),
            ("decoys", f"{self.decoys} ({self.decoys / cases:.2f} a case)"),
            ("entries of the record", f"{self.entries} ({self.entries / cases:.1f} a case)"),
            ("distinct names of drugs", f"{len(self.drugs)}"),
        )

    def counts(self) -> Mapping[str, Counter[str]]:
        """How often each thing of a kind stands there."""
        names = ("task", "recommendation", "problem", "decoy", "severity", "authority", "chapter")
        return {name: getattr(self, name) for name in names}

    def titles(self) -> Mapping[str, tuple[str, bool]]:
        """The kinds as a person reads them."""
        return {
            "task": ("Tasks", False),
            "recommendation": ("Recommendations", False),
            "problem": ("Findings by problem", False),
            "decoy": ("Decoys by kind", False),
            "severity": ("Findings by severity", False),
            "authority": ("Authorities of findings", False),
            "chapter": ("ICD-10-CM chapter of conditions", True),
        }
