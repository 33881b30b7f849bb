"""Plots as inline SVG. Colours and fonts are those of the style sheet; text is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

_ROW, _WIDE = 24, 640
_LABEL, _FIGURE = 256, 92  # room for names at the left, for figures at the right
_LETTERS = 31  # that a name has room for


def bars(title: str, counts: Sequence[tuple[str, int]]) -> str:
    """A bar for each count, with its name, number and share."""
    total = sum(count for _, count in counts)
    most = max((count for _, count in counts), default=0)
    if not total:
        return ""
    room = _WIDE - _LABEL - _FIGURE
    parts = []
    for at, (name, count) in enumerate(counts):
        y = at * _ROW
        wide = max(2.0, room * count / most)
        parts.append(
            f"<g><title>{escape(name)}: {count:,} ({count / total:.1%})</title>"
            f'<text class="name" x="{_LABEL - 8}" y="{y + 16}">{escape(_short(name))}</text>'
            f'<rect class="bar" x="{_LABEL}" y="{y + 4}" width="{wide:.1f}" height="16" rx="2"/>'
            f'<text class="count" x="{_LABEL + wide + 6:.1f}" y="{y + 16}">'
            f'{count:,} <tspan class="share">{count / total:.1%}</tspan></text></g>'
        )
    return _svg(title, len(counts) * _ROW + 4, "".join(parts), _told(counts))


def histogram(title: str, bins: Sequence[tuple[str, int]], axis: str, tall: int = 180) -> str:
    """Columns side by side; every few bins have their name below."""
    most = max((count for _, count in bins), default=0)
    if not most:
        return ""
    left, bottom = 20, 40
    wide = (_WIDE - 2 * left) / len(bins)
    every = -(-len(bins) // 10)
    parts = [f'<line class="axis" x1="{left}" x2="{_WIDE - left}" y1="{tall}" y2="{tall}"/>']
    for at, (name, count) in enumerate(bins):
        high = (tall - 18) * count / most
        x = left + at * wide
        parts.append(
            f"<g><title>{escape(name)}: {count:,}</title>"
            f'<rect class="bar" x="{x + 1:.1f}" y="{tall - high:.1f}" width="{wide - 2:.1f}" '
            f'height="{high:.1f}"/></g>'
        )
        if at % every == 0:
            # Names of bins are those of their lower ends.
            parts.append(f'<text class="tick" x="{x:.1f}" y="{tall + 16}">{escape(name)}</text>')
    parts.append(f'<text class="label" x="{_WIDE / 2}" y="{tall + 34}">{escape(axis)}</text>')
    return _svg(title, tall + bottom, "".join(parts), _told(bins))


def grouped(title: str, groups: Mapping[str, Mapping[str, float]], legend: Sequence[str]) -> str:
    """Values from 0 to 1: groups of bars, one for each name of the legend, in its colour."""
    left, tall, bottom = 42, 200, 28
    wide = (_WIDE - left) / max(1, len(groups))
    bar = min(30.0, (wide - 16) / max(1, len(legend)))
    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = 14 + (tall - 14) * (1 - tick)
        parts.append(
            f'<line class="grid" x1="{left}" x2="{_WIDE}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="name" x="{left - 6}" y="{y + 4:.1f}">{tick:g}</text>'
        )
    told = []
    for at, (group, values) in enumerate(groups.items()):
        start = left + at * wide + (wide - bar * len(legend)) / 2
        for number, name in enumerate(legend):
            if name not in values:
                continue
            value = values[name]
            high = (tall - 14) * value
            x = start + number * bar
            told.append((f"{name}, {group}", value))
            parts.append(
                f"<g><title>{escape(name)}, {escape(group)}: {value:.3f}</title>"
                f'<rect class="c{number % 6}" x="{x + 1:.1f}" y="{tall - high:.1f}" '
                f'width="{bar - 2:.1f}" height="{max(high, 1.5):.1f}"/>'
                f'<text class="small" x="{x + bar / 2:.1f}" y="{tall - high - 3:.1f}">'
                f"{value:.2f}</text></g>"
            )
        middle = left + at * wide + wide / 2
        parts.append(f'<text class="label" x="{middle:.1f}" y="{tall + 18}">{escape(group)}</text>')
    keys = "".join(
        f'<span class="key"><i class="c{number % 6}"></i>{escape(name)}</span>'
        for number, name in enumerate(legend)
    )
    told_all = "; ".join(f"{name} {value:.3f}" for name, value in told)
    return f'<p class="keys">{keys}</p>{_svg(title, tall + bottom, "".join(parts), told_all)}'


def _svg(title: str, tall: float, inner: str, told: str) -> str:
    """A drawing that reads as its figures where it can't be seen."""
    return (
        f'<svg viewBox="0 0 {_WIDE} {tall:g}" role="img" '
        f'aria-label="{escape(title)}: {escape(told)}">{inner}</svg>'
    )


def _told(counts: Sequence[tuple[str, int]]) -> str:
    return "; ".join(f"{name} {count}" for name, count in counts)


def _short(name: str) -> str:
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1].rstrip()}…"
