"""What has happened in an episode so far: the state on which rewards and scores rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from casegen.env.codes import fold
from casegen.schemas.coding_case import CodingCase
from casegen.schemas.pack import Task

from .case import case_of

if TYPE_CHECKING:
    from .grading import Grade


@dataclass(frozen=True, slots=True)
class Draft:
    """The codes that an agent would put on the claim, spelled as the allowed set has them.

    ``secondary`` holds a code as often as it was given.
    """

    primary: str = ""
    secondary: tuple[str, ...] = ()
    needs_review: bool = False

    @property
    def empty(self) -> bool:
        """Whether it names no code, whatever the review flag says."""
        return not self.primary and not self.secondary

    @property
    def codes(self) -> tuple[str, ...]:
        """All codes that it names, the primary first."""
        return (self.primary, *self.secondary) if self.primary else self.secondary

    @property
    def key(self) -> tuple[object, ...]:
        """By what two drafts are the same: the order of secondary codes does not count."""
        return self.primary, tuple(sorted(self.secondary)), self.needs_review


@dataclass(slots=True)
class Ledger:
    """The acts of an episode that count, and the draft as it stands.

    ``hints`` counts the hints that were revealed, ``invalid`` the acts that could not be carried
    out, ``repeated`` those among them that brought a draft again. ``best`` is the best score of a
    draft so far where the profile tells it, ``graded`` the draft that was graded last, with its
    grade.
    """

    task: Task
    codes: dict[str, str] = field(default_factory=dict)  # the allowed ones, by folded code
    titles: dict[str, str] = field(default_factory=dict)  # ... and their titles, by code
    draft: Draft = Draft()
    drafts: set[tuple[object, ...]] = field(default_factory=set)  # keys of those that stood
    rewards: list[float] = field(default_factory=list)
    steps: int = 0
    hints: int = 0
    invalid: int = 0
    repeated: int = 0
    best: float = 0.0
    finalized: bool = False
    graded: tuple[Draft, Grade] | None = None

    def __post_init__(self) -> None:
        self.codes = {fold(one.code): one.code for one in self.case.allowed}
        self.titles = {one.code: one.title for one in self.case.allowed}
        self.drafts = {self.draft.key}

    @property
    def case(self) -> CodingCase:
        """The case that is played."""
        return case_of(self.task)

    @property
    def over(self) -> bool:
        """Whether the draft was finalized, or the steps are used up."""
        return self.finalized or self.steps >= self.case.max_steps

    @property
    def timed_out(self) -> bool:
        """Whether the steps ran out before the draft was finalized."""
        return self.over and not self.finalized

    def code(self, code: str) -> str | None:
        """The allowed code, however it is written; None if there is none."""
        return self.codes.get(fold(code))
