"""Acts played again: those of a trajectory, and those that messages hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from casegen.env.families import family
from casegen.env.openai_agent import first_object
from casegen.schemas.pack import Task

from .messages import prompt_of
from .spelled import last_act

Message = Mapping[str, Any]


def play_acts(task: Task, acts: Iterable[Mapping[str, Any]]) -> tuple[list[float], float]:
    """The rewards of acts on a task, and the score: 0 for an episode that they don't end.

    Raises InputError for an act that is none.
    """
    played = family(task.family)
    episode = played.episode(task, "replay")
    seen = episode.start()
    rewards: list[float] = []
    try:
        for act in acts:
            seen = episode.step(played.action(act))
            rewards.append(seen.reward)
    finally:
        episode.close()
    return rewards, seen.grader_score if seen.done else 0.0


def acts_of(messages: Sequence[Message], family_name: str = "audit") -> Iterator[dict[str, Any]]:
    """The acts in the turns of an assistant, as calls of tools or written in the text.

    Raises InputError for a call of what is no act, where the family's actions would not tell it.
    """
    for message in messages:
        if message.get("role") != "assistant":
            continue
        calls = message.get("tool_calls") or ()
        for call in calls if isinstance(calls, list | tuple) else (calls,):
            yield named_act(*_called(call), family_name)
        if not calls and (act := act_in(text_of(message.get("content")), family_name)) is not None:
            yield act


def _called(call: object) -> tuple[str, Mapping[str, Any] | str]:
    """Name and arguments of a call; the name is empty, and so no act's, where it has none."""
    told = call.get("function", call) if isinstance(call, Mapping) else None
    if not isinstance(told, Mapping) or not isinstance(told.get("name"), str):
        return "", {}
    given = told.get("arguments")
    return told["name"], given if isinstance(given, str | Mapping) else {}


def text_of(content: object) -> str:
    """The text of a message: its content, or the texts among the parts of it."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return ""
    parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
    return "".join(part for part in parts if isinstance(part, str))


def named_act(
    name: str, arguments: Mapping[str, Any] | str, family_name: str = "audit"
) -> dict[str, Any]:
    """The act of a call. ``arguments`` may be JSON in a string, as some endpoints have it."""
    given = _parsed(arguments) if isinstance(arguments, str) else arguments
    kept = {key: value for key, value in given.items() if value is not None}
    return prompt_of(family_name).action_of(name, kept)


def _parsed(arguments: str) -> Mapping[str, Any]:
    """The object in a string of arguments; endpoints put other things around it."""
    try:
        value = orjson.loads(arguments or "{}")
    except orjson.JSONDecodeError:
        value = first_object(arguments)
    return value if isinstance(value, dict) else {}


def act_in(text: str, family_name: str = "audit") -> dict[str, Any] | None:
    """The last act that a text spells as JSON, outside of ``<think>``; None where there is none."""
    data = last_act(text, family_name)
    if data is None:
        return None
    if isinstance(data.get("action"), dict):
        data = data["action"]
    arguments = data.get("arguments", data.get("parameters"))
    if isinstance(data.get("name"), str) and isinstance(arguments, dict):
        return named_act(data["name"], arguments, family_name)
    return {key: value for key, value in data.items() if value is not None}
