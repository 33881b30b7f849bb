"""Draws shapes as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from casegen.schemas.errors import printable

from .plot import TALL, WIDE, Line, Words


def svg(shapes: Sequence[Line | Words], told: str) -> bytes:
    """The drawing as a file; ``told`` says the same to whoever can't see it."""
    size = f'viewBox="0 0 {WIDE} {TALL}" width="{WIDE}" height="{TALL}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="sans-serif">',
        f"<title>{escape(printable(told))}</title>",
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for shape in shapes:
        parts.append(_line(shape) if isinstance(shape, Line) else _words(shape))
    return "\n".join([*parts, "</svg>", ""]).encode()


def _line(line: Line) -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in line.points)
    return (
        f'<polyline points="{places}" fill="none" stroke="{line.color}" '
        f'stroke-width="{line.width}" stroke-linejoin="round"/>'
    )


def _words(words: Words) -> str:
    return (
        f'<text x="{words.x:.1f}" y="{words.y:.1f}" font-size="{words.size}" '
        f'fill="{words.color}" text-anchor="{words.anchor}">{escape(printable(words.text))}</text>'
    )
