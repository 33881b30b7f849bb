"""The episodes that a server holds for HTTP: bounded, and given up when idle.

Plain Python with a clock of the caller's choice. One thread, that of the event loop, uses it.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from casegen.env.errors import EpisodeError
from casegen.schemas.errors import shown

T = TypeVar("T")

_REMEMBERED = 4  # how many ended episodes are remembered, as a multiple of the live ones


class StoreError(EpisodeError):
    """The store can't do what was asked. ``status`` is what HTTP says to it."""

    status = 409


class UnknownEpisodeError(StoreError):
    """No episode of that id was ever begun here, or it is long forgotten."""

    status = 404


class TakenError(StoreError):
    """An episode of that id is live."""


class GoneError(StoreError):
    """The episode has ended."""


class SeveralError(StoreError):
    """Which episode is meant can't be told."""


class FullError(StoreError):
    """All places are taken."""

    status = 503


@dataclass(slots=True)
class Held(Generic[T]):
    """A live episode: ``client`` is the address that may step it without naming it."""

    id: str
    episode: T
    client: str | None
    used: float
    told: dict[str, Any] = field(default_factory=dict)  # the last answer


@dataclass(frozen=True, slots=True)
class Ended:
    """What is remembered of an episode: why it ended, and its last state."""

    why: str
    client: str | None
    state: Any


class EpisodeStore(Generic[T]):
    """Live episodes by id, at most ``most``, each given up when idle for ``idle`` seconds.

    ``drop`` is called with an episode that is given up, ``last`` gives the state of it that is
    remembered.
    """

    def __init__(
        self,
        *,
        most: int,
        idle: float,
        drop: Callable[[T], None],
        last: Callable[[T], Any],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.most = most
        self.idle = idle
        self._drop = drop
        self._last = last
        self._clock = clock
        self._live: OrderedDict[str, Held[T]] = OrderedDict()  # the longest unused first
        self._of: dict[str, dict[str, None]] = {}  # ids of the live ones by client
        self._ended: OrderedDict[str, Ended] = OrderedDict()

    def __len__(self) -> int:
        return len(self._live)

    def check_room(self, episode_id: str | None) -> None:
        """Raise FullError or TakenError where no episode of that id can be added."""
        self.sweep()
        if episode_id is not None and episode_id in self._live:
            told = "is live; leave the id out, or choose another"
            raise TakenError(f"episode_id: {shown(episode_id)}: {told}")
        if len(self._live) >= self.most:
            raise FullError(
                f"all {self.most} places are taken; finish or close an episode, or serve more "
                "(--max-sessions)"
            )

    def add(self, episode_id: str, episode: T, client: str | None) -> Held[T]:
        """Hold a new episode. Raises FullError or TakenError."""
        self.check_room(episode_id)
        held = Held(episode_id, episode, client, self._clock())
        self._live[episode_id] = held
        self._ended.pop(episode_id, None)
        if client is not None:
            self._of.setdefault(client, {})[episode_id] = None
        return held

    def get(self, episode_id: str) -> Held[T]:
        """The live episode of that id. Raises UnknownEpisodeError or GoneError."""
        self.sweep()
        held = self._live.get(episode_id)
        if held is None:
            ended = self._ended.get(episode_id)
            if ended is None:
                raise UnknownEpisodeError(
                    f"episode_id: {shown(episode_id)}: no such episode; reset begins one"
                )
            raise GoneError(f"episode {episode_id} {ended.why}; reset begins a new one")
        held.used = self._clock()
        self._live.move_to_end(episode_id)
        return held

    def only(self, client: str) -> Held[T]:
        """The only live episode of a client. Raises SeveralError or GoneError."""
        self.sweep()
        ids = self._of.get(client, {})
        if len(ids) > 1:
            raise SeveralError(
                f"{len(ids)} episodes are live at your address; "
                "send the episode_id that reset gave with your request"
            )
        if not ids:
            raise GoneError("no episode is live at your address; reset begins one")
        return self.get(next(iter(ids)))

    def knows(self, episode_id: str) -> bool:
        """Whether an episode of that id is live or remembered."""
        return episode_id in self._live or episode_id in self._ended

    def ended(self, episode_id: str) -> Ended | None:
        """What is remembered of an episode that has ended."""
        self.sweep()
        return self._ended.get(episode_id)

    def end(self, episode_id: str, why: str) -> None:
        """Give an episode's place to others; ``why`` completes "episode X ..."."""
        held = self._live.pop(episode_id, None)
        if held is None:
            return
        if held.client is not None:
            ids = self._of[held.client]
            del ids[episode_id]
            if not ids:
                del self._of[held.client]
        self._ended[episode_id] = Ended(why, held.client, self._last(held.episode))
        while len(self._ended) > _REMEMBERED * self.most:
            self._ended.popitem(last=False)
        self._drop(held.episode)

    def sweep(self) -> None:
        """Give up what was idle too long."""
        before = self._clock() - self.idle
        while self._live:
            held = next(iter(self._live.values()))
            if held.used > before:
                return
            self.end(held.id, f"was given up after {self.idle:g} s without a request")

    def close(self) -> None:
        """Give up all."""
        for episode_id in list(self._live):
            self.end(episode_id, "was closed with the server")
