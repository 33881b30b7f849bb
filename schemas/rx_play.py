"""The models of an rx episode: what an agent does, and what it sees.

Plain dataclasses, like the case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from .case import STRICT, Difficulty
from .play import Profile
from .rx_case import RxTask

RxActionType = Literal["request_info", "submit"]


@dataclass(slots=True)
class RxAction:
    """One act: a look into the record, or the answer, which ends the episode.

    ``info_requested`` is allergies, medications, conditions or full_profile (all three). Of the
    answer a field that is None is missing, and wrong.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    action_type: str
    info_requested: str | None = None
    dosage_safe: bool | None = None
    interactions_found: list[str] | None = None
    allergy_conflicts: list[str] | None = None
    contraindications_found: list[str] | None = None
    recommendation: str | None = None
    reasoning: str | None = None


@dataclass(slots=True)
class RxObservation:
    """What an agent sees after ``reset`` and after each step.

    The three lists are None until they are asked for. ``feedback``, ``score_breakdown``,
    ``issues_found_correctly`` and ``issues_missed`` are None until the episode is done.
    ``patient_age`` counts completed years, ``patient_age_months`` completed months of those below
    two years. ``new_prescription`` tells a drug that is begun from one that goes on.
    """

    prescription_id: str
    task: RxTask
    task_id: str
    difficulty: Difficulty
    patient_name: str
    patient_age: int
    patient_age_months: int | None
    patient_sex: str
    drug_name: str
    drug_dose: str
    drug_frequency: str
    drug_route: str
    drug_form: str
    indication: str
    new_prescription: bool
    max_steps: int
    steps_remaining: int = 0
    step_count: int = 0
    known_allergies: list[str] | None = None
    current_medications: list[str] | None = None
    medical_conditions: list[str] | None = None
    feedback: str | None = None
    score_breakdown: dict[str, float] | None = None
    issues_found_correctly: list[str] | None = None
    issues_missed: list[str] | None = None
    last_action_error: str | None = None
    grader_score: float | None = None
    episode_metrics: dict[str, Any] | None = None
    reward: float = 0.0
    done: bool = False


@dataclass(slots=True)
class RxState:
    """Where an episode stands. ``grader_score`` is None until it is done."""

    episode_id: str
    step_count: int
    task_id: str
    task: RxTask
    difficulty: Difficulty
    profile: Profile
    pack: str | None
    max_steps: int
    total_reward: float
    grader_score: float | None
    done: bool
    info_requested: list[str] = field(default_factory=list)
