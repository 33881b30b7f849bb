"""A language model plays documented tasks on a running server, for the scripts of the families.

For each episode a ``[START]`` line is printed, a ``[STEP]`` line behind each step, and an ``[END]``
line however it ended. Of a task that is played several times a last ``[END]`` line holds the mean
score, and the scores in the place of rewards. A table of the scores comes last. Where nobody
listens at the address of the model, the first episode ends it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from casegen.schemas import CasegenError, InputError

from .agents import TRIES
from .openai_agent import ModelAgent
from .openai_endpoint import ROUTER, Chat, Endpoint, Patience, UnreachableError, endpoint
from .prompt import Prompt

MODEL = "Qwen/Qwen2.5-72B-Instruct"
# A score that counts as success: what is right outweighs what is not.
SUCCESS = 0.5
TEMPERATURE = 0.2
_SECONDS = 60.0


class ServerError(CasegenError):
    """The server of the environment refuses, or can't be reached."""


def _by_id(task: str) -> Sequence[Mapping[str, Any]]:
    """One episode, of the task of that id."""
    return [{"task_id": task}]


@dataclass(frozen=True, slots=True)
class Script:
    """What a family's script brings.

    ``name`` is that of the environment in the ``[START]`` line, ``server`` its usual address,
    ``tasks`` the ids to play. ``action`` makes a typed act of parsed JSON and ``spelled`` JSON of
    an act; ``line`` shows one on a line; ``observation`` reads what the server told, and raises
    TypeError where that is none. ``resets`` tells what a reset names for each episode of a task;
    ``variables`` are the names by which the server may be told, the first one first.
    """

    name: str
    server: str
    tasks: tuple[str, ...]
    prompt: Callable[[], Prompt]
    action: Callable[[Mapping[str, Any]], Any]
    spelled: Callable[[Any], dict[str, Any]]
    line: Callable[[Any], str]
    observation: Callable[[Mapping[str, Any]], Any]
    resets: Callable[[str], Sequence[Mapping[str, Any]]] = _by_id
    variables: tuple[str, ...] = ("ENV_BASE_URL",)


@dataclass(slots=True)
class Server:
    """The HTTP routes of an environment server; one episode at a time."""

    base_url: str
    script: Script
    episode_id: str | None = None

    def reset(self, settings: Mapping[str, Any]) -> Any:
        """Begin an episode. Raises ServerError."""
        told = self._post("/reset", settings)
        given = told.get("episode_id")
        self.episode_id = given if isinstance(given, str) else None
        return self._observation(told)

    def step(self, action: Any) -> Any:
        """Carry out one act. Raises ServerError."""
        body: dict[str, Any] = {"action": self.script.spelled(action)}
        if self.episode_id is not None:
            body["episode_id"] = self.episode_id
        return self._observation(self._post("/step", body))

    def _observation(self, told: Mapping[str, Any]) -> Any:
        held = {**told["observation"], "done": bool(told.get("done"))}
        held["reward"] = float(told.get("reward") or 0.0)
        try:
            return self.script.observation(held)
        except TypeError as error:
            raise ServerError(f"no observation of {self.script.name}: {error}") from None

    def _post(self, route: str, body: Mapping[str, Any]) -> dict[str, Any]:
        request = Request(
            self.base_url.rstrip("/") + route,
            json.dumps(dict(body)).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            with urlopen(request, timeout=_SECONDS) as answer:
                told = json.load(answer)
        except HTTPError as error:
            said = error.read(500).decode("utf-8", "replace")
            raise ServerError(f"{self.base_url}{route}: {error.code}: {said}") from None
        except (OSError, HTTPException, ValueError) as error:
            raise ServerError(f"{self.base_url}{route}: {error}") from None
        if not isinstance(told, dict) or not isinstance(told.get("observation"), dict):
            raise ServerError(f"{self.base_url}{route}: the answer holds no observation")
        return told


@dataclass(frozen=True, slots=True)
class Result:
    """How a task ended."""

    task: str
    score: float
    steps: int
    failure: str | None = None
    unreachable: bool = False


def main(script: Script, environ: Mapping[str, str] | None = None) -> int:
    """Play all tasks; the exit status is 1 where one could not be played to its end.

    Environment variables: ``HF_TOKEN`` or ``OPENAI_API_KEY``, ``API_BASE_URL``, ``MODEL_NAME``
    for the model, ``ENV_BASE_URL`` (or those that the script names) for the server.
    """
    env = os.environ if environ is None else environ
    model = env.get("MODEL_NAME") or MODEL
    try:
        address = _address(script, env)
        chat = Chat(model, _place(env), Patience(), TEMPERATURE)
    except CasegenError as error:
        print(f"inference: {error}", file=sys.stderr)
        return 2
    server = Server(address, script)
    results: list[Result] = []
    for task in script.tasks:
        played: list[Result] = []
        for settings in script.resets(task):
            played.append(run(task, server, chat, settings))
            if played[-1].unreachable:  # nor would it be for the next one
                chat.close()
                return 1
        results.append(_mean(task, played))
    chat.close()
    _table(results)
    return 1 if any(result.failure for result in results) else 0


def show_help(script: Script, told: str | None, argv: Sequence[str] | None = None) -> None:
    """Show how the script is used where ``--help`` asks for it; it takes no other argument."""
    about = (told or "").partition("\n\n")[0]
    variables = (
        ("HF_TOKEN, OPENAI_API_KEY", "key of the endpoint of the model"),
        ("API_BASE_URL", f"its address; {ROUTER} without it"),
        ("MODEL_NAME", f"the model; {MODEL} without it"),
        (", ".join(script.variables), f"address of the server; {script.server} without it"),
    )
    width = max(len(name) for name, _ in variables)
    lines = "".join(f"\n  {name:<{width}}  {what}" for name, what in variables)
    argparse.ArgumentParser(
        prog=f"python -m {script.action.__module__.rpartition('.')[0]}.inference",
        description=about,
        epilog=f"environment variables:{lines}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args(argv)


def _address(script: Script, env: Mapping[str, str]) -> str:
    """Where the server is. Raises InputError for what is no address."""
    for name in script.variables:
        told = env.get(name)
        if told:
            if not told.startswith(("http://", "https://")):
                raise InputError(name, told, f"an address like {script.server}")
            return told
    return script.server


def _mean(task: str, played: list[Result]) -> Result:
    """The episodes of a task as one; of several the mean is told in an ``[END]`` line."""
    if len(played) == 1:
        return played[0]
    score = sum(one.score for one in played) / len(played)
    steps = sum(one.steps for one in played)
    failure = next((one.failure for one in played if one.failure), None)
    scores = ",".join(f"{one.score:.2f}" for one in played)
    _print(
        f"[END] success={_bool(failure is None and score >= SUCCESS)} steps={steps} "
        f"score={score:.2f} rewards={scores}"
    )
    return Result(task, score, steps, failure)


def _place(env: Mapping[str, str]) -> Endpoint:
    """The endpoint; as documented, the router of Hugging Face where no address is given."""
    if env.get("API_BASE_URL") or env.get("OPENAI_BASE_URL") or env.get("HF_TOKEN"):
        return endpoint(env)
    if env.get("OPENAI_API_KEY"):
        return endpoint(env)
    raise InputError("HF_TOKEN", None, f"set it (it goes to {ROUTER}), or OPENAI_API_KEY")


def run(task: str, server: Server, chat: Chat, settings: Mapping[str, Any] | None = None) -> Result:
    """Play one episode and print its lines; ``settings`` are those of its reset."""
    script = server.script
    _print(f"[START] task={task} env={script.name} model={chat.model}")
    rewards: list[float] = []
    score = 0.0
    failure: str | None = None
    unreachable = False
    try:
        seen = server.reset({"task_id": task} if settings is None else settings)
        agent = ModelAgent(chat, script.prompt(), script.action)
        for _ in range(TRIES * seen.max_steps):
            if seen.done:
                break
            try:
                action = agent.act(seen)
            except InputError as error:  # no act: the model is told so, the server is not
                seen = replace(seen, last_action_error=str(error))
                continue
            seen = server.step(action)
            rewards.append(seen.reward)
            _print(
                f"[STEP] step={len(rewards)} action={script.line(action)} "
                f"reward={seen.reward:.2f} done={_bool(seen.done)} "
                f"error={one_line(seen.last_action_error) or 'null'}"
            )
        score = seen.grader_score or 0.0
        failure = None if seen.done else "the model never ended the episode"
    except CasegenError as error:
        failure = str(error)
        unreachable = isinstance(error, UnreachableError)
        print(f"inference: {one_line(failure)}", file=sys.stderr)
    finally:
        told = ",".join(f"{reward:.2f}" for reward in rewards)
        _print(
            f"[END] success={_bool(failure is None and score >= SUCCESS)} steps={len(rewards)} "
            f"score={score:.2f} rewards={told}"
        )
    return Result(task, score, len(rewards), failure, unreachable)


def call_line(name: str, arguments: Mapping[str, Any]) -> str:
    """An act on one line: ``query_guideline({"code":"O80"})``."""
    return f"{name}({json.dumps(arguments, separators=(',', ':')) if arguments else ''})"


def one_line(text: str | None) -> str:
    """A text without ends of lines."""
    return " ".join((text or "").split())


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _print(line: str) -> None:
    print(line, flush=True)


def _table(results: list[Result]) -> None:
    width = max(len(result.task) for result in results)
    _print("")
    _print(f"{'task':<{width}}  steps  score")
    for result in results:
        _print(f"{result.task:<{width}}  {result.steps:>5}  {result.score:>5.2f}")
    mean = sum(result.score for result in results) / len(results)
    _print(f"{'mean':<{width}}         {mean:>5.2f}")
