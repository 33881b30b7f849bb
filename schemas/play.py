"""The models of an audit episode: what an agent does, and what it sees.

Plain dataclasses, like the case. Every value of an observation is JSON; the dictionaries hold
what their comment says and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from .case import STRICT, Difficulty

ActionType = Literal[
    "query_guideline",
    "check_ncci_edits",
    "flag_error",
    "ask_clarifying_question",
    "extract_evidence",
    "submit_audit",
    "submit_report",
]
Profile = Literal["seed", "strict"]


@dataclass(slots=True)
class ReportedError:
    """One error of a report: a code on the claim and the type of its error.

    ``suggested_code`` (what should stand there: a code, or the code of the line with the modifier
    that it lacks, ``45380-59``) and ``related_code`` (the other member of a pair) are optional;
    they earn nothing and are reported in the metrics.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    code: str
    error_type: str
    justification: str = ""
    suggested_code: str | None = None
    related_code: str | None = None


@dataclass(slots=True)
class AuditAction:
    """One act of an agent.

    Fields by ``action_type``: ``query_guideline`` takes ``code``; ``check_ncci_edits`` takes
    ``code1`` and ``code2``; ``flag_error`` takes ``code``, ``error_type``, ``justification``
    and, if the agent likes, ``suggested_code`` and ``related_code``;
    ``ask_clarifying_question`` takes ``question``; ``extract_evidence`` takes
    ``evidence_text``; ``submit_audit`` takes nothing and hands in the draft;
    ``submit_report`` takes ``report``, a whole report in one step. An act whose field is
    missing or can't be used is told so in ``last_action_error`` and costs its step.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    action_type: ActionType
    code: str | None = None
    code1: str | None = None
    code2: str | None = None
    error_type: str | None = None
    justification: str | None = None
    suggested_code: str | None = None
    related_code: str | None = None
    question: str | None = None
    evidence_text: str | None = None
    report: list[ReportedError] | None = None


@dataclass(slots=True)
class AuditObservation:
    """What an agent sees after ``reset`` and after each step.

    ``proposed_codes`` maps each code to ``{description, code_type}``; ``claim_lines`` holds the
    same claim by line: ``{line, code, code_type, modifiers, units, date}``.
    ``draft_report`` holds ``{code, error_type, justification, step, suggested_code,
    related_code}``. ``pairs_checked`` holds ``code1|code2``. ``reward`` is that of the last
    act. ``grader_score`` and ``episode_metrics`` are None until the episode is done.
    """

    task_id: str
    difficulty: Difficulty
    patient_demographics: dict[str, Any]  # age, sex, MRN, insurance; age_days below one year
    encounter: dict[str, Any]  # setting, claim_type, service_date, admission_date, kind
    clinical_note: str
    proposed_codes: dict[str, dict[str, str]]
    claim_lines: list[dict[str, Any]]
    max_steps: int
    draft_report: list[dict[str, Any]] = field(default_factory=list)
    tool_result: str = ""
    step_count: int = 0
    codes_queried: list[str] = field(default_factory=list)
    pairs_checked: list[str] = field(default_factory=list)
    clarifications_asked: list[str] = field(default_factory=list)
    extracted_evidence: list[str] = field(default_factory=list)
    last_action_error: str | None = None
    grader_score: float | None = None
    episode_metrics: dict[str, Any] | None = None
    reward: float = 0.0
    done: bool = False


@dataclass(slots=True)
class AuditState:
    """Where an episode stands, without anything that an observation does not tell."""

    episode_id: str
    step_count: int
    task_id: str
    difficulty: Difficulty
    profile: Profile
    pack: str | None
    max_steps: int
    done: bool
    codes_queried: list[str]
    pairs_checked: list[str]
    flags: int
    total_reward: float
    grader_score: float | None
