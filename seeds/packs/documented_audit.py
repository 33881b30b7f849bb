"""Documented tasks of the audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from casegen.schemas import (
    Authority,
    ClaimLine,
    Correction,
    Decoy,
    Encounter,
    Fact,
    Finding,
    Patient,
    Question,
    TableError,
)
from casegen.schemas.case import Difficulty

from .quoted import Quoted


@dataclass(frozen=True, slots=True)
class DocumentedAudit:
    """One documented task: all of its case but what the tables and the generator add.

    ``own_rules`` and ``reference_note`` are those of ``casegen.schemas.pack.Task``.
    """

    id: str
    difficulty: Difficulty
    max_steps: int
    patient: Patient
    encounter: Encounter
    note_style: str
    note: str
    record: list[Fact]
    own_rules: dict[str, str]
    reference_note: str
    claim: list[ClaimLine]
    questions: list[Question]
    findings: list[Finding]
    decoys: list[Decoy]


def audit_task(task: Mapping[str, Any]) -> DocumentedAudit:
    """The task that YAML holds. Raises KeyError, TypeError or TableError."""
    return _Task(task).read()


class _Task(Quoted):
    """Reads one task."""

    def read(self) -> DocumentedAudit:
        task = self.task
        self.lines = {line["code"]: number for number, line in enumerate(task["claim"], 1)}
        return DocumentedAudit(
            **self.common(),
            claim=[
                ClaimLine(number, line["code"], line["system"], line["description"], [], 1)
                for number, line in enumerate(task["claim"], 1)
            ],
            questions=[Question(**question) for question in task["questions"]],
            findings=[self._finding(finding) for finding in task["findings"]],
            decoys=[self._decoy(decoy) for decoy in task["decoys"]],
        )

    def _finding(self, finding: Mapping[str, Any]) -> Finding:
        code, related = finding["code"], finding.get("related_code")
        mend = finding["correction"]
        return Finding(
            error_type=finding["error_type"],
            kind=finding["kind"],
            line=self._line(code),
            code=code,
            related_code=related,
            accepted_codes=[code] if related is None else [code, related],
            accepted_error_types=[finding["error_type"]],
            correction=Correction(
                mend["action"], self._line(mend["code"]), mend["code"], mend.get("replacement")
            ),
            evidence=self.spans(finding["evidence"]),
            questions=list(finding.get("questions", ())),
            key_terms=list(finding["key_terms"]),
            explanation=finding["explanation"],
            authority=Authority(**finding["authority"]),
        )

    def _decoy(self, decoy: Mapping[str, Any]) -> Decoy:
        return Decoy(
            error_type=decoy["error_type"],
            kind=decoy["kind"],
            line=self._line(decoy["code"]),
            code=decoy["code"],
            related_code=decoy.get("related_code"),
            evidence=self.spans(decoy["evidence"]),
            questions=[],
            reason=decoy["reason"],
            authority=Authority(**decoy["authority"]),
        )

    def _line(self, code: str) -> int:
        if code not in self.lines:
            raise TableError(f"{self.id}: {code} is not on the claim")
        return self.lines[code]
