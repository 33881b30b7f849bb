"""What a file of audits is made of: errors, decoys, authorities, codes of claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from casegen.schemas import Case


@dataclass(slots=True)
class Stats:
    """Counts over audits."""

    clean: int = 0
    ambiguous: int = 0
    findings: int = 0
    lines: int = 0
    error_type: Counter[str] = field(default_factory=Counter)
    kind: Counter[str] = field(default_factory=Counter)
    decoy: Counter[str] = field(default_factory=Counter)
    authority: Counter[str] = field(default_factory=Counter)
    chapter: Counter[str] = field(default_factory=Counter)
    codes: set[str] = field(default_factory=set)

    def add(self, case: Case, chapter_of: Callable[[str], str]) -> None:
        """Count one case."""
        self.clean += not case.findings
        self.ambiguous += bool(case.questions)
        self.findings += len(case.findings)
        self.lines += len(case.claim)
        for finding in case.findings:
            self.error_type[finding.error_type] += 1
            self.kind[f"{finding.error_type}: {finding.kind}"] += 1
            self.authority[finding.authority.source] += 1
        for decoy in case.decoys:
            self.decoy[f"{decoy.error_type}: {decoy.kind}"] += 1
        for line in case.claim:
            self.codes.add(line.code)
            if line.system == "ICD-10-CM":
                self.chapter[chapter_of(line.code)] += 1

    def numbers(self) -> dict[str, int]:
        """How many there are of each thing."""
        return {
            "clean": self.clean,
            "ambiguous": self.ambiguous,
            "findings": self.findings,
            "claim_lines": self.lines,
        }

    def rows(self, cases: int) -> Sequence[tuple[str, str]]:
        """The same for a person."""
        return (
            ("clean", f"{self.clean} ({self.clean / cases:.1%})"),
            ("with a question", f"{self.ambiguous} ({self.ambiguous / cases:.1%})"),
            ("findings", f"{self.findings} ({self.findings / cases:.2f} a case)"),
            ("claim lines", f"{self.lines} ({self.lines / cases:.1f} a case)"),
        )

    def counts(self) -> Mapping[str, Counter[str]]:
        """How often each thing of a kind stands there."""
        names = ("error_type", "kind", "decoy", "authority", "chapter")
        return {name: getattr(self, name) for name in names}

    def titles(self) -> Mapping[str, tuple[str, bool]]:
        """The kinds as a person reads them."""
        return {
            "error_type": ("Error type of findings", False),
            "kind": ("Kind of finding", False),
            "authority": ("Authority of findings", False),
            "decoy": ("Decoys", False),
            "chapter": ("ICD-10-CM chapter of claim lines", True),
        }
