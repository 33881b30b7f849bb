"""Small pieces of HTML. All text that goes in is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def words(name: str) -> str:
    """A name of the code as words: ``ncci_edit`` is ``ncci edit``."""
    return name.replace("_", " ")


def section(name: str, title: str, inner: str) -> str:
    """A titled part of the page; ``inner`` is HTML."""
    return (
        f'<section class="{escape(name)}" aria-labelledby="h-{escape(name)}">'
        f'<h2 id="h-{escape(name)}" tabindex="-1">{escape(title)}</h2>{inner}</section>'
    )


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Names and values."""
    rows = (
        f"<div><dt>{escape(name)}</dt><dd>{escape(str(value))}</dd></div>" for name, value in pairs
    )
    return f"<dl>{''.join(rows)}</dl>"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with one line of headings, in a box of its own that scrolls where it is narrow."""
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        '<div class="table"><table>'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def paragraphs(texts: Iterable[str]) -> str:
    """A list of texts."""
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"


def marked(text: str, spans: Iterable[str]) -> str:
    """The text with each of ``spans`` marked where it stands first. Overlaps join."""
    places = sorted((at, at + len(span)) for span in spans if span and (at := text.find(span)) >= 0)
    parts = []
    done = 0
    for start, end in _joined(places):
        parts += [escape(text[done:start]), f"<mark>{escape(text[start:end])}</mark>"]
        done = end
    return "".join([*parts, escape(text[done:])])


def _joined(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in places:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
