"""Reads documented tasks from YAML: facts and texts by hand, places in the note by search.

A span of the note is written as its words, which must stand in the note exactly once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
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
    Span,
    TableError,
)
from casegen.schemas.case import Difficulty
from casegen.seeds import data


@dataclass(frozen=True, slots=True)
class Documented:
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
    claim: list[ClaimLine]
    record: list[Fact]
    questions: list[Question]
    findings: list[Finding]
    decoys: list[Decoy]
    own_rules: dict[str, str]
    reference_note: str


@dataclass(frozen=True, slots=True)
class Documents:
    """A file of documented tasks: the head of their pack, and the tasks in order."""

    name: str
    version: str
    family: str
    profile: str
    about: str
    sha256: str
    tasks: list[Documented]


def read_documents(path: Path) -> Documents:
    """The documented tasks of a YAML file. Raises TableError where a part is missing or words
    of the note are not found just once."""
    try:
        content = data.parse(path.read_bytes(), path.name)
        head = {name: content[name] for name in Documents.__dataclass_fields__ if name != "tasks"}
        return Documents(**head, tasks=[_Task(task).read() for task in content["tasks"]])
    except (KeyError, TypeError) as error:
        raise TableError(f"{path.name}: no pack of documented tasks: {error!r}") from None


class _Task:
    """Reads one task."""

    def __init__(self, task: Mapping[str, Any]) -> None:
        self.task = task
        self.id: str = task["id"]
        self.note: str = task["note"]
        self.lines = {line["code"]: number for number, line in enumerate(task["claim"], 1)}

    def read(self) -> Documented:
        task = self.task
        return Documented(
            id=self.id,
            difficulty=task["difficulty"],
            max_steps=task["max_steps"],
            patient=Patient(**task["patient"]),
            encounter=Encounter(**{"admission_date": None, **task["encounter"]}),
            note_style=task["note_style"],
            note=self.note,
            claim=[
                ClaimLine(number, line["code"], line["system"], line["description"], [], 1)
                for number, line in enumerate(task["claim"], 1)
            ],
            record=[self._fact(fact) for fact in task["record"]],
            questions=[Question(**question) for question in task["questions"]],
            findings=[self._finding(finding) for finding in task["findings"]],
            decoys=[self._decoy(decoy) for decoy in task["decoys"]],
            own_rules=dict(task["own_rules"]),
            reference_note=task["reference_note"],
        )

    def _fact(self, fact: Mapping[str, Any]) -> Fact:
        return Fact(
            fact["id"],
            fact["kind"],
            fact["term"],
            fact.get("status", "active"),
            dict(fact.get("attributes", {})),
            list(fact.get("about", ())),
            self._spans(fact["says"]),
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
            evidence=self._spans(finding["evidence"]),
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
            evidence=self._spans(decoy["evidence"]),
            questions=[],
            reason=decoy["reason"],
            authority=Authority(**decoy["authority"]),
        )

    def _line(self, code: str) -> int:
        if code not in self.lines:
            raise TableError(f"{self.id}: {code} is not on the claim")
        return self.lines[code]

    def _spans(self, texts: Sequence[str]) -> list[Span]:
        spans = []
        for text in texts:
            start = self.note.find(text)
            if start < 0 or self.note.find(text, start + 1) >= 0:
                raise TableError(f"{self.id}: the note must hold {text!r} just once")
            spans.append(Span(start, start + len(text), text))
        return spans
