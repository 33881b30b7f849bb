"""Episodes as messages of the chat protocol, as trainers take them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any

import orjson

from casegen.env.families import FAMILIES
from casegen.env.prompt import Prompt
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

Message = dict[str, Any]
_EPISODES = 32


@lru_cache(maxsize=8)
def prompt_of(family_name: str) -> Prompt:
    """What a language model is told of a family."""
    made: Prompt = import_module(f"{FAMILIES[family_name]}.prompt").prompt()
    return made


@lru_cache(maxsize=8)
def tools_of(family_name: str) -> list[dict[str, Any]]:
    """The acts as tools. Not to be changed: they are shared."""
    return prompt_of(family_name).tools()


def opening(family_name: str, observation: dict[str, Any]) -> list[Message]:
    """The system message, and the first observation as the user's. They are shared by the
    agents of a case, and not to be changed."""
    return _first.of(family_name, observation)


def first_messages(family_name: str, seen: Any) -> list[Message]:
    """The same of an observation that is not plain."""
    return [
        {"role": "system", "content": _system(family_name, seen.max_steps)},
        {"role": "user", "content": prompt_of(family_name).first(seen)},
    ]


class _First:
    """The opening of the last episode: that of the next is often of the same case."""

    def __init__(self) -> None:
        self._shown: tuple[str, dict[str, Any]] | None = None
        self._told: list[Message] = []

    def of(self, family_name: str, observation: dict[str, Any]) -> list[Message]:
        """The opening that shows an observation."""
        if self._shown != (family_name, observation):
            self._told = first_messages(family_name, _Seen(observation, observation))
            self._shown = family_name, observation
        return self._told


_first = _First()


@lru_cache(maxsize=256)
def _system(family_name: str, steps: int) -> str:
    return prompt_of(family_name).system.format(steps=steps)


def turn(family_name: str, step: TrajectoryStep) -> Message:
    """The assistant's turn: its reason, and the act as one call of a tool."""
    name, arguments = prompt_of(family_name).call_of(step.action)
    function = {"name": name, "arguments": arguments}
    return {
        "role": "assistant",
        "content": step.rationale or "",
        "tool_calls": [{"type": "function", "function": function}],
    }


def result_text(family_name: str, step: TrajectoryStep) -> str:
    """What came of the act, as the tool tells it."""
    return prompt_of(family_name).result(_Seen(step.observation, step.result))


class _Seen:
    """An observation by its plain fields: those that an act changed, and for all others those
    before it. Nothing is copied."""

    __slots__ = ("__dict__", "_before")

    def __init__(self, before: dict[str, Any], changed: dict[str, Any]) -> None:
        self._before = before
        self.__dict__ = changed

    def __getattr__(self, name: str) -> Any:
        return self._before[name]


def turn_of(trajectory: Trajectory, at: int) -> Message:
    """The assistant's turn of a step, as the history holds it: shared, and not to be changed."""
    return _history.of(trajectory).messages[2 + 2 * at]


def messages(trajectory: Trajectory, upto: int | None = None) -> list[Message]:
    """The episode from its beginning, ``upto`` so many steps with their results (all, and no
    result of the last, without it). The messages are shared, and not to be changed."""
    told = _history.of(trajectory).messages
    return told[:-1] if upto is None else told[: 2 + 2 * upto]


class _Told:
    """What is told of an episode: how it begins, what came of each act, and, made when they are
    first asked for, its messages with the result of the last step."""

    def __init__(self, trajectory: Trajectory) -> None:
        result, steps = prompt_of(trajectory.family).result, trajectory.steps
        # The episode is kept, too, so that no other is taken for it.
        self.trajectory = trajectory
        self.opening = opening(trajectory.family, steps[0].observation)
        self.results = [result(_Seen(step.observation, step.result)) for step in steps]

    @cached_property
    def messages(self) -> list[Message]:
        """The opening, and of each step the turn and its result."""
        family_name, told = self.trajectory.family, self.opening[:]
        for step, content in zip(self.trajectory.steps, self.results, strict=True):
            said = turn(family_name, step)
            name = said["tool_calls"][0]["function"]["name"]
            told += (said, {"role": "tool", "name": name, "content": content})
        return told


class _History:
    """The last episodes: several rows and configurations are made of each."""

    def __init__(self) -> None:
        self._kept: dict[int, _Told] = {}

    def of(self, trajectory: Trajectory) -> _Told:
        """What is told of an episode."""
        kept = self._kept.get(id(trajectory))
        if kept is not None:
            return kept
        if len(self._kept) == _EPISODES:
            self._kept.clear()
        told = self._kept[id(trajectory)] = _Told(trajectory)
        return told


_history = _History()


# --- for trainers without tools


def text_messages(trajectory: Trajectory) -> list[Message]:
    """The episode as messages with roles and text alone: acts are JSON in a fence, results the
    user's turns, without that of the last."""
    episode = _history.of(trajectory)
    system, first = episode.opening
    content = _with_acts(trajectory.family, system["content"])
    told = [{"role": "system", "content": content}, first]
    for step, result in zip(trajectory.steps, episode.results, strict=True):
        act = f"```json\n{orjson.dumps(step.action).decode()}\n```"
        said = f"{step.rationale}\n\n{act}" if step.rationale else act
        told.append({"role": "assistant", "content": said})
        told.append({"role": "user", "content": result})
    return told[:-1]


@lru_cache(maxsize=256)
def _with_acts(family_name: str, system: str) -> str:
    return f"{system}\n\n{acts_text(family_name)}"


@lru_cache(maxsize=8)
def acts_text(family_name: str) -> str:
    """The acts for a model without tools that also gives its reason."""
    acts = prompt_of(family_name).as_text().partition("\n")[2]
    head = "Say why in a sentence or two, then give one act as a JSON object in a fence. The acts:"
    return f"{head}\n{acts}"
