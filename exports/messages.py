"""Episodes as messages of the chat protocol, as trainers take them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import orjson

from casegen.env.families import FAMILIES
from casegen.env.prompt import Prompt
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

Message = dict[str, Any]


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
    """The system message, and the first observation as the user's."""
    prompt = prompt_of(family_name)
    seen = SimpleNamespace(**observation)
    return [
        {"role": "system", "content": prompt.system.format(steps=seen.max_steps)},
        {"role": "user", "content": prompt.first(seen)},
    ]


def turn(family_name: str, step: TrajectoryStep) -> Message:
    """The assistant's turn: its reason, and the act as one call of a tool."""
    return call(family_name, step.action, step.rationale or "")


def call(family_name: str, action: dict[str, Any], why: str) -> Message:
    """A turn that calls one tool."""
    name, arguments = prompt_of(family_name).call_of(action)
    function = {"name": name, "arguments": arguments}
    return {
        "role": "assistant",
        "content": why,
        "tool_calls": [{"type": "function", "function": function}],
    }


def result(family_name: str, step: TrajectoryStep) -> Message:
    """What came of the act, as the tool's message."""
    return {
        "role": "tool",
        "name": prompt_of(family_name).call_of(step.action)[0],
        "content": result_text(family_name, step),
    }


def result_text(family_name: str, step: TrajectoryStep) -> str:
    """What came of the act, as text."""
    seen = SimpleNamespace(**{**step.observation, **step.result})
    return prompt_of(family_name).result(seen)


def messages(trajectory: Trajectory, upto: int | None = None) -> list[Message]:
    """The episode from its beginning, ``upto`` so many steps with their results (all, and no
    result of the last, without it)."""
    steps: Sequence[TrajectoryStep] = trajectory.steps
    whole = upto is None
    steps = steps if whole else steps[:upto]
    told = opening(trajectory.family, trajectory.steps[0].observation)
    for at, step in enumerate(steps):
        told.append(turn(trajectory.family, step))
        if not whole or at < len(steps) - 1:
            told.append(result(trajectory.family, step))
    return told


# --- for trainers without tools


def as_text(family_name: str, told: Sequence[Message]) -> list[Message]:
    """Messages with roles and text alone: acts are JSON in a fence, results the user's turns."""
    texts: list[Message] = []
    for message in told:
        content = message["content"]
        if message["role"] == "system":
            content = f"{content}\n\n{acts_text(family_name)}"
        for one in message.get("tool_calls", ()):
            content = f"{content}\n\n{act_text(family_name, one['function'])}".strip()
        role = "user" if message["role"] == "tool" else message["role"]
        texts.append({"role": role, "content": content})
    return texts


@lru_cache(maxsize=8)
def acts_text(family_name: str) -> str:
    """The acts for a model without tools that also gives its reason."""
    acts = prompt_of(family_name).as_text().partition("\n")[2]
    head = "Say why in a sentence or two, then give one act as a JSON object in a fence. The acts:"
    return f"{head}\n{acts}"


def act_text(family_name: str, function: dict[str, Any]) -> str:
    """An act as JSON in a fence."""
    act = prompt_of(family_name).action_of(function["name"], function["arguments"])
    return f"```json\n{orjson.dumps(act).decode()}\n```"
