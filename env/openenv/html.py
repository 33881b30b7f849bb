"""Small pieces of HTML. All text that goes in is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any


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


def steps(told: Mapping[str, Any]) -> str:
    """How many steps are taken, what the last act paid and what was wrong with it."""
    left = told["max_steps"] - told["step_count"]
    taken = f"{told['step_count']} of {told['max_steps']} steps taken, {left} left"
    # Under the strict profile the only reward is the last one, which is the score.
    paid = f" · reward of this act {told['reward']:+.2f}" if told["reward"] else ""
    line = f'<p class="steps">{escape(taken + paid)}</p>'
    wrong = told["last_action_error"]
    return line + (f'<p class="wrong">{escape(wrong)}</p>' if wrong else "")


def score(told: Mapping[str, Any]) -> str:
    """The score of an episode that is over, and its figures."""
    reached, metrics = told["grader_score"], told["episode_metrics"] or {}
    shown = [
        (words(name), f"{value:.3g}" if isinstance(value, float) else str(value))
        for name, value in metrics.items()
        if isinstance(value, int | float | str)
    ]
    head = f'<p class="score">{reached:.3f}<small> of 1</small></p>' if reached is not None else ""
    return section("score", "Score", head + facts(shown))


def text(title: str, words: str) -> str:
    """A text that an agent reads, its words already HTML. It scrolls, so it can be reached by
    key; the page reads what is selected in it."""
    return f'<div class="text" data-note tabindex="0" aria-label="{escape(title)}">{words}</div>'


def form(
    title: str, act: Mapping[str, Any], submit: str, *fields: dict[str, Any]
) -> dict[str, Any]:
    """A form for an act, of which ``act`` is fixed."""
    return {"title": title, "action": dict(act), "submit": submit, "fields": fields}


def field(
    name: str,
    label: str,
    kind: str,
    *,
    required: bool = True,
    options: Sequence[Any] = (),
    value: Any = None,
) -> dict[str, Any]:
    """A field of a form; see ``FamilyEnvironment.web_forms``."""
    return {
        "name": name, "label": label, "kind": kind, "required": required, "options": options,
        "value": value,
    }  # fmt: skip


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
