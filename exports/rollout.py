"""Any agent plays a task, and the episode is recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, asdict, fields, is_dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any

from casegen.env.agents import MODEL_PREFIX, TRIES, agent_maker
from casegen.env.families import family
from casegen.env.family import AgentMaker, Family
from casegen.schemas import InputError
from casegen.schemas.anycase import AnyCase
from casegen.schemas.pack import Task
from casegen.schemas.serial import content_hash
from casegen.schemas.trajectory import Trajectory, TrajectoryStep
from casegen.seeds.collector import paused


def rollout(task: Task, agent_name: str, seed: int) -> Trajectory:
    """The episode of an agent on a task, from its start until it is done.

    ``seed`` is for agents that draw. Acts that are none (InputError) are told to the agent and
    leave no step; after three acts for each step of the episode it is left as it stands, with
    the score 0. Raises InputError for an agent that is not known.
    """
    if agent_name.startswith(MODEL_PREFIX):
        return _rollout(task, agent_name, seed)
    # An episode makes thousands of objects and no cycle, so that the collector would look
    # through them in vain.
    with paused():
        return _rollout(task, agent_name, seed)


def _rollout(task: Task, agent_name: str, seed: int) -> Trajectory:
    played = family(task.family)
    agent = _maker(task.family, agent_name)(task, seed)
    episode = played.episode(task, f"rollout/{agent_name}")
    observation = episode.start()
    steps: list[TrajectoryStep] = []
    before = played.plain(observation)
    shown: Any = type(observation)
    changing = _changing(shown)
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
                    _mistake(played, task, agent, act, before),
                )
            )
            before = after
    finally:
        episode.close()
    return _trajectory(task, agent_name, seed, steps, observation)


def plain_action(act: Any) -> dict[str, Any]:
    """The fields that an agent gave, as plain JSON values; those left as they begin are none."""
    given: dict[str, Any] = {}
    kind: Any = type(act)
    names, left, values_of = _fields(kind)
    for name, default, value in zip(names, left, values_of(act), strict=True):
        if value is None or value == default:
            continue
        given[name] = [_entry(item) for item in value] if isinstance(value, list) else value
    return given


def _entry(item: Any) -> Any:
    if not is_dataclass(item) or isinstance(item, type):
        return item
    return {name: value for name, value in asdict(item).items() if value is not None}


@lru_cache(maxsize=32)
def _fields(kind: Any) -> tuple[tuple[str, ...], tuple[Any, ...], Callable[[Any], tuple[Any, ...]]]:
    """The fields of a kind of acts, what each begins as, and what gets their values (of two or
    more)."""
    names = tuple(field.name for field in fields(kind))
    return names, tuple(field.default for field in fields(kind)), attrgetter(*names)


@lru_cache(maxsize=32)
def _changing(kind: Any) -> tuple[str, ...]:
    """The fields of an observation that acts change: those that begin with a default. What an
    episode is about is given, and stays."""
    return tuple(field.name for field in fields(kind) if _begins(field))


def _begins(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


@lru_cache(maxsize=32)
def _maker(family_name: str, agent_name: str) -> AgentMaker:
    """Made once for all episodes: a model keeps its connection."""
    played: Family = family(family_name)
    return agent_maker(played, agent_name)


def _mistake(played: Family, task: Task, agent: Any, act: Any, seen: dict[str, Any]) -> str | None:
    """The label of an act that is wrong on purpose, unless it happens to be right."""
    label: str | None = getattr(agent, "mistake", None)
    return None if label is None else played.lessons().mistake(task.case, label, act, seen)


class _Hashes:
    """The hash of the last case: several agents play one after another on the same."""

    def __init__(self) -> None:
        self._case: AnyCase | None = None
        self._hash = ""

    def of(self, case: AnyCase) -> str:
        if case is not self._case:
            self._case, self._hash = case, content_hash(case)
        return self._hash


_hashes = _Hashes()


def _trajectory(
    task: Task, agent: str, seed: int, steps: list[TrajectoryStep], last: Any
) -> Trajectory:
    case = task.case
    ended = bool(steps) and _ends(task.family, steps[-1].action)
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


def _ends(family_name: str, action: dict[str, Any]) -> bool:
    """Whether an act is one that ends an episode."""
    from .messages import prompt_of

    prompt = prompt_of(family_name)
    return prompt.name_of(action) in prompt.enders()


def replay(trajectory: Trajectory, task: Task) -> tuple[list[float], float]:
    """Play the actions of a trajectory again: its rewards and its score.

    Raises InputError where ``task`` is not the one that was played.
    """
    if _hashes.of(task.case) != trajectory.content_hash or task.profile != trajectory.profile:
        raise InputError("task", task.id, f"{trajectory.id} was played on another")
    from .replay import play_acts

    return play_acts(task, [step.action for step in trajectory.steps])
