"""The learning curve as a drawing: lines and words with places, for SVG and PNG alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .curve import Point

WIDE, TALL = 960, 540
LEFT, RIGHT, TOP, BOTTOM = 80, 30, 64, 64
INK, GRID, MUTED = "#1f2430", "#dfe3ea", "#5b6472"


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points, in pixels from the upper left corner."""

    points: tuple[tuple[float, float], ...]
    color: str
    width: int


@dataclass(frozen=True, slots=True)
class Words:
    """A text; ``anchor`` is start, middle or end of it at ``x``, and ``y`` its base line."""

    x: float
    y: float
    text: str
    size: int
    color: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Series:
    """One curve: its name, colour, width and the share at each point."""

    name: str
    color: str
    width: int
    values: tuple[float, ...]


def series(points: Sequence[Point], top: int) -> list[Series]:
    """The curves that are drawn: the window lies beneath the sums."""
    return [
        Series("accuracy, window", "#9db8e8", 1, tuple(p.window_accuracy for p in points)),
        Series(f"top-{top} accuracy", "#c2711f", 3, tuple(p.top for p in points)),
        Series("accuracy", "#1f5fbf", 3, tuple(p.accuracy for p in points)),
    ]


def drawing(title: str, points: Sequence[Point], top: int) -> list[Line | Words]:
    """The shapes of the plot, in the order in which they are drawn."""
    last = points[-1].rows if points else 1
    shapes: list[Line | Words] = [Words(LEFT, 30, title, 18, INK, "start")]
    for step in range(6):
        y = _y(step / 5)
        shapes.append(Line(((LEFT, y), (WIDE - RIGHT, y)), GRID, 1))
        shapes.append(Words(LEFT - 10, y + 5, f"{step * 20}%", 14, MUTED, "end"))
    for rows in range(0, last + 1, _step(last)):
        x = _x(rows, last)
        shapes.append(Words(x, TALL - BOTTOM + 24, f"{rows:,}", 14, MUTED, "middle"))
    middle = (LEFT + WIDE - RIGHT) / 2
    shapes.append(Words(middle, TALL - 14, "rows evaluated", 14, MUTED, "middle"))
    curves = series(points, top)
    for one in curves:
        places = tuple(
            (_x(point.rows, last), _y(value))
            for point, value in zip(points, one.values, strict=True)
        )
        # One point makes no line: a short one shows where it lies.
        shapes.append(Line(places if len(places) != 1 else _dash(places[0]), one.color, one.width))
    x = float(LEFT)
    for one in reversed(curves):
        value = f" {one.values[-1]:.1%}" if one.values else ""
        shapes.append(Line(((x, 49), (x + 22, 49)), one.color, one.width))
        shapes.append(Words(x + 30, 54, one.name + value, 14, INK, "start"))
        x += 250
    return shapes


def _step(last: int) -> int:
    """A round number of rows between two marks, so that there are four to nine."""
    size = 1
    while size * 10 <= last:
        size *= 10
    return next(step for step in (size // 5, size // 2, size) if step and last // step <= 9)


def _x(rows: float, last: int) -> float:
    return LEFT + (WIDE - LEFT - RIGHT) * rows / last


def _y(share: float) -> float:
    return TALL - BOTTOM - (TALL - TOP - BOTTOM) * share


def _dash(place: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    return ((place[0] - 8, place[1]), place)
