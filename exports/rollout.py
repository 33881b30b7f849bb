"""Any agent plays a task, and the episode is recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, asdict, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from casegen.env.agents import TRIES, agent_maker
from casegen.env.audit.ledger import unnamed
from casegen.env.families import family
from casegen.env.family import AgentMaker, Family
from casegen.schemas import Case, InputError
from casegen.schemas.pack import Task
from casegen.schemas.serial import content_hash
from casegen.schemas.trajectory import Trajectory, TrajectoryStep


def rollout(task: Task, agent_name: str, seed: int) -> Trajectory:
    """The episode of an agent on a task, from its start until it is done.

    ``seed`` is for agents that draw. Acts that are none (InputError) are told to the agent and
    leave no step; after three acts for each step of the episode it is left as it stands, with
    the score 0. Raises InputError for an agent that is not known.
    """
    played = family(task.family)
    agent = _maker(task.family, agent_name)(task, seed)
    episode = played.episode(task, f"rollout/{agent_name}")
    observation = episode.start()
    steps: list[TrajectoryStep] = []
    before = played.plain(observation)
    changing = _changing(observation)
    tries = TRIES * observation.max_steps
    try:
        while not observation.done and tries:
            tries -= 1
            try:
                act = agent.act(observation)
                observation = episode.step(act)
            except InputError as error:
                observation = replace(observation, last_action_error=str(error))
                before = played.plain(observation)
                continue
            after = played.plain(observation)
            steps.append(
                TrajectoryStep(
                    before,
                    plain_action(act),
                    observation.reward,
                    observation.done,
                    {name: after[name] for name in changing},
                    getattr(agent, "why", None),
                    _mistake(task, agent, act, before),
                )
            )
            before = after
    finally:
        episode.close()
    return _trajectory(task, agent_name, seed, steps, observation)


def plain_action(act: Any) -> dict[str, Any]:
    """The fields that an agent gave, as plain JSON values."""
    given: dict[str, Any] = {}
    kind: Any = type(act)
    for name in _names(kind):
        value = getattr(act, name)
        if isinstance(value, list):
            given[name] = [_entry(item) for item in value]
        elif value is not None:
            given[name] = value
    return given


def _entry(item: Any) -> Any:
    if not is_dataclass(item) or isinstance(item, type):
        return item
    return {name: value for name, value in asdict(item).items() if value is not None}


@lru_cache(maxsize=32)
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _changing(observation: Any) -> tuple[str, ...]:
    """The fields of an observation that acts change: those that begin with a default. What an
    episode is about is given, and stays."""
    return tuple(field.name for field in fields(observation) if _begins(field))


def _begins(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


@lru_cache(maxsize=32)
def _maker(family_name: str, agent_name: str) -> AgentMaker:
    """Made once for all episodes: a model keeps its connection."""
    played: Family = family(family_name)
    return agent_maker(played, agent_name)


def _mistake(task: Task, agent: Any, act: Any, seen: Mapping[str, Any]) -> str | None:
    """The label of an act that is wrong on purpose, unless it happens to be right."""
    mistake: str | None = getattr(agent, "mistake", None)
    if mistake is None:
        return None
    case: Any = task.case
    code, kind = getattr(act, "code", None), getattr(act, "error_type", None)
    about = [
        f for f in case.findings if code in f.accepted_codes and kind in f.accepted_error_types
    ]
    if mistake == "missed_error":
        return mistake if unnamed(case, seen["draft_report"]) else None
    if mistake == "wrong_member":
        # Both members name a pair; it is wrong to say that the one to keep is to go.
        return mistake if not any(f.correction.code == code for f in about) else None
    return mistake if not about else None


class _Hashes:
    """The hash of the last case: several agents play one after another on the same."""

    def __init__(self) -> None:
        self._case: Case | None = None
        self._hash = ""

    def of(self, case: Case) -> str:
        if case is not self._case:
            self._case, self._hash = case, content_hash(case)
        return self._hash


_hashes = _Hashes()


def _trajectory(
    task: Task, agent: str, seed: int, steps: list[TrajectoryStep], last: Any
) -> Trajectory:
    case = task.case
    ended = bool(steps) and steps[-1].action["action_type"] in _enders(task.family)
    return Trajectory(
        id=f"{case.id}#{agent}",
        family=task.family,
        task_id=task.id,
        case_id=case.id,
        content_hash=_hashes.of(case),
        split=case.split,
        difficulty=case.difficulty,
        profile=task.profile,
        pack=task.pack,
        agent=agent,
        seed=seed,
        score=last.grader_score if last.done else 0.0,
        total_reward=sum(step.reward for step in steps),
        terminated=last.done and ended,
        truncated=not (last.done and ended),
        steps=steps,
        metrics=dict(last.episode_metrics or {}),
    )


@lru_cache(maxsize=8)
def _enders(family_name: str) -> frozenset[str]:
    """The acts that end an episode."""
    from .messages import prompt_of

    return frozenset(act.name for act in prompt_of(family_name).acts if act.ends)


def replay(trajectory: Trajectory, task: Task) -> tuple[list[float], float]:
    """Play the actions of a trajectory again: its rewards and its score.

    Raises InputError where ``task`` is not the one that was played.
    """
    if _hashes.of(task.case) != trajectory.content_hash or task.profile != trajectory.profile:
        raise InputError("task", task.id, f"{trajectory.id} was played on another")
    from .replay import play_acts

    return play_acts(task, [step.action for step in trajectory.steps])
