"""A language model behind an OpenAI-compatible endpoint as an agent."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from casegen.schemas import InputError
from casegen.schemas.pack import Task

from .families import FAMILIES
from .family import AgentMaker, Family
from .openai_endpoint import Chat, Patience, TimeUpError, endpoint
from .prompt import Prompt

# Answers on end that are no act before the draft is handed in as it stands.
MOST_GARBAGE = 5
# Characters of the turns that a model is shown again; the oldest are left out first. The system
# text and the first observation always stay.
MOST_HISTORY = 60_000
# How much of an answer is looked through for an object, and at how many braces.
_MOST_TEXT, _MOST_TRIES = 100_000, 200
_FENCE = re.compile(r"```[\w-]*\n(.*?)```", re.DOTALL)


# The name of an act, if it was called by one, and what was given with it.
_Given = tuple[str | None, dict[str, Any]]


@dataclass(slots=True)
class _Turn:
    """An answer of the model and what came of it."""

    text: str
    call: dict[str, str] | None  # id, name, arguments
    result: str = ""
    calls: int = 0  # how many the answer held

    def size(self) -> int:
        call = sum(map(len, self.call.values())) if self.call else 0
        return len(self.text) + len(self.result) + call


class ModelAgent:
    """Asks a model once a step.

    It is given the acts as tools; where the endpoint refuses tools, as JSON to write. An answer
    that is no act raises InputError, and the next question says so.
    """

    def __init__(
        self,
        chat: Chat,
        prompt: Prompt,
        action: Callable[[Mapping[str, Any]], Any],
        history: int = MOST_HISTORY,
    ) -> None:
        self._chat = chat
        self._prompt = prompt
        self._action = action
        self._most = history
        self._tools = prompt.tools()
        self._turns: list[_Turn] = []
        self._first = ""
        self._system = ""
        self._garbage = 0
        self._deadline: float | None = None

    def act(self, observation: Any) -> Any:
        """The act that the model chooses. Raises InputError and EndpointError."""
        if self._deadline is None:
            self._deadline = time.monotonic() + self._chat.patience.episode_seconds
            self._system = self._prompt.system.format(steps=observation.max_steps)
            self._first = self._prompt.first(observation)
        elif self._turns:
            self._turns[-1].result = _noted(self._turns[-1], self._prompt.result(observation))
        if self._garbage >= MOST_GARBAGE:
            return self._hand_in()
        try:
            message = self._answer(self._deadline)
        except TimeUpError:
            return self._hand_in()
        turn, given = _read(message)
        self._turns.append(turn)
        self._garbage += 1
        data = None if given is None else _action_of(self._prompt, *given)
        if data is None:
            told = "one act, as a tool call or a JSON object"
            if turn.call is None:
                raise InputError("answer", turn.text, told)
            told = "the arguments of a tool call are one JSON object"
            raise InputError(turn.call["name"], turn.call["arguments"], told)
        action = self._action(data)
        self._garbage = 0
        return action

    def _hand_in(self) -> Any:
        """The act that hands in what there is: the last one that needs no field."""
        names = [act.name for act in self._prompt.acts if not act.required]
        return self._action(self._prompt.action_of(names[-1], {}))

    def _answer(self, deadline: float) -> Any:
        message = None
        if not self._chat.tools_refused:
            message = self._chat.complete(self._messages(tools=True), self._tools, deadline)
        if message is None:
            message = self._chat.complete(self._messages(tools=False), [], deadline)
        return message

    def _messages(self, tools: bool) -> list[dict[str, Any]]:
        system = self._system if tools else f"{self._system}\n\n{self._prompt.as_text()}"
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": system},
            {"role": "user", "content": self._first},
        ]
        for turn in self._kept():
            messages += _as_tools(turn) if tools else _as_texts(turn)
        return messages

    def _kept(self) -> list[_Turn]:
        size = 0
        for number, turn in enumerate(reversed(self._turns)):
            size += turn.size()
            if size > self._most and number:
                return self._turns[-number:]
        return self._turns


def model_maker(family: Family, model: str, patience: Patience | None = None) -> AgentMaker:
    """Makes agents that ask ``model`` (or what MODEL_NAME says). Raises InputError."""
    name = model or os.environ.get("MODEL_NAME", "")
    if not name:
        raise InputError("--agent", "openai:", "name a model behind the colon, or set MODEL_NAME")
    prompt: Prompt = import_module(f"{FAMILIES[family.name]}.prompt").prompt()
    # One for all episodes: what an endpoint refused once need not be tried again.
    chat = Chat(name, endpoint(), patience or Patience())

    def maker(task: Task, seed: int) -> ModelAgent:
        return ModelAgent(chat, prompt, family.action)

    return maker


def first_object(text: str) -> dict[str, Any] | None:
    """The first JSON object in a text, code fences first, None if there is none."""
    decoder = json.JSONDecoder()
    text = text[:_MOST_TEXT]
    tries = _MOST_TRIES
    for part in (*_FENCE.findall(text), text):
        at = part.find("{")
        while at >= 0 and tries:
            tries -= 1
            try:
                value, _ = decoder.raw_decode(part, at)
            except (ValueError, RecursionError):
                value = None
            if isinstance(value, dict):
                return value
            at = part.find("{", at + 1)
    return None


def _read(message: Any) -> tuple[_Turn, _Given | None]:
    """The turn that a message begins, and the act in it."""
    text = message.content if isinstance(message.content, str) else ""
    for call in message.tool_calls or ():
        told = getattr(call, "function", None)
        if told is None:
            continue
        arguments = told.arguments or "{}"
        named = {"id": call.id, "name": told.name, "arguments": arguments}
        turn = _Turn(text, named, calls=len(message.tool_calls))
        found = first_object(arguments)
        return turn, None if found is None else (told.name, found)
    return _Turn(text, None), _unwrapped(first_object(text))


def _action_of(prompt: Prompt, name: str | None, given: dict[str, Any]) -> dict[str, Any]:
    """The action that was given, by name or as it stands. Raises InputError."""
    kept = {field: value for field, value in given.items() if value is not None}
    return kept if name is None else prompt.action_of(name, kept)


def _unwrapped(data: dict[str, Any] | None) -> _Given | None:
    """An act that a model wrote as text, be it flat, under ``action``, or like a tool call."""
    if data is None:
        return None
    if isinstance(data.get("action"), dict):
        data = data["action"]
    arguments = data.get("arguments", data.get("parameters"))
    if isinstance(data.get("name"), str) and isinstance(arguments, dict):
        return data["name"], arguments
    return None, data


def _noted(turn: _Turn, result: str) -> str:
    """What came of a turn, with word of the calls that were passed over."""
    if turn.calls < 2:
        return result
    return f"Only the first of your {turn.calls} calls was taken: one act a step.\n{result}"


def _as_tools(turn: _Turn) -> list[dict[str, Any]]:
    if turn.call is None:
        return [
            {"role": "assistant", "content": turn.text},
            {"role": "user", "content": turn.result},
        ]
    call = {
        "id": turn.call["id"],
        "type": "function",
        "function": {"name": turn.call["name"], "arguments": turn.call["arguments"]},
    }
    return [
        {"role": "assistant", "content": turn.text, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": turn.call["id"], "content": turn.result},
    ]


def _as_texts(turn: _Turn) -> list[dict[str, Any]]:
    text = turn.text
    if turn.call is not None:
        named = {"name": turn.call["name"], "arguments": turn.call["arguments"]}
        text = json.dumps(named)
    return [{"role": "assistant", "content": text}, {"role": "user", "content": turn.result}]
