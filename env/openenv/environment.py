"""Any family as an OpenEnv environment: a family adds its models and how it is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, get_args
from uuid import uuid4

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import ValidationError

from casegen import __version__
from casegen.config import BUNDLED
from casegen.env.errors import EpisodeClosedError
from casegen.env.family import Episode, Family
from casegen.env.generators import tables_named
from casegen.env.packs import shipped
from casegen.env.tasks import count, find_task, generates, spec, splits
from casegen.schemas import InputError
from casegen.schemas.case import Difficulty
from casegen.schemas.errors import CasegenError
from casegen.schemas.packs import Pack

from .problems import first_problem

# What reset takes beside seed and episode_id, and of what type each is.
SETTINGS: dict[str, type] = {
    "seed": int,
    "episode_id": str,
    "task_id": str,
    "task": str,
    "pack": str,
    "split": str,
    "index": int,
    "difficulty": str,
    "tables": str,
    "content_hash": str,
}
LONGEST_ID = 255
PREVIEW = 100  # tasks of a split that a list shows
_FEW = 24  # tasks of a pack that a person is offered one by one
_KINDS = {int: "a whole number", str: "text"}


def check_settings(settings: Mapping[str, Any]) -> None:
    """Raise InputError for what reset doesn't know, or of the wrong type."""
    for name, value in settings.items():
        kind = SETTINGS.get(name)
        if kind is None:
            raise InputError(name, value, f"no such setting; there are {', '.join(SETTINGS)}")
        if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
            raise InputError(name, value, _KINDS[kind])
    wanted = settings.get("episode_id")
    if wanted is not None and not (wanted.isprintable() and 0 < len(wanted) <= LONGEST_ID):
        raise InputError("episode_id", wanted, f"1 to {LONGEST_ID} printable characters")


class FamilyEnvironment(Environment[Any, Any, Any]):
    """One session: one episode after the other.

    ``begin`` and ``act`` give the engine's own observations and ``payload`` what goes over the
    wire; ``reset`` and ``step`` give the typed ones. After ``close`` all of them raise
    EpisodeClosedError. Nothing is shared between two environments.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True
    REQUIRES_SINGLE_THREAD_EXECUTOR = True  # one thread for all sessions, not one for each

    family: ClassVar[Family]
    description: ClassVar[str]
    action_cls: ClassVar[type[Action]]
    observation_cls: ClassVar[type[Observation]]
    state_cls: ClassVar[type[State]]

    def __init__(self, pack: str | Pack | None = None, tables: str | None = None) -> None:
        """``pack``: from which tasks come unless a reset names others. A string names one that
        ships with the family; any other is opened by whoever serves it, never by a client.
        ``tables``: the imported set that generated cases are made with; a client can ask for no
        other. Raises InputError."""
        super().__init__()
        if isinstance(pack, str):
            if pack not in self.family.packs:
                raise InputError("pack", pack, f"one of {', '.join(self.family.packs)}")
            pack = shipped(pack)
        if pack is not None and pack.family != self.family.name:
            raise InputError("pack", pack.name, f"is of the family {pack.family}")
        self._pack = pack
        self._tables = None if tables is None else tables_named(tables)
        self._episode: Episode | None = None
        self._closed = False

    # --- the engine

    @property
    def episode_id(self) -> str | None:
        """The id of the episode that was begun last."""
        return None if self._episode is None else self._episode.id

    def begin(self, /, **settings: Any) -> Any:
        """A new episode's first observation. Raises InputError or EpisodeClosedError."""
        if self._closed:
            raise EpisodeClosedError("this session is closed; open a new one")
        check_settings(settings)
        wanted = {name: value for name, value in settings.items() if value is not None}
        episode_id = wanted.pop("episode_id", None) or uuid4().hex
        task = find_task(self.family.name, **self._with_tables(self._with_pack(wanted)))
        if self._episode is not None:
            self._episode.close()
        self._episode = self.family.episode(task, episode_id)
        return self._episode.start()

    def _with_pack(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """The settings, with the pack that is served where they mean it."""
        pack = self._pack
        if pack is None:
            return wanted
        named = [wanted[name] for name in ("pack", "split") if name in wanted]
        if named:
            return {**wanted, "pack": pack} if pack.name in named else wanted
        task_id = wanted.get("task_id")
        if task_id is not None and pack.tasks.index_of(task_id) is None:
            return wanted
        return {**wanted, "pack": pack}

    def _with_tables(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """The settings, with the tables that are served where a case is generated. A client may
        name these, or the bundled ones. Raises InputError for others."""
        asked, served = wanted.get("tables"), self._tables
        names = {BUNDLED} if served is None else {BUNDLED, served, served.partition("@")[0]}
        if asked is not None and asked not in names:
            told = "the bundled tables" if served is None else f"the imported set {served}"
            mend = f"cases here are made with {told}; start the server with --tables for others"
            raise InputError("tables", asked, mend)
        which = (wanted.get(name) for name in ("task_id", "pack", "split", "task"))
        if asked is not None or served is None or not generates(self.family.name, *which):
            return wanted
        return {**wanted, "tables": served}

    def act(self, action: Any) -> Any:
        """The observation after an act, which may be typed or parsed JSON.

        Raises InputError where it is no act, before anything counts; EpisodeOverError after the
        end; EpisodeClosedError on a closed session or without an episode.
        """
        if self._closed:
            raise EpisodeClosedError("this session is closed; open a new one")
        if self._episode is None:
            raise EpisodeClosedError("no episode was begun; reset begins one")
        return self._episode.step(self.engine_action(self.typed(action)))

    def typed(self, action: Any) -> Any:
        """The act as its model. Raises InputError."""
        if isinstance(action, self.action_cls):
            return action
        if not isinstance(action, Mapping):
            raise InputError("action", action, "a JSON object")
        try:
            return self.action_cls.model_validate(action)
        except ValidationError as error:
            raise first_problem(error, "action") from None

    def engine_action(self, action: Any) -> Any:
        """The engine's act from the model."""
        return self.family.action(action.model_dump(exclude={"metadata"}, exclude_none=True))

    @property
    def metadata(self) -> dict[str, Any]:
        """What each observation tells of its episode."""
        episode = self._episode
        if episode is None:
            return {}
        task = episode.task
        return {"episode_id": episode.id, "profile": task.profile, "pack": task.pack}

    def payload(self, observation: Any) -> dict[str, Any]:
        """An engine's observation in the shape that OpenEnv sends."""
        told = self.family.plain(observation)
        reward, done = told.pop("reward"), told.pop("done")
        metadata = self.metadata
        told["metadata"] = metadata
        return {"observation": told, "reward": reward, "done": done, "metadata": metadata}

    # --- OpenEnv

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> Any:
        """Begin an episode; ``kwargs`` are task_id, task, pack, split, index, difficulty, tables
        and content_hash."""
        return self._wrapped(self.begin(seed=seed, episode_id=episode_id, **kwargs))

    async def reset_async(
        self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any
    ) -> Any:
        """As ``reset``: making a case takes less than handing it to a thread is worth."""
        return self._wrapped(self.begin(seed=seed, episode_id=episode_id, **kwargs))

    def step(self, action: Any, timeout_s: float | None = None, **kwargs: Any) -> Any:
        """Carry out one act."""
        return self._wrapped(self.act(action))

    async def step_async(self, action: Any, timeout_s: float | None = None, **kwargs: Any) -> Any:
        """As ``step``; a step costs no thread."""
        return self._wrapped(self.act(action))

    def _wrapped(self, observation: Any) -> Any:
        # The engine's values are right by their making; validating them again costs half a step.
        return self.observation_cls.model_construct(
            **self.family.plain(observation), metadata=self.metadata
        )

    @property
    def state(self) -> Any:
        """Where the episode stands; without one, a state that says so."""
        if self._episode is None:
            return self.state_cls()
        told = self._episode.state
        return self.state_cls(**{field.name: getattr(told, field.name) for field in fields(told)})

    def close(self) -> None:
        """End the session."""
        self._closed = True
        if self._episode is not None:
            self._episode.close()

    def get_metadata(self) -> EnvironmentMetadata:
        """Name, description and version."""
        return EnvironmentMetadata(
            name=self.family.title,
            description=self.description,
            version=__version__,
            author="casegen contributors",
        )

    # --- tasks; ids and seeds from which no answer can be made

    def list_splits(self) -> list[Any]:
        """The packs and splits from which tasks come. Packs are for evaluation."""
        packs = self.family.packs
        return [
            {"name": name, "type": "test" if name in packs else name}
            for name in splits(self.family.name)
        ]

    def num_tasks(self, split: str) -> int:
        """How many tasks a split holds."""
        return count(self.family.name, split)

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """One task without its answer. Raises IndexError beyond the end."""
        if not 0 <= index < count(self.family.name, split):
            raise IndexError(index)
        return spec(self.family.name, split, index, tables=self._tables)

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """The first tasks of a split."""
        return self.get_task_range(split, 0, PREVIEW)

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """The tasks of a slice, at most as many as a preview holds."""
        chosen = range(count(self.family.name, split))[start:stop]
        return [self.get_task(split, index) for index in chosen[:PREVIEW]]

    # --- the person's view

    def web_forms(self, observation: dict[str, Any]) -> list[dict[str, Any]]:
        """Forms for acts that a button can't hold.

        Each is ``{title, action, submit, fields}``; ``action`` holds what is fixed, a field is
        ``{name, label, kind, required, options, value}`` with the kinds select, text, area,
        selection (text that is selected in the note), several (of the options; a list), lines (what
        is written on each; a list) and flag (true or false); ``value`` is what it says at first.
        """
        return []

    def web_choices(self) -> list[dict[str, Any]]:
        """What a person may choose to play: label and the settings for reset."""
        single = [
            {"label": told["id"], "reset": {"task_id": told["id"]}}
            for pack in self.family.packs
            if count(self.family.name, pack) <= _FEW
            for told in self.list_tasks(pack)
        ]
        own = self._pack
        if own is not None and own.name not in self.family.packs and len(own) <= _FEW:
            single += [{"label": task.id, "reset": {"task_id": task.id}} for task in own]
        new: list[dict[str, Any]] = [{"label": "any", "reset": {}}]
        new += [{"label": name, "reset": {"difficulty": name}} for name in get_args(Difficulty)]
        for choice in new:
            choice["label"] = f"a new case, {choice['label']}"
        return single + new


def error_line(error: Exception) -> str:
    """What a user is told of an error; of one that is ours, nothing but that it happened."""
    if isinstance(error, CasegenError):
        return str(error)
    return "the server failed at this request; its log tells more"
