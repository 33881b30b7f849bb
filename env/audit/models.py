"""The act, observation and state of an audit as OpenEnv models.

They hold the fields of ``casegen.schemas.play``, described for those who read ``/schema``.
"""

from __future__ import annotations

from typing import Annotated, Any, get_args

from openenv.core.env_server.types import Action, Observation, State
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from casegen.schemas.case import Difficulty, ErrorType
from casegen.schemas.play import ActionType, Profile

from .acts import MOST_REPORTED

LONGEST_CODE = 64
LONGEST_TEXT = 2_000
SUGGESTED = "a code, or the line's own with the modifier that it lacks (45380-59)"

Code = Annotated[str, Field(max_length=LONGEST_CODE)]
Words = Annotated[str, Field(max_length=LONGEST_TEXT)]
# An unknown error type is no broken message: the engine tells the agent so, and the step counts.
ErrorTypeText = Annotated[
    str,
    Field(
        max_length=LONGEST_CODE,
        json_schema_extra={"examples": list(get_args(ErrorType))},
    ),
]


class ReportedErrorModel(BaseModel):
    """One error of a report."""

    model_config = ConfigDict(extra="forbid")

    code: Code = Field(description="A code on the claim.")
    error_type: ErrorTypeText = Field(description="The type of its error.")
    justification: Words = Field(default="", description="Why it is an error.")
    suggested_code: Code | None = Field(
        default=None, description=f"What should stand there: {SUGGESTED}."
    )
    related_code: Code | None = Field(default=None, description="The other member of a pair.")


class MedicalCodingAction(Action):
    """One act of an auditor. Which fields it needs depends on ``action_type``."""

    model_config = ConfigDict(allow_inf_nan=False)

    action_type: ActionType = Field(
        description="query_guideline (code), check_ncci_edits (code1, code2), flag_error (code, "
        "error_type, justification), ask_clarifying_question (question), extract_evidence "
        "(evidence_text), submit_audit, or submit_report (report)."
    )
    code: Code | None = Field(
        default=None, description="The code to look up or to flag, as it stands on the claim."
    )
    code1: Code | None = Field(default=None, description="The first service code of a pair.")
    code2: Code | None = Field(default=None, description="The second service code of a pair.")
    error_type: ErrorTypeText | None = Field(
        default=None, description="The type of the error that is flagged."
    )
    justification: Words | None = Field(default=None, description="Why the code is an error.")
    suggested_code: Code | None = Field(
        default=None,
        description=f"What should stand there: {SUGGESTED}; optional, and earns nothing.",
    )
    related_code: Code | None = Field(
        default=None, description="The other member of a pair; optional, and earns nothing."
    )
    question: Words | None = Field(
        default=None, description="A question to the physician about what the note leaves open."
    )
    evidence_text: Words | None = Field(
        default=None, description="Words of the note, exactly as they stand there."
    )
    report: list[ReportedErrorModel] | None = Field(
        default=None, max_length=MOST_REPORTED, description="A whole report, in one act."
    )


class MedicalCodingObservation(Observation):
    """What an auditor sees after reset and after each step."""

    model_config = ConfigDict(allow_inf_nan=False)

    task_id: str = Field(description="The task; its id tells nothing of the answer.")
    difficulty: Difficulty = Field(description="easy, medium, hard or expert.")
    patient_demographics: dict[str, Any] = Field(
        description="age, sex, mrn, insurance; age_days below one year."
    )
    encounter: dict[str, Any] = Field(
        description="setting, claim_type, service_date, admission_date, kind."
    )
    clinical_note: str = Field(description="The note that documents the encounter.")
    proposed_codes: dict[str, dict[str, str]] = Field(
        description="The codes to audit, each with description and code_type."
    )
    claim_lines: list[dict[str, Any]] = Field(
        description="The same claim by line: line, code, code_type, modifiers, units, date."
    )
    max_steps: int = Field(ge=1, description="Steps after which the draft is graded.")
    draft_report: list[dict[str, Any]] = Field(
        default_factory=list,
        description="Errors flagged so far: code, error_type, justification, step, "
        "suggested_code, related_code.",
    )
    tool_result: str = Field(default="", description="What the last act brought.")
    step_count: int = Field(default=0, ge=0, description="Steps taken.")
    codes_queried: list[str] = Field(default_factory=list, description="Codes looked up.")
    pairs_checked: list[str] = Field(
        default_factory=list, description="Pairs looked up, as code1|code2."
    )
    clarifications_asked: list[str] = Field(
        default_factory=list, description="Questions put to the physician."
    )
    extracted_evidence: list[str] = Field(
        default_factory=list, description="Words of the note kept as evidence."
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


class MedicalCodingState(State):
    """Where an episode stands, without anything that an observation does not tell."""

    task_id: str | None = Field(default=None, description="The task; None before a reset.")
    difficulty: Difficulty | None = Field(default=None, description="Its difficulty.")
    profile: Profile | None = Field(default=None, description="How it is rewarded.")
    pack: str | None = Field(default=None, description="The pack that it comes from.")
    max_steps: int = Field(default=0, ge=0, description="Steps after which the draft is graded.")
    done: bool = Field(default=False, description="Whether the episode is over.")
    codes_queried: list[str] = Field(default_factory=list, description="Codes looked up.")
    pairs_checked: list[str] = Field(default_factory=list, description="Pairs looked up.")
    flags: int = Field(default=0, ge=0, description="Errors in the draft.")
    total_reward: FiniteFloat = Field(default=0.0, description="The sum of rewards so far.")
    grader_score: FiniteFloat | None = Field(
        default=None, description="The score, once the episode is done."
    )
