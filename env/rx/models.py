"""The act, observation and state of rx as OpenEnv models.

They hold the fields of ``casegen.schemas.rx_play``, described for those who read ``/schema``.
"""

from __future__ import annotations

from typing import Annotated, Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import ConfigDict, Field, FiniteFloat

from casegen.schemas.case import Difficulty
from casegen.schemas.play import Profile
from casegen.schemas.rx_case import RxTask

from .acts import LONGEST_NAME, LONGEST_REASON, LONGEST_WORD, MOST_NAMES

Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Names = Annotated[list[Name], Field(max_length=MOST_NAMES)]
Word = Annotated[str, Field(max_length=LONGEST_WORD)]


class RxSafeAction(Action):
    """One act: a look into the record, or the answer, which ends the episode."""

    model_config = ConfigDict(allow_inf_nan=False)

    action_type: Word = Field(description="request_info or submit.")
    info_requested: Word | None = Field(
        default=None, description="allergies, medications, conditions or full_profile (all three)."
    )
    dosage_safe: bool | None = Field(
        default=None, strict=True, description="Whether the dose is within safe limits."
    )
    interactions_found: Names | None = Field(
        default=None, description='Drug pairs, such as ["warfarin-aspirin"].'
    )
    allergy_conflicts: Names | None = Field(
        default=None, description='Such as ["penicillin-amoxicillin"].'
    )
    contraindications_found: Names | None = Field(
        default=None, description='Such as ["kidney_disease-metformin"].'
    )
    recommendation: Word | None = Field(default=None, description="approve, modify or reject.")
    reasoning: Annotated[str, Field(max_length=LONGEST_REASON)] | None = Field(
        default=None, description="Why; it is not graded."
    )


class RxSafeObservation(Observation):
    """What a pharmacist sees after reset and after each step."""

    model_config = ConfigDict(allow_inf_nan=False)

    prescription_id: str = Field(description="The number of the prescription.")
    task: RxTask = Field(description="dosage_check, interaction_check or full_validation.")
    task_id: str = Field(description="The case; its id tells nothing of the answer.")
    difficulty: Difficulty = Field(description="easy, medium, hard or expert.")
    patient_name: str = Field(description="The patient.")
    patient_age: int = Field(ge=0, description="Age in completed years.")
    patient_age_months: int | None = Field(
        default=None, description="Age in completed months, of children below two years."
    )
    patient_sex: str = Field(description="female or male.")
    drug_name: str = Field(description="The prescribed drug, as written.")
    drug_dose: str = Field(description="The dose, as written.")
    drug_frequency: str = Field(description="How often, as written.")
    drug_route: str = Field(default="", description="By which way, where it is written.")
    drug_form: str = Field(default="", description="The form, where it is written.")
    indication: str = Field(default="", description="What it is for, where it is written.")
    new_prescription: bool = Field(default=True, description="Whether the drug is begun with it.")
    max_steps: int = Field(ge=1, description="Steps of the episode.")
    steps_remaining: int = Field(default=0, ge=0, description="Steps left.")
    step_count: int = Field(default=0, ge=0, description="Steps taken.")
    known_allergies: list[str] | None = Field(
        default=None, description="Allergies and intolerances, once they are asked for."
    )
    current_medications: list[str] | None = Field(
        default=None, description="The list of medications, once it is asked for."
    )
    medical_conditions: list[str] | None = Field(
        default=None, description="Conditions, measures and weight, once they are asked for."
    )
    feedback: str | None = Field(default=None, description="The grade in words, at the end.")
    score_breakdown: dict[str, FiniteFloat] | None = Field(
        default=None, description="The grade by parts, at the end."
    )
    issues_found_correctly: list[str] | None = Field(
        default=None, description="What was found, told at the end."
    )
    issues_missed: list[str] | None = Field(
        default=None, description="What was missed, told at the end."
    )
    last_action_error: str | None = Field(
        default=None, description="Why the last act could not be carried out."
    )
    grader_score: FiniteFloat | None = Field(
        default=None, description="The score from 0 to 1, once the episode is done."
    )
    episode_metrics: dict[str, Any] | None = Field(
        default=None, description="Statistics of the trajectory, once the episode is done."
    )
    reward: FiniteFloat | None = Field(default=0.0, description="The reward of the last act.")
    done: bool = Field(default=False, description="Whether the episode is over.")


class RxSafeState(State):
    """Where an episode stands, without anything that an observation does not tell."""

    task_id: str | None = Field(default=None, description="The case; None before a reset.")
    task: RxTask | None = Field(default=None, description="What is to be looked for.")
    difficulty: Difficulty | None = Field(default=None, description="Its difficulty.")
    profile: Profile | None = Field(default=None, description="How it is rewarded.")
    pack: str | None = Field(default=None, description="The pack that it comes from.")
    max_steps: int = Field(default=0, ge=0, description="Steps of the episode.")
    info_requested: list[str] = Field(
        default_factory=list, description="The parts of the record that were shown."
    )
    total_reward: FiniteFloat = Field(default=0.0, description="The sum of rewards so far.")
    grader_score: FiniteFloat | None = Field(
        default=None, description="The score, once the episode is done."
    )
    done: bool = Field(default=False, description="Whether the episode is over.")
