"""The models of a coding case: a chart excerpt, the codes to choose from, and what is true.

Like those of ``case``: standard dataclasses with slots. What stands there of notes, facts, spans
and dates holds here too.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

from .case import (
    STRICT,
    Authority,
    Count,
    Difficulty,
    Encounter,
    Fact,
    Patient,
    Positive,
    Span,
    Split,
    TablesRef,
    Text,
)

WrongKind = Literal[
    "less_specific",
    "wrong_side",
    "wrong_stage",
    "wrong_phase",
    "wrong_type",
    "integral_symptom",
    "ruled_out",
    "uncertain",
    "history",
    "part_of_combination",
    "excludes1",
    "not_documented",
]
ReviewKind = Literal[
    "open_side", "conflict_side", "open_workup", "conflict_diagnosis", "treatment_unclear"
]


@dataclass(slots=True)
class AllowedCode:
    """One code of the closed set, with its official title."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    code: Text
    title: Text


@dataclass(slots=True)
class GoldCode:
    """One code of the right answer.

    ``reason`` says in a sentence why it is assigned, ``authority`` which guideline section or
    tabular note asks for it; ``evidence`` holds the spans of the facts on which it rests.
    ``equivalents`` are as right as the code itself, ``alternates`` are accepted for half: valid,
    true of the patient, and less specific than the record. Both stand in the allowed set.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    code: Text
    reason: Text
    authority: Authority
    evidence: list[Span]
    equivalents: list[str]
    alternates: list[str]


@dataclass(slots=True)
class WrongCode:
    """A code of the allowed set that is not to be assigned, and why.

    ``gold`` is the code of the answer that it stands near to, if to one. ``evidence`` holds the
    spans that show it to be wrong; it is empty where the record merely does not state it.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    code: Text
    kind: WrongKind
    gold: str | None
    reason: Text
    authority: Authority
    evidence: list[Span]


@dataclass(slots=True)
class Review:
    """What the record leaves open, so that a person has to look at it before the claim goes."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    kind: ReviewKind
    reason: Text
    authority: Authority
    evidence: list[Span]


@dataclass(slots=True)
class CodingCase:
    """One coding case: what an agent sees, and what is true.

    ``note`` begins with a line that names setting, date and patient. ``allowed`` is sorted by
    code. ``hints`` narrow without naming a code, the broadest first. ``secondary`` stands in the
    order of a claim. ``review`` is given exactly where ``needs_review`` is true. ``kinds`` names
    the rules in play (``uncertain``, ``linked``, ``drug`` and so on).
    The other fields are those of ``Case``.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Text
    family: Text
    version: Text
    split: Split
    seed: Count
    index: Count
    options: dict[str, str]
    tables: TablesRef
    difficulty: Difficulty
    max_steps: Positive
    patient: Patient
    encounter: Encounter
    note_style: Text
    note: Text
    objective: Text
    allowed: list[AllowedCode]
    hints: list[str]
    record: list[Fact]
    primary: GoldCode
    secondary: list[GoldCode]
    needs_review: bool
    review: Review | None
    wrong: list[WrongCode]
    kinds: list[str]
    conditions: list[str]
    structural_key: Text
    redraws: list[str]

    def gold(self) -> list[GoldCode]:
        """The codes of the answer, the primary first."""
        return [self.primary, *self.secondary]

    def public(self) -> dict[str, Any]:
        """What an agent may see: encounter, note, objective, allowed codes and the step limit."""
        return {
            "max_steps": self.max_steps,
            "encounter": asdict(self.encounter),
            "note": self.note,
            "objective": self.objective,
            "allowed": [asdict(one) for one in self.allowed],
        }
