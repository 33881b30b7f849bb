"""What has happened in an episode so far: the state on which rewards and scores rest."""

from __future__ import annotations

from dataclasses import dataclass, field

from casegen.schemas.pack import Task
from casegen.schemas.rx_case import RxCase
from casegen.schemas.rx_play import RxAction

from .case import SOURCES, case_of
from .grading import Judged, judge


@dataclass(slots=True)
class Ledger:
    """The acts of an episode that count.

    ``read`` holds the sources that were shown, in the order in which they were asked for;
    ``repeated`` counts the requests that showed nothing new, ``invalid`` the acts that could not
    be carried out. ``answer`` is what was submitted, and ``judged`` what it came to.
    """

    task: Task
    read: list[str] = field(default_factory=list)
    answer: RxAction | None = None
    judged: Judged | None = None
    rewards: list[float] = field(default_factory=list)
    steps: int = 0
    repeated: int = 0
    invalid: int = 0

    def submit(self, answer: RxAction) -> None:
        """Take the answer."""
        self.answer, self.judged = answer, judge(self.case, answer)

    @property
    def case(self) -> RxCase:
        """The case that is played."""
        return case_of(self.task)

    @property
    def share_read(self) -> float:
        """The share of the sources that were shown."""
        return len(self.read) / len(SOURCES)

    @property
    def over(self) -> bool:
        """Whether an answer was submitted, or the steps are used up."""
        return self.answer is not None or self.steps >= self.case.max_steps

    @property
    def timed_out(self) -> bool:
        """Whether the steps ran out before an answer was submitted."""
        return self.over and self.answer is None
