"""What a simulation measured: as lines, as JSON, on a terminal and as a drawing."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from .chart import chart
from .columns import Columns
from .curve import Point
from .plot import drawing
from .simulate import TOP, Simulation, Skipped

LEARNER = "multinomial naive Bayes over hashed words and pairs of words"
_WIDEST = 100


def figures(simulation: Simulation, skipped: Skipped) -> dict[str, int | float | None]:
    """The figures by name, in the order in which they are printed. ``rows_total`` is all rows:
    those passed over, the warm-up and the evaluated ones."""
    tally = simulation.tally
    passed = skipped.kinds.total()
    return {
        "rows_total": tally.learned + passed,
        "rows_warmup": tally.warmup,
        "rows_evaluated": tally.evaluated,
        "accuracy": tally.share(tally.right),
        f"top{TOP}_accuracy": tally.share(tally.in_top),
        "majority_accuracy": tally.share(tally.majority),
        "rows_new_code": tally.new,
        "codes": tally.codes,
        "rows_skipped": passed,
    }


def lines(simulation: Simulation, skipped: Skipped) -> list[str]:
    """The figures as lines of ``name: value``."""
    told = [f"{name}: {_told(value)}" for name, value in figures(simulation, skipped).items()]
    return told + [f"skipped_{kind}: {count}" for kind, count in skipped.kinds.most_common()]


def _told(value: int | float | None) -> str:
    if value is None:
        return "none"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def as_json(simulation: Simulation, skipped: Skipped, columns: Columns, complete: bool) -> str:
    """The figures and the curve as one JSON object."""
    data: dict[str, Any] = {
        **figures(simulation, skipped),
        "skipped": dict(skipped.kinds.most_common()),
        "first_skipped": [
            {"line": one.line, "kind": one.kind, "why": one.told} for one in skipped.first
        ],
        "text_column": columns.names[0],
        "code_column": columns.names[1],
        "batch": simulation.batch,
        "learner": LEARNER,
        "complete": complete,
        "curve": [_point(point) for point in simulation.curve.points()],
    }
    return orjson.dumps(data).decode()


def _point(point: Point) -> dict[str, int | float]:
    return {
        "rows_evaluated": point.rows,
        "accuracy": point.accuracy,
        f"top{TOP}_accuracy": point.top,
        "window_accuracy": point.window_accuracy,
        f"window_top{TOP}_accuracy": point.window_top,
    }


def nothing(skipped: Skipped) -> str:
    """Why there is nothing to tell of a file."""
    passed = skipped.kinds.total()
    if not passed:
        return "holds a header and no row"
    kinds = ", ".join(f"{kind} {count:,}" for kind, count in skipped.kinds.most_common())
    first = skipped.first[0]
    return f"no row can be used ({kinds}); the first is line {first.line}: {first.told}"


def all_warmup(simulation: Simulation) -> str:
    """Why nothing was measured: no row was left behind the warm-up."""
    learned = simulation.tally.learned
    rows = "the only row" if learned == 1 else f"all {learned:,} rows"
    return f"{rows} went into the warm-up of {simulation.warmup:,}; lower --warmup"


def terminal(points: Sequence[Point]) -> list[str]:
    """The learning curve in characters, as wide as the terminal."""
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    head = f"Accuracy along the stream, to row {points[-1].rows:,} of those evaluated"
    return [head, *chart(points, width)]


def drawn(points: Sequence[Point], top: int, name: str, png: bool) -> bytes:
    """The learning curve as SVG or PNG."""
    name = Path(name).name
    title = f"Learning curve: {name if len(name) <= 60 else name[:57] + '...'}"
    shapes = drawing(title, points, top)
    if png:
        from .png import png as painted

        return painted(shapes)
    from .svg import svg

    end = points[-1] if points else None
    told = f"{title}; accuracy {end.accuracy:.4f} after {end.rows:,} rows" if end else title
    return svg(shapes, told)
