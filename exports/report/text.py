"""Small pieces of HTML of a report. All text that goes in is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class Mark:
    """A place of a text that is marked: ``kind`` is a class of the style sheet, ``title`` says
    why. ``number`` stands before it, if there is one."""

    start: int
    end: int
    kind: str
    title: str
    number: str = ""


def part(name: str, title: str, inner: str) -> str:
    """A titled part of a case; ``inner`` is HTML. Its title is no id: a page shows many cases."""
    told = escape(title)
    return f'<section class="{escape(name)}" aria-label="{told}"><h4>{told}</h4>{inner}</section>'


def paragraph(text: str) -> str:
    """A text as it stands, with its line breaks."""
    return f'<div class="text">{escape(text)}</div>'


def marked(text: str, marks: Iterable[Mark]) -> str:
    """A text with its marks. Where two overlap, the one that begins first (of these the longer)
    is kept, and takes the number of the other into its own."""
    parts: list[str] = []
    done = 0
    for mark in _apart(marks):
        number = f'<sup aria-hidden="true">{escape(mark.number)}</sup>' if mark.number else ""
        parts += [
            escape(text[done : mark.start]),
            f'<mark class="{escape(mark.kind)}" title="{escape(mark.title)}">',
            f"{number}{escape(text[mark.start : mark.end])}</mark>",
        ]
        done = mark.end
    return f'<div class="text">{"".join([*parts, escape(text[done:])])}</div>'


def _apart(marks: Iterable[Mark]) -> Sequence[Mark]:
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda one: (one.start, -one.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
            continue
        last = kept[-1]
        # An error outweighs what only looks like one.
        kind = "evidence" if "evidence" in (mark.kind, last.kind) else last.kind
        numbers = last.number.split(",") if last.number else []
        if mark.number and mark.number not in numbers:
            numbers.append(mark.number)
        titles = [last.title, mark.title] if mark.title not in last.title else [last.title]
        end = max(last.end, mark.end)
        kept[-1] = Mark(last.start, end, kind, "; ".join(titles), ",".join(numbers))
    return kept
