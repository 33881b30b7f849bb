"""Documented tasks of coding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from casegen.schemas import Authority, Encounter, Fact, Patient
from casegen.schemas.case import Difficulty
from casegen.schemas.coding_case import AllowedCode, GoldCode, Review, WrongCode

from .quoted import Quoted


@dataclass(frozen=True, slots=True)
class DocumentedCoding:
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
    objective: str
    allowed: list[AllowedCode]
    hints: list[str]
    primary: GoldCode
    secondary: list[GoldCode]
    review: Review | None
    wrong: list[WrongCode]
    kinds: list[str]


def coding_task(task: Mapping[str, Any]) -> DocumentedCoding:
    """The task that YAML holds. Raises KeyError, TypeError or TableError."""
    return _Task(task).read()


class _Task(Quoted):
    """Reads one task."""

    def read(self) -> DocumentedCoding:
        task = self.task
        return DocumentedCoding(
            **self.common(),
            objective=task["objective"],
            allowed=[AllowedCode(code, title) for code, title in task["allowed"].items()],
            hints=list(task["hints"]),
            primary=self._gold(task["primary"]),
            secondary=[self._gold(code) for code in task["secondary"]],
            review=None if task["review"] is None else Review(**self._told(task["review"])),
            wrong=[WrongCode(**{"gold": None, **self._told(code)}) for code in task["wrong"]],
            kinds=list(task["kinds"]),
        )

    def _gold(self, code: Mapping[str, Any]) -> GoldCode:
        return GoldCode(**{"equivalents": [], "alternates": [], **self._told(code)})

    def _told(self, about: Mapping[str, Any]) -> dict[str, Any]:
        """The fields with the authority as one and the words of the evidence found."""
        return {
            **about,
            "authority": Authority(**about["authority"]),
            "evidence": self.spans(about["evidence"]),
        }
