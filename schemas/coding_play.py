"""The models of a coding episode: what an agent does, and what it sees.

Plain dataclasses, like the case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from .case import STRICT, Difficulty
from .play import Profile


@dataclass(slots=True)
class CodingAction:
    """One act: a new draft, a hint asked for, or the end.

    ``primary_code`` empty, ``secondary_codes`` and ``needs_review`` None leave that part of the
    draft as it stands; an empty list clears the secondary codes. A draft that names a code
    outside the allowed set is refused whole, and costs its step. ``request_hint`` reveals the
    next hint; ``finalize`` ends the episode with the draft as it then stands.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    primary_code: str = ""
    secondary_codes: list[str] | None = None
    needs_review: bool | None = None
    request_hint: bool = False
    finalize: bool = False


@dataclass(slots=True)
class RewardBreakdown:
    """What the reward of a step is made of; ``total`` is their sum."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    score_delta: float = 0.0
    hint_penalty: float = 0.0
    invalid_code_penalty: float = 0.0
    loop_penalty: float = 0.0
    timeout_penalty: float = 0.0
    total: float = 0.0


@dataclass(slots=True)
class CodingObservation:
    """What an agent sees after ``reset`` and after each step.

    ``code_titles`` holds the official title of each allowed code. Under profile ``strict``
    ``progress_score``, ``grader_feedback`` and ``reward_breakdown`` are None until the episode
    is done. ``grader_score`` and ``episode_metrics`` are None until then under either profile.
    """

    task_id: str
    difficulty: Difficulty
    objective: str
    encounter_text: str
    allowed_codes: list[str]
    code_titles: dict[str, str]
    max_steps: int
    attempts_remaining: int = 0
    revealed_hints: list[str] = field(default_factory=list)
    current_primary_code: str = ""
    current_secondary_codes: list[str] = field(default_factory=list)
    current_needs_review: bool = False
    progress_score: float | None = None
    grader_feedback: list[str] | None = None
    reward_breakdown: RewardBreakdown | None = None
    step_count: int = 0
    last_action_error: str | None = None
    grader_score: float | None = None
    episode_metrics: dict[str, Any] | None = None
    reward: float = 0.0
    done: bool = False


@dataclass(slots=True)
class CodingState:
    """Where an episode stands. ``best_score`` and ``grader_score`` are None where an observation
    would not tell them."""

    episode_id: str
    step_count: int
    task_id: str
    difficulty: Difficulty
    profile: Profile
    pack: str | None
    max_steps: int
    current_primary_code: str
    current_secondary_codes: list[str]
    current_needs_review: bool
    hints_used: int
    repeated_actions: int
    best_score: float | None
    total_reward: float
    grader_score: float | None
    done: bool
