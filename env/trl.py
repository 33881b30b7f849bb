"""Families as environments of TRL's ``GRPOTrainer``: what ``environment_factory`` takes.

    GRPOTrainer(..., train_dataset=prompts, environment_factory=environment_factory("audit"))

The trainer makes one environment a rollout and uses it again for the next. It takes every public
method but ``reset`` and ``get_reward`` for a tool of the model, so all others begin with an
underscore. Nothing here imports TRL.
"""

from __future__ import annotations

import contextlib
import sys
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Protocol

from casegen.schemas import InputError
from casegen.schemas.serial import HASH

from .errors import EpisodeClosedError
from .families import FAMILIES, family
from .family import Episode
from .generators import tables_named
from .prompt import Prompt
from .tasks import find_task, generates

# What of a row says which case is played. A row of ``prompts`` has them in its column ``reset``.
SETTINGS = (
    "task_id", "task", "pack", "split", "seed", "index", "difficulty", "tables", "content_hash",
)  # fmt: skip
# Without one of these each completion of a prompt would play a case of its own.
_CHOOSES = ("task_id", "seed", "index")


class Session(Protocol):
    """Where episodes are played, one after the other."""

    def begin(self, settings: Mapping[str, Any]) -> Any: ...

    def step(self, act: Mapping[str, Any]) -> Any: ...

    def close(self) -> None: ...


class InProcess:
    """Plays in this process. Generated cases are made with ``tables`` unless they name others."""

    def __init__(self, family_name: str, tables: str | None = None) -> None:
        self._family = family(family_name)
        self._tables = tables
        self._episode: Episode | None = None

    def begin(self, settings: Mapping[str, Any]) -> Any:
        """The first observation of a new episode."""
        self.close()
        which = (settings.get(name) for name in ("task_id", "pack", "split", "task"))
        if self._tables is not None and generates(self._family.name, *which):
            settings = {"tables": self._tables, **settings}
        task = find_task(self._family.name, **settings)
        self._episode = self._family.episode(task, "rollout")
        return self._episode.start()

    def step(self, act: Mapping[str, Any]) -> Any:
        """The observation after an act."""
        if self._episode is None:
            raise EpisodeClosedError("no episode was begun; reset begins one")
        return self._episode.step(self._family.action(act))

    def close(self) -> None:
        """End the episode, if there is one."""
        if self._episode is not None:
            self._episode.close()
        self._episode = None


class OverServer:
    """Plays on a server, with a connection of its own that the first episode opens."""

    def __init__(self, family_name: str, url: str) -> None:
        self._family = family(family_name)
        self._url = url
        self._client: Any = None
        self._end: Callable[[], Any] | None = None

    def begin(self, settings: Mapping[str, Any]) -> Any:
        """The first observation of a new episode. Raises ConnectionError where nobody answers."""
        if self._client is None:
            client = self._family.openenv().CLIENT(base_url=self._url).sync()
            client.connect()
            self._client = client
            # Before the interpreter shuts down: then no thread starts, and the client would wait
            # for one without end.
            self._end = weakref.finalize(self, _close_quietly, client)
        return self._client.reset(**settings).observation

    def step(self, act: Mapping[str, Any]) -> Any:
        """The observation after an act."""
        if self._client is None:
            raise EpisodeClosedError("no episode was begun; reset begins one")
        typed = self._family.openenv().ENVIRONMENT.action_cls(**act)
        return self._client.step(typed).observation

    def close(self) -> None:
        """Give the session back to the server."""
        if self._end is not None:
            self._end()
        self._client = self._end = None


class TrlEnvironment:
    """One rollout at a time. A family adds its acts as methods, which are the model's tools.

    An act that can't be carried out raises; the trainer tells the model so and goes on.
    """

    _family_name: ClassVar[str]

    def __init__(self, session: Session) -> None:
        self._session = session
        self._seen: Any = None

    def reset(self, **row: Any) -> str | None:
        """Begin the case that a row of the dataset names.

        The row is one of ``prompts`` (its column ``reset`` names the case), or has columns of
        those names: ``task_id``, or ``pack``, ``split``, ``seed``, ``index``, ``difficulty``,
        ``tables``. Where it has a ``content_hash``, the case must have it, too. All else in it is
        ignored, the answer above all. Returns the case as text, which the
        trainer puts at the end of the prompt; None where the prompt holds it already. Raises
        InputError.
        """
        self._seen = None
        if row.get("family") not in (None, self._family_name):
            told = f"a row of {self._family_name}; filter the rows by family, or export with "
            raise InputError("family", row["family"], f"{told}--family {self._family_name}")
        self._seen = self._session.begin(settings_of(row))
        told = prompt_of(self._family_name).first(self._seen)
        before = _last_content(row.get("prompt"))
        if told in before:
            return None
        return f"\n\n{told}" if before else told

    def get_reward(self) -> float:
        """The score of the episode, from 0 to 1; 0 where the model did not end it."""
        seen = self._seen
        return float(seen.grader_score) if seen is not None and seen.done else 0.0

    def _act(self, name: str, **fields: Any) -> str:
        """Carry out an act, and tell what came of it."""
        given = {field: value for field, value in fields.items() if value is not None}
        prompt = prompt_of(self._family_name)
        self._seen = self._session.step(prompt.action_of(name, given))
        return prompt.result(self._seen)

    def _close(self) -> None:
        """End the episode, and the connection to a server."""
        self._session.close()

    def __del__(self) -> None:
        # The trainer drops its environments without a word; a server should not wait for them.
        if sys.is_finalizing():
            return
        with contextlib.suppress(Exception):
            self._close()


@dataclass(frozen=True, slots=True)
class EnvironmentFactory:
    """Makes environments. It can be sent to other processes."""

    family_name: str
    url: str | None = None
    tables: str | None = None

    def __call__(self) -> TrlEnvironment:
        """A new environment."""
        made: type[TrlEnvironment] = import_module(f"{FAMILIES[self.family_name]}.trl").ENVIRONMENT
        if self.url is None:
            return made(InProcess(self.family_name, self.tables))
        return made(OverServer(self.family_name, self.url))


def environment_factory(
    family_name: str = "audit", *, url: str | None = None, tables: str | None = None
) -> Callable[[], TrlEnvironment]:
    """What ``GRPOTrainer(environment_factory=...)`` takes.

    Episodes are played in this process, or on the server at ``url``, where each environment takes
    one of its sessions. ``tables``: the imported set that generated cases are made with where a
    row names none, in this process; a server has its own (``casegen serve --tables``). Raises
    InputError.
    """
    if tables is not None:
        if url is not None:
            raise InputError("tables", tables, "leave it out; the server at url has its own")
        tables = tables_named(tables)
    return EnvironmentFactory(family(family_name).name, url, tables)


def settings_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Which case a row of a dataset names. Raises InputError."""
    given = row.get("reset")
    if given is not None and not isinstance(given, Mapping):
        raise InputError("reset", given, "the settings of a case, by name")
    source = row if given is None else given
    if given is not None:
        for name, value in given.items():
            if name not in SETTINGS and value is not None:
                raise InputError(f"reset.{name}", value, f"one of {', '.join(SETTINGS)}")
    found = {name: source[name] for name in SETTINGS if source.get(name) is not None}
    # It stands beside ``reset`` in a row of ``prompts``.
    if row.get(HASH) is not None:
        found[HASH] = row[HASH]
    if not any(name in found for name in _CHOOSES):
        told = "a row names its case by a column reset, or by task_id, seed or index"
        raise InputError("reset", None, told)
    return found


def prompt_of(family_name: str) -> Prompt:
    """What a language model is told of a family."""
    made: Prompt = import_module(f"{FAMILIES[family_name]}.prompt").prompt()
    return made


def _close_quietly(client: Any) -> None:
    """Give a session back; where the server is gone there is none."""
    with contextlib.suppress(Exception):
        client.close()


def _last_content(prompt: Any) -> str:
    """The text of the last message of a prompt."""
    if isinstance(prompt, str):
        return prompt
    content = prompt[-1]["content"] if prompt else ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)
