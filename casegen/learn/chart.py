"""The learning curve in characters, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .curve import Point

_TALL = 10
_LEVELS = "▁▂▃▄▅▆▇█"


def chart(points: Sequence[Point], width: int) -> list[str]:
    """Lines of a chart: the accuracy of the windows as columns, from left to right in time."""
    columns = _columns([point.window_accuracy for point in points], max(10, width - 8))
    most = max(columns, default=0.0)
    scale = next(one for one in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0) if most <= one)
    lines = []
    for row in range(_TALL, 0, -1):
        name = f"{scale * row / _TALL:6.1%}" if row in (_TALL, _TALL // 2) else ""
        cells = "".join(_cell(value / scale * _TALL - (row - 1)) for value in columns)
        lines.append(f"{name:>6} │{cells}".rstrip())
    lines.append(f"{'0':>6} └" + "─" * len(columns))
    return lines


def _columns(values: list[float], room: int) -> list[float]:
    """As many values as there is room for: means of neighbours, or each value several times."""
    if len(values) <= room:
        wide = room // max(1, len(values))
        return [value for value in values for _ in range(wide)]
    edges = [at * len(values) // room for at in range(room + 1)]
    return [sum(values[start:end]) / (end - start) for start, end in pairwise(edges)]


def _cell(height: float) -> str:
    """The character for the part of a column that lies in one row."""
    if height <= 0:
        return " "
    return _LEVELS[min(7, int(height * 8))]
