"""A dict that remembers answers and starts anew before it grows too large."""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memo(dict[K, V]):
    """Holds at most ``limit`` entries, so memory doesn't grow with the number of cases.

    Emptying it costs nothing but to work the answers out again; no order of use is kept,
    since that would slow down every look-up.
    """

    __slots__ = ("limit",)

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def keep(self, key: K, value: V) -> V:
        """Remember and return ``value``."""
        if len(self) >= self.limit:
            self.clear()
        self[key] = value
        return value
