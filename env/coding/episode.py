"""One coding case being played."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from casegen.env.errors import EpisodeClosedError, EpisodeOverError
from casegen.schemas.coding_play import (
    CodingAction,
    CodingObservation,
    CodingState,
    RewardBreakdown,
)
from casegen.schemas.pack import Task

from .acts import carry_out
from .draft import Ledger
from .metrics import metrics
from .profiles import PROFILES


class CodingEpisode:
    """An episode of the Medical Coding Assistant: ``start``, then ``step`` until ``done``."""

    def __init__(self, task: Task, episode_id: str) -> None:
        self.task = task
        self.id = episode_id
        self.done = False
        self.score: float | None = None
        self._profile = PROFILES[task.profile]
        self._ledger = Ledger(task)
        self._breakdown = RewardBreakdown()
        self._open = self._begun = False
        self._metrics: dict[str, Any] | None = None

    def start(self) -> CodingObservation:
        """Begin, and see the case."""
        if self._begun:
            self._ledger = Ledger(self.task)
            self._breakdown = RewardBreakdown()
        self._begun = True
        self.done, self.score, self._metrics, self._open = False, None, None, True
        return self._observe(None)

    def step(self, action: CodingAction) -> CodingObservation:
        """Carry out one act.

        Raises InputError, before the step counts, where ``action`` is no action at all;
        EpisodeOverError after the end; EpisodeClosedError on an episode that is not open.
        """
        if not self._open:
            raise EpisodeClosedError(f"episode {self.id} is not open; reset begins a new one")
        if self.done:
            raise EpisodeOverError(f"episode {self.id} is over; reset begins a new one")
        ledger, profile = self._ledger, self._profile
        event = carry_out(ledger, action)
        ledger.steps += 1
        ledger.invalid += event.invalid
        # Where it is not told before the end, it is not needed before.
        score = profile.score(ledger) if profile.LIVE or ledger.over else 0.0
        self._breakdown = profile.reward(ledger, event, score)
        ledger.rewards.append(self._breakdown.total)
        ledger.best = max(ledger.best, score)
        error = event.error
        if ledger.over:
            self.done, self.score = True, score
            self._metrics = metrics(ledger)
        if ledger.timed_out:
            told = "the steps are used up; the draft is graded as it stands"
            error = told if error is None else f"{error}; {told}"
        return self._observe(error)

    @property
    def state(self) -> CodingState:
        """Where the episode stands."""
        ledger, task = self._ledger, self.task
        return CodingState(
            self.id,
            ledger.steps,
            task.id,
            task.case.difficulty,
            task.profile,
            task.pack,
            task.case.max_steps,
            ledger.draft.primary,
            list(ledger.draft.secondary),
            ledger.draft.needs_review,
            ledger.hints,
            ledger.repeated,
            self._best(),
            sum(ledger.rewards),
            self.score,
            self.done,
        )

    @property
    def info(self) -> dict[str, Any]:
        """What the metadata of an observation tell under ``info``."""
        ledger = self._ledger
        told = self._told()
        return {
            "task_id": self.task.id,
            "difficulty": ledger.case.difficulty,
            "hints_remaining": len(ledger.case.hints) - ledger.hints,
            "grader_score": self.score,
            "reward_breakdown": None if told is None else asdict(told),
        }

    def close(self) -> None:
        """End the episode, whether or not it is over. Steps raise from then on."""
        self._open = False

    @property
    def _live(self) -> bool:
        return self._profile.LIVE or self.done

    def _best(self) -> float | None:
        """The best score so far; where scores are not told until the end, that of the end."""
        if not self._live:
            return None
        return self._ledger.best if self._profile.LIVE else self.score

    def _told(self) -> RewardBreakdown | None:
        return self._breakdown if self._live else None

    def _observe(self, error: str | None) -> CodingObservation:
        ledger, told = self._ledger, self._told()
        case, draft = ledger.case, ledger.draft
        return CodingObservation(
            self.task.id,
            case.difficulty,
            case.objective,
            case.note,
            list(ledger.titles),
            ledger.titles.copy(),
            case.max_steps,
            case.max_steps - ledger.steps,
            case.hints[: ledger.hints],
            draft.primary,
            list(draft.secondary),
            draft.needs_review,
            self._best(),
            self._profile.feedback(ledger) if self._live else None,
            None if told is None else _copied(told),
            ledger.steps,
            error,
            self.score,
            None if self._metrics is None else dict(self._metrics),
            self._breakdown.total,
            self.done,
        )


def _copied(told: RewardBreakdown) -> RewardBreakdown:
    """The same parts anew: a caller may keep and change what it gets."""
    return RewardBreakdown(
        told.score_delta,
        told.hint_penalty,
        told.invalid_code_penalty,
        told.loop_penalty,
        told.timeout_penalty,
        told.total,
    )
