"""Reads the parts of a documented task that all families have: facts, and places in the note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from casegen.schemas import Fact, Span, TableError


class Reader:
    """Reads one task. A span of the note is written as its words, which must stand there exactly
    once."""

    def __init__(self, task: Mapping[str, Any]) -> None:
        self.task = task
        self.id: str = task["id"]
        self.note: str = task["note"]

    def record(self) -> list[Fact]:
        """The facts that the note states."""
        return [self._fact(fact) for fact in self.task["record"]]

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

    def spans(self, texts: Sequence[str]) -> list[Span]:
        """Where words stand in the note. Raises TableError."""
        spans = []
        for text in texts:
            start = self.note.find(text)
            if start < 0 or self.note.find(text, start + 1) >= 0:
                raise TableError(f"{self.id}: the note must hold {text!r} just once")
            spans.append(Span(start, start + len(text), text))
        return spans
