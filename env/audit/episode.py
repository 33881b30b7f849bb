"""One audit case being played."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from casegen.env.errors import EpisodeClosedError, EpisodeOverError
from casegen.schemas import Case
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation, AuditState

from .acts import carry_out
from .case import case_of
from .event import INVALID
from .ledger import Ledger
from .metrics import metrics
from .profiles import PROFILES

OPENING = (
    "Audit the proposed codes against the note. Look up codes and pairs, ask the physician, "
    "keep evidence, flag each error, then submit."
)


class AuditEpisode:
    """An episode of the Medical Coding Auditor: ``start``, then ``step`` until ``done``."""

    def __init__(self, task: Task, episode_id: str) -> None:
        self.task = task
        self.id = episode_id
        self.done = False
        self.score: float | None = None
        self._profile = PROFILES[task.profile]
        self._ledger = Ledger(task)
        self._shown = _shown(self._ledger)
        self._open = self._begun = False
        self._metrics: dict[str, Any] | None = None

    def start(self) -> AuditObservation:
        """Begin, and see the case."""
        if self._begun:
            self._ledger = Ledger(self.task)
        self._begun = True
        self.done, self.score, self._metrics, self._open = False, None, None, True
        return self._observe(OPENING, None, 0.0)

    def step(self, action: AuditAction) -> AuditObservation:
        """Carry out one act.

        Raises InputError, before the step counts, where ``action`` is no action at all;
        EpisodeOverError after the end; EpisodeClosedError on an episode that is not open.
        """
        if not self._open:
            raise EpisodeClosedError(f"episode {self.id} is not open; reset begins a new one")
        if self.done:
            raise EpisodeOverError(f"episode {self.id} is over; reset begins a new one")
        ledger, profile = self._ledger, self._profile
        ledger.steps += 1
        try:
            event = carry_out(ledger, action, profile.ONE_FLAG_A_CODE)
        except Exception:
            ledger.steps -= 1
            raise
        if event.verdict in INVALID:
            ledger.invalid += 1
        paid = profile.reward(ledger, event)
        text = event.text
        if ledger.submitted or ledger.steps >= self.task.case.max_steps:
            if not ledger.submitted:
                text = f"{text}\nThe steps are used up; the draft is graded as it stands.".strip()
            self.score = profile.score(ledger)
            paid = profile.last_reward(ledger, paid, self.score)
            self.done = True
        ledger.rewards.append(paid)
        if self.done:
            self._metrics = metrics(ledger)
        return self._observe(text, event.error, paid)

    @property
    def state(self) -> AuditState:
        """Where the episode stands."""
        ledger, task = self._ledger, self.task
        return AuditState(
            self.id,
            ledger.steps,
            task.id,
            task.case.difficulty,
            task.profile,
            task.pack,
            task.case.max_steps,
            self.done,
            list(ledger.queried),
            list(ledger.pairs),
            len(ledger.flags),
            sum(ledger.rewards),
            self.score,
        )

    def close(self) -> None:
        """End the episode, whether or not it is over. Steps raise from then on."""
        self._open = False

    def _observe(self, text: str, error: str | None, paid: float) -> AuditObservation:
        ledger, case = self._ledger, case_of(self.task)
        shown = self._shown
        # A caller may keep and change what it gets, so that all of it is new each time.
        return AuditObservation(
            self.task.id,
            case.difficulty,
            {**shown.patient},
            {**shown.encounter},
            case.note,
            {code: {**told} for code, told in shown.codes.items()},
            [{**line, "modifiers": [*line["modifiers"]]} for line in shown.lines],
            case.max_steps,
            [
                {
                    "code": flag.code,
                    "error_type": flag.error_type,
                    "justification": flag.justification,
                    "step": flag.step,
                    "suggested_code": flag.suggested_code,
                    "related_code": flag.related_code,
                }
                for flag in ledger.flags
            ],
            text,
            ledger.steps,
            list(ledger.queried),
            list(ledger.pairs),
            list(ledger.asked),
            [span.text for span in ledger.evidence],
            error,
            self.score,
            None if self._metrics is None else dict(self._metrics),
            paid,
            self.done,
        )


class _Shown(NamedTuple):
    """What is seen of a case from the start to the end. Not to be changed: it is copied."""

    patient: dict[str, Any]
    encounter: dict[str, Any]
    codes: dict[str, dict[str, str]]
    lines: list[dict[str, Any]]


def _shown(ledger: Ledger) -> _Shown:
    case = ledger.case
    encounter = case.encounter
    return _Shown(
        demographics(case),
        {
            "setting": encounter.setting,
            "claim_type": encounter.claim_type,
            "service_date": encounter.service_date,
            "admission_date": encounter.admission_date,
            "kind": encounter.kind,
        },
        {
            line.code: {"description": line.description, "code_type": line.system}
            for line in ledger.lines.values()
        },
        [
            {
                "line": line.line,
                "code": line.code,
                "code_type": line.system,
                "modifiers": list(line.modifiers),
                "units": line.units,
                "date": encounter.service_date,
            }
            for line in case.claim
        ],
    )


def demographics(case: Case) -> dict[str, Any]:
    """Age on the date of service in whole years (below one year also in days), sex, record
    number and insurance. The name stands in the note where the note names the patient."""
    patient = case.patient
    born = date.fromisoformat(patient.birth_date)
    seen = date.fromisoformat(case.encounter.service_date)
    years = seen.year - born.year - ((seen.month, seen.day) < (born.month, born.day))
    told: dict[str, Any] = {
        "age": years,
        "sex": patient.sex,
        "mrn": patient.mrn,
        "insurance": patient.insurance,
    }
    if years < 1:
        told["age_days"] = (seen - born).days
    return told
