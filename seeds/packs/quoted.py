"""What is read alike of every documented task.

A span of the note is written as its words, which must stand in the note exactly once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from casegen.schemas import Encounter, Fact, Patient, Span, TableError


class Quoted:
    """A documented task as YAML holds it, with its words found in the note."""

    def __init__(self, task: Mapping[str, Any]) -> None:
        self.task = task
        self.id: str = task["id"]
        self.note: str = task["note"]

    def common(self) -> dict[str, Any]:
        """The fields that tasks of all families have, by name."""
        task = self.task
        return {
            "id": self.id,
            "difficulty": task["difficulty"],
            "max_steps": task["max_steps"],
            "patient": Patient(**task["patient"]),
            "encounter": Encounter(**{"admission_date": None, **task["encounter"]}),
            "note_style": task["note_style"],
            "note": self.note,
            "record": [self._fact(fact) for fact in task["record"]],
            "own_rules": dict(task["own_rules"]),
            "reference_note": task["reference_note"],
        }

    def spans(self, texts: Sequence[str]) -> list[Span]:
        """The places of these words. Raises TableError."""
        spans = []
        for text in texts:
            start = self.note.find(text)
            if start < 0 or self.note.find(text, start + 1) >= 0:
                raise TableError(f"{self.id}: the note must hold {text!r} just once")
            spans.append(Span(start, start + len(text), text))
        return spans

    def _fact(self, fact: Mapping[str, Any]) -> Fact:
        return Fact(
            fact["id"],
            fact["kind"],
            fact["term"],
            fact.get("status", "active"),
            dict(fact.get("attributes", {})),
            list(fact.get("about", ())),
            self.spans(fact["says"]),
        )
