"""Plots as inline SVG. Colours and fonts are those of the style sheet; text is escaped.

Each is drawn twice, for wide and for narrow screens, and the style sheet shows one of them: text
that was made smaller with its drawing could not be read on a phone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from textwrap import wrap

WIDE, NARROW = 640, 330
_ROW = 24
_LABEL = 256  # room for names at the left
_LETTERS = 31  # that a name at the left has room for
_LETTER = 7.0  # the usual width of one
_DIGIT = 8.3  # and of a digit, in the widest of the usual fonts
_LINE = 17  # of a name that stands over its bar
_TICK = 36  # between two names of bins
_AXIS = 46  # room for the figures of an upright axis


def bars(title: str, counts: Sequence[tuple[str, int]]) -> str:
    """A bar for each count, with its name, number and share."""
    if not sum(count for _, count in counts):
        return ""
    return _both(title, _told(counts), lambda wide: _bars(counts, wide))


def _bars(counts: Sequence[tuple[str, int]], wide: int) -> tuple[str, float]:
    total = sum(count for _, count in counts)
    most = max(count for _, count in counts)
    # Names that are too long for the left stand over their bars, and none is cut.
    over = wide == NARROW or any(len(name) > _LETTERS for name, _ in counts)
    left = 0 if over else _LABEL
    room = wide - left - 12 - _DIGIT * len(f"{most:,} 100.0%")
    parts, y = [], 0.0
    for name, count in counts:
        long = max(2.0, room * count / most)
        if over:
            lines = wrap(name, int(wide / _LETTER)) or [""]
            told = "".join(
                f'<text class="over" x="0" y="{y + 14 + at * _LINE:g}">{escape(line)}</text>'
                for at, line in enumerate(lines)
            )
            y += len(lines) * _LINE
        else:
            told = f'<text class="name" x="{left - 8}" y="{y + 16:g}">{escape(name)}</text>'
        parts.append(
            f"<g><title>{escape(name)}: {count:,} ({count / total:.1%})</title>{told}"
            f'<rect class="bar" x="{left}" y="{y + 4:g}" width="{long:.1f}" height="16" rx="2"/>'
            f'<text class="count" x="{left + long + 6:.1f}" y="{y + 16:g}">'
            f'{count:,} <tspan class="share">{count / total:.1%}</tspan></text></g>'
        )
        y += _ROW
    return "".join(parts), y + 4


def histogram(
    title: str, bins: Sequence[tuple[str, int]], end: str, axis: str, tall: int = 180
) -> str:
    """Columns side by side; every few bins have their name below, which is their lower end, and
    ``end`` is that of the last. The height of the highest stands at the left."""
    if not max((count for _, count in bins), default=0):
        return ""
    return _both(title, _told(bins), lambda wide: _histogram(bins, end, axis, tall, wide))


def _histogram(
    bins: Sequence[tuple[str, int]], end: str, axis: str, tall: int, whole: int
) -> tuple[str, float]:
    most, top = max(count for _, count in bins), 14
    right = whole - 20
    left = 16 + _DIGIT * len(f"{most:,}")
    wide = (right - left) / len(bins)
    every = -(-len(bins) // (10 if whole == WIDE else 5))
    parts = [
        f'<line class="grid" x1="{left:g}" x2="{right}" y1="{top}" y2="{top}"/>',
        f'<line class="axis" x1="{left:g}" x2="{right}" y1="{tall}" y2="{tall}"/>',
        f'<text class="name" x="{left - 6:g}" y="{top + 4}">{most:,}</text>',
        f'<text class="name" x="{left - 6:g}" y="{tall + 4}">0</text>',
    ]
    for at, (name, count) in enumerate(bins):
        high = (tall - top) * count / most
        x = left + at * wide
        parts.append(
            f"<g><title>{escape(name)}: {count:,}</title>"
            f'<rect class="bar" x="{x + 1:.1f}" y="{tall - high:.1f}" width="{wide - 2:.1f}" '
            f'height="{high:.1f}"/></g>'
        )
        if at % every == 0 and (at == 0 or right - x >= _TICK):
            parts.append(f'<text class="tick" x="{x:.1f}" y="{tall + 18}">{escape(name)}</text>')
    parts.append(f'<text class="tick" x="{right}" y="{tall + 18}">{escape(end)}</text>')
    middle = (left + right) / 2
    parts.append(f'<text class="label" x="{middle:g}" y="{tall + 36}">{escape(axis)}</text>')
    return "".join(parts), tall + 42


def grouped(title: str, groups: Mapping[str, Mapping[str, float]], legend: Sequence[str]) -> str:
    """Values from 0 to 1: groups of bars, one for each name of the legend, in its colour."""
    told = "; ".join(
        f"{name}, {group} {values[name]:.3f}"
        for group, values in groups.items()
        for name in legend
        if name in values
    )
    keys = "".join(
        f'<span class="key"><i class="c{number % 6}"></i>{escape(name)}</span>'
        for number, name in enumerate(legend)
    )

    def draw(wide: int) -> tuple[str, float]:
        return (_upright if wide == WIDE else _lying)(groups, legend, wide)

    return f'<p class="keys">{keys}</p>{_both(title, told, draw)}'


def _upright(
    groups: Mapping[str, Mapping[str, float]], legend: Sequence[str], whole: int
) -> tuple[str, float]:
    """Groups side by side over an axis."""
    left, tall, top = _AXIS, 200, 14
    wide = (whole - left) / max(1, len(groups))
    bar = min(30.0, (wide - 16) / max(1, len(legend)))
    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = top + (tall - top) * (1 - tick)
        parts.append(
            f'<line class="grid" x1="{left}" x2="{whole}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="name" x="{left - 6}" y="{y + 4:.1f}">{tick:g}</text>'
        )
    for at, (group, values) in enumerate(groups.items()):
        start = left + at * wide + (wide - bar * len(legend)) / 2
        for number, name in enumerate(legend):
            if name not in values:
                continue
            high = (tall - top) * values[name]
            x = start + number * bar
            parts.append(
                f"<g>{_title(name, group, values[name])}"
                f'<rect class="c{number % 6}" x="{x + 1:.1f}" y="{tall - high:.1f}" '
                f'width="{bar - 2:.1f}" height="{max(high, 1.5):.1f}"/>'
                f'<text class="small" x="{x + bar / 2:.1f}" y="{tall - high - 3:.1f}">'
                f"{values[name]:.2f}</text></g>"
            )
        middle = left + at * wide + wide / 2
        parts.append(f'<text class="label" x="{middle:.1f}" y="{tall + 18}">{escape(group)}</text>')
    return "".join(parts), tall + 28


def _lying(
    groups: Mapping[str, Mapping[str, float]], legend: Sequence[str], whole: int
) -> tuple[str, float]:
    """Groups one below the other, a bar in a line."""
    parts, y, room = [], 0, whole - 44
    for group, values in groups.items():
        parts.append(f'<text class="over" x="0" y="{y + 14}">{escape(group)}</text>')
        y += _LINE + 3
        for number, name in enumerate(legend):
            if name not in values:
                continue
            long = max(2.0, room * values[name])
            parts.append(
                f"<g>{_title(name, group, values[name])}"
                f'<rect class="c{number % 6}" x="0" y="{y}" width="{long:.1f}" height="13"/>'
                f'<text class="count" x="{long + 6:.1f}" y="{y + 11}">{values[name]:.2f}</text></g>'
            )
            y += _LINE
        y += 6
    return "".join(parts), y


def _title(name: str, group: str, value: float) -> str:
    return f"<title>{escape(name)}, {escape(group)}: {value:.3f}</title>"


def _both(title: str, told: str, draw: Callable[[int], tuple[str, float]]) -> str:
    """The drawing for wide screens and that for narrow ones. Each reads as its figures where it
    can't be seen."""
    parts = []
    for kind, wide in (("wide", WIDE), ("narrow", NARROW)):
        inner, tall = draw(wide)
        parts.append(
            f'<svg class="{kind}" viewBox="0 0 {wide} {tall:g}" role="img" '
            f'aria-label="{escape(title)}: {escape(told)}">{inner}</svg>'
        )
    return "".join(parts)


def _told(counts: Sequence[tuple[str, int]]) -> str:
    return "; ".join(f"{name} {count}" for name, count in counts)
