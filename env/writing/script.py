"""Agents written as generators: each yields acts, and is sent what came of them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any, NamedTuple


class Move(NamedTuple):
    """An act with its reason in plain words, and a label where it is wrong on purpose."""

    act: Any
    why: str | None = None
    mistake: str | None = None


# Yields acts, is sent what came of each, and returns when there is nothing left to do.
Script = Generator[Any, Any, None]


class Scripted:
    """Follows a script to its end, then does the last act over and over.

    ``why`` and ``mistake`` are those of the last act, None where it has none.
    """

    def __init__(self, script: Callable[[Any], Script], last: Callable[[], Any]) -> None:
        self._script = script
        self._last = last
        self._running: Script | None = None
        self.why: str | None = None
        self.mistake: str | None = None

    def act(self, observation: Any) -> Any:
        """The next act of the script."""
        try:
            if self._running is None:
                self._running = self._script(observation)
                told = next(self._running)
            else:
                told = self._running.send(observation)
        except StopIteration:
            told = self._last()
        move = told if isinstance(told, Move) else Move(told)
        self.why, self.mistake = move.why, move.mistake
        return move.act


def each(acts: Iterable[Any]) -> Script:
    """Acts one by one, whatever comes of them."""
    for act in acts:
        _ = yield act  # a list alone could not be sent what came of it
