"""An agent plays an episode to its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from casegen.schemas import InputError

from .family import Agent, AgentMaker, Episode, Family

# Acts that an agent may try for each step of an episode: refused acts take no step, so that an
# agent which never learns must be stopped by another count.
TRIES = 3
MODEL_PREFIX = "openai:"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an episode.

    ``score`` is 0 for an episode that was never ended (``done`` is False). ``refused`` counts
    the acts that were no acts at all (InputError), which cost no step; ``complaint`` is what the
    last of them was told. ``failure`` says why an episode could not be played on, if it could not.
    """

    score: float
    rewards: tuple[float, ...]
    steps: int
    done: bool
    refused: int = 0
    complaint: str = ""
    metrics: Mapping[str, Any] = field(default_factory=dict)
    failure: str = ""


def play(episode: Episode, agent: Agent, max_acts: int | None = None) -> Outcome:
    """Play ``episode`` from its start until it is done, and close it.

    An act that raises InputError, in the agent or in the episode, counts; the agent is told in
    ``last_action_error`` of the same observation. After ``max_acts`` acts (three for each step
    of the episode unless told otherwise) the episode is left as it stands.
    """
    observation = episode.start()
    most = TRIES * observation.max_steps if max_acts is None else max_acts
    rewards: list[float] = []
    refused, complaint = 0, ""
    try:
        for _ in range(most):
            if observation.done:
                break
            try:
                observation = episode.step(agent.act(observation))
            except InputError as error:
                refused, complaint = refused + 1, str(error)
                observation = replace(observation, last_action_error=complaint)
            else:
                rewards.append(observation.reward)
    finally:
        episode.close()
    return Outcome(
        score=observation.grader_score if observation.done else 0.0,
        rewards=tuple(rewards),
        steps=observation.step_count,
        done=observation.done,
        refused=refused,
        complaint=complaint,
        metrics=observation.episode_metrics or {},
    )


def agent_maker(family: Family, name: str) -> AgentMaker:
    """The maker of the agent of that name, ``openai:MODEL`` for a model behind an
    OpenAI-compatible endpoint. Raises InputError."""
    if name.startswith(MODEL_PREFIX):
        from .openai_agent import model_maker

        return model_maker(family, name.removeprefix(MODEL_PREFIX))
    makers = family.agents()
    if name not in makers:
        raise InputError("--agent", name, f"one of {', '.join(makers)}, {MODEL_PREFIX}MODEL")
    return makers[name]
