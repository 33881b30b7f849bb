"""One rx case being played."""

from __future__ import annotations

from typing import Any

from casegen.env.errors import EpisodeClosedError, EpisodeOverError
from casegen.schemas.pack import Task
from casegen.schemas.rx_play import RxAction, RxObservation, RxState

from .acts import carry_out
from .case import age_of, lines
from .grading import outcome
from .ledger import Ledger
from .metrics import metrics
from .profiles import PROFILES


class RxEpisode:
    """An episode of RxSafe: ``start``, then ``step`` until ``done``."""

    def __init__(self, task: Task, episode_id: str) -> None:
        self.task = task
        self.id = episode_id
        self.done = False
        self.score: float | None = None
        self._profile = PROFILES[task.profile]
        self._ledger = Ledger(task)
        self._age = age_of(self._ledger.case)
        self._metrics: dict[str, Any] | None = None
        self._open = False

    def start(self) -> RxObservation:
        """Begin, and see the prescription."""
        self._ledger = Ledger(self.task)
        self.done, self.score, self._metrics, self._open = False, None, None, True
        return self._observe(None, 0.0)

    def step(self, action: RxAction) -> RxObservation:
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
        score = profile.score(ledger) if ledger.over else 0.0
        ledger.rewards.append(profile.reward(ledger, event, score))
        error = event.error
        if ledger.over:
            self.done, self.score = True, score
            self._metrics = metrics(ledger)
        if ledger.timed_out:
            told = "the steps are used up; nothing was submitted"
            error = told if error is None else f"{error}; {told}"
        return self._observe(error, ledger.rewards[-1])

    @property
    def state(self) -> RxState:
        """Where the episode stands."""
        ledger, task, case = self._ledger, self.task, self._ledger.case
        return RxState(
            episode_id=self.id,
            step_count=ledger.steps,
            task_id=task.id,
            task=case.task,
            difficulty=case.difficulty,
            profile=task.profile,
            pack=task.pack,
            max_steps=case.max_steps,
            total_reward=round(sum(ledger.rewards), 9),
            grader_score=self.score,
            done=self.done,
            info_requested=list(ledger.read),
        )

    def close(self) -> None:
        """End the episode, whether or not it is over. Steps raise from then on."""
        self._open = False

    def _observe(self, error: str | None, reward: float) -> RxObservation:
        ledger = self._ledger
        case, written = ledger.case, ledger.case.prescription
        years, months = self._age
        shown = {source: lines(case, source) for source in ledger.read}
        seen = RxObservation(
            prescription_id=written.id,
            task=case.task,
            task_id=self.task.id,
            difficulty=case.difficulty,
            patient_name=case.patient.name,
            patient_age=years,
            patient_age_months=months,
            patient_sex=case.patient.sex,
            drug_name=written.drug,
            drug_dose=written.dose,
            drug_frequency=written.frequency,
            drug_route=written.route,
            drug_form=written.form,
            indication=written.indication,
            new_prescription=written.starting,
            max_steps=case.max_steps,
            steps_remaining=case.max_steps - ledger.steps,
            step_count=ledger.steps,
            known_allergies=shown.get("allergies"),
            current_medications=shown.get("medications"),
            medical_conditions=shown.get("conditions"),
            last_action_error=error,
            grader_score=self.score,
            episode_metrics=None if self._metrics is None else dict(self._metrics),
            reward=reward,
            done=self.done,
        )
        if self.done:
            seen.feedback = self._profile.feedback(ledger)
            seen.score_breakdown = self._profile.breakdown(ledger)
            found, missed = outcome(case, ledger.judged)
            seen.issues_found_correctly, seen.issues_missed = found, missed
        return seen
