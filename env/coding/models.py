"""The act, observation and state of coding as OpenEnv models.

They hold the fields of ``casegen.schemas.coding_play``, described for those who read ``/schema``.
"""

from __future__ import annotations

from typing import Annotated, Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from casegen.schemas.case import Difficulty
from casegen.schemas.play import Profile

from .acts import LONGEST_CODE, MOST_CODES

Code = Annotated[str, Field(max_length=LONGEST_CODE)]


class MedicalCodingAction(Action):
    """One act of a coder: a new draft, a hint asked for, the end, or several of these."""

    model_config = ConfigDict(allow_inf_nan=False)

    primary_code: Code | None = Field(
        default=None,
        description="The primary ICD-10-CM code, one of the allowed; without it the draft's stays.",
    )
    secondary_codes: list[Code] | None = Field(
        default=None,
        max_length=MOST_CODES,
        description="All secondary codes, of the allowed; an empty list clears those of the "
        "draft, without a list they stay.",
    )
    needs_review: bool | None = Field(
        default=None,
        strict=True,
        description="Whether a human coder has to look at the chart; without it the flag stays.",
    )
    request_hint: bool = Field(
        default=False, strict=True, description="Reveal the next hint, at a cost."
    )
    finalize: bool = Field(
        default=False, strict=True, description="End the episode and score the draft."
    )


class RewardBreakdown(BaseModel):
    """What the reward of a step is made of."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    score_delta: FiniteFloat = Field(default=0.0, description="What the score gained.")
    hint_penalty: FiniteFloat = Field(default=0.0, description="For a hint asked for.")
    invalid_code_penalty: FiniteFloat = Field(
        default=0.0, description="For codes outside of the allowed set."
    )
    loop_penalty: FiniteFloat = Field(default=0.0, description="For a draft that stood before.")
    timeout_penalty: FiniteFloat = Field(default=0.0, description="For steps that ran out.")
    total: FiniteFloat = Field(default=0.0, description="Their sum, the reward of the step.")


class MedicalCodingObservation(Observation):
    """What a coder sees after reset and after each step."""

    model_config = ConfigDict(allow_inf_nan=False)

    task_id: str = Field(description="The task; its id tells nothing of the answer.")
    difficulty: Difficulty = Field(description="easy, medium, hard or expert.")
    objective: str = Field(description="What is to be coded.")
    encounter_text: str = Field(
        description="A line on setting, date and patient, and the excerpt of the chart."
    )
    allowed_codes: list[str] = Field(description="The closed set of codes to choose from.")
    code_titles: dict[str, str] = Field(description="The official title of each allowed code.")
    max_steps: int = Field(ge=1, description="Steps after which the draft is graded.")
    attempts_remaining: int = Field(default=0, ge=0, description="Steps left.")
    revealed_hints: list[str] = Field(default_factory=list, description="Hints shown so far.")
    current_primary_code: str = Field(default="", description="The draft's primary code.")
    current_secondary_codes: list[str] = Field(
        default_factory=list, description="The draft's secondary codes."
    )
    current_needs_review: bool = Field(default=False, description="The draft's review flag.")
    progress_score: FiniteFloat | None = Field(
        default=None,
        description="The best score reached so far; under profile strict told at the end.",
    )
    grader_feedback: list[str] | None = Field(
        default=None, description="The grade in words; under profile strict told at the end."
    )
    reward_breakdown: RewardBreakdown | None = Field(
        default=None,
        description="What the last reward was made of; under profile strict told at the end.",
    )
    step_count: int = Field(default=0, ge=0, description="Steps taken.")
    last_action_error: str | None = Field(
        default=None, description="Why a part of the last act could not be carried out."
    )
    grader_score: FiniteFloat | None = Field(
        default=None, description="The score from 0 to 1, once the episode is done."
    )
    episode_metrics: dict[str, Any] | None = Field(
        default=None, description="Statistics of the trajectory, once the episode is done."
    )
    reward: FiniteFloat | None = Field(default=0.0, description="The reward of the last act.")
    done: bool = Field(default=False, description="Whether the episode is over.")


class MedicalCodingState(State):
    """Where an episode stands, without anything that an observation does not tell."""

    task_id: str | None = Field(default=None, description="The task; None before a reset.")
    difficulty: Difficulty | None = Field(default=None, description="Its difficulty.")
    profile: Profile | None = Field(default=None, description="How it is rewarded.")
    pack: str | None = Field(default=None, description="The pack that it comes from.")
    max_steps: int = Field(default=0, ge=0, description="Steps after which the draft is graded.")
    current_primary_code: str = Field(default="", description="The draft's primary code.")
    current_secondary_codes: list[str] = Field(
        default_factory=list, description="The draft's secondary codes."
    )
    current_needs_review: bool = Field(default=False, description="The draft's review flag.")
    hints_used: int = Field(default=0, ge=0, description="Hints shown so far.")
    repeated_actions: int = Field(default=0, ge=0, description="Drafts that stood before.")
    best_score: FiniteFloat | None = Field(
        default=None,
        description="The best score reached so far; under profile strict told at the end.",
    )
    total_reward: FiniteFloat = Field(default=0.0, description="The sum of rewards so far.")
    grader_score: FiniteFloat | None = Field(
        default=None, description="The score, once the episode is done."
    )
    done: bool = Field(default=False, description="Whether the episode is over.")
