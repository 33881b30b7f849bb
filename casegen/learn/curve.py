"""The learning curve, in a number of points that stays the same however long the stream is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .simulate import Tally

MOST_POINTS = 200


@dataclass(frozen=True, slots=True)
class Window:
    """Rows in a line that were evaluated, and how many of them were right and in the top."""

    rows: int
    right: int
    in_top: int

    def __add__(self, other: Window) -> Window:
        return Window(self.rows + other.rows, self.right + other.right, self.in_top + other.in_top)


@dataclass(frozen=True, slots=True)
class Point:
    """After ``rows`` rows evaluated: the shares of all rows so far, and of the last window."""

    rows: int
    accuracy: float
    top: float
    window_accuracy: float
    window_top: float


class Curve:
    """Windows of a stream, of equal numbers of batches. Once there are too many, each two
    neighbours become one."""

    def __init__(self, most: int = MOST_POINTS) -> None:
        self._most = most
        self._windows: list[Window] = []
        self._batches = 1  # of a window
        self._in_last = 1  # batches in the last window

    def add(self, before: Tally, after: Tally) -> None:
        """Enter what one batch added."""
        new = Window(
            after.evaluated - before.evaluated,
            after.right - before.right,
            after.in_top - before.in_top,
        )
        if not new.rows:
            return
        if self._windows and self._in_last < self._batches:
            self._windows[-1] += new
            self._in_last += 1
            return
        self._windows.append(new)
        self._in_last = 1
        if len(self._windows) > self._most:
            self._halve()

    def _halve(self) -> None:
        pairs = zip(self._windows[::2], self._windows[1::2], strict=False)
        merged = [one + other for one, other in pairs]
        if len(self._windows) % 2:
            merged.append(self._windows[-1])
        else:
            self._in_last = self._batches + self._in_last
        self._windows = merged
        self._batches *= 2

    def points(self) -> list[Point]:
        """The points, in order."""
        found = []
        so_far = Window(0, 0, 0)
        for one in self._windows:
            so_far = so_far + one
            found.append(
                Point(
                    so_far.rows,
                    so_far.right / so_far.rows,
                    so_far.in_top / so_far.rows,
                    one.right / one.rows,
                    one.in_top / one.rows,
                )
            )
        return found
