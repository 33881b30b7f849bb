"""The model of a played episode, as it is recorded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from .case import STRICT, Difficulty, Split


@dataclass(slots=True)
class TrajectoryStep:
    """One step. ``observation`` is what the agent saw before it acted, ``result`` what came of
    the act: the fields of the next observation that the act may have changed.

    ``action`` holds the fields that the agent gave and no other. ``rationale`` is a written
    agent's reason in plain words; ``mistake`` labels an act that an agent got wrong on purpose
    (``wrong_member``, ``wrong_type``, ``wrong_phase``, ``invented_code``, ``missed_error``,
    ``false_alarm``, ``repeated_look``, ``needless_question``).
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    observation: dict[str, Any]
    action: dict[str, Any]
    reward: float
    done: bool
    result: dict[str, Any]
    rationale: str | None = None
    mistake: str | None = None


@dataclass(slots=True)
class Trajectory:
    """One episode of one agent. ``terminated``: the agent handed in; ``truncated``: the steps
    ran out, or the agent was stopped. ``score`` is that of the grader."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: str  # <case_id>#<agent>
    family: str
    task_id: str
    case_id: str
    content_hash: str
    split: Split
    difficulty: Difficulty
    profile: str
    pack: str | None
    agent: str
    seed: int
    score: float
    total_reward: float
    terminated: bool
    truncated: bool
    steps: list[TrajectoryStep] = field(default_factory=list)
    metrics: dict[str, Any] = field(default_factory=dict)
