"""Sentences that say how facts stand to each other: ruled out, unrelated, separate, same."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ..chart.model import Statement
from ..randomness import Fixed
from ..templates import compile_template, render
from .pen import upper_first

if TYPE_CHECKING:
    from .page import Page

_NAMED = re.compile(r"\{(keep|drop|other|bare|[a-e])\}")
_NAMES = ("keep", "drop", "other", "bare", *"abcde")
_PRESENT = ("active", "history")


@lru_cache(maxsize=1024)
def _pieces(text: str, sex: int) -> tuple[str, ...]:
    """``text`` for one sex, cut at its named places: text, name, text, name, … text."""
    compiled = compile_template(text, sex, _NAMES)
    if type(compiled) is not str:
        compiled = render(compiled, Fixed(f"relation/{text}"))
    return tuple(_NAMED.split(compiled))


def put_statement(page: Page, statement: Statement) -> None:
    """Write the sentence. Its whole length is the span of the statement's own fact and of a
    problem that it rules out; a problem that it names as present gets the span of its name, unless
    the name is without its side (``{bare}``)."""
    pen = page.pen
    facts = page.facts
    if statement.bank is None:
        cut = _pieces(statement.text, page.sex)
    else:
        # A sentence of a bank is one of many; its halves are for this sex already.
        cut = tuple(_NAMED.split(page.voice.need(statement.bank).sentence(page.draw())))
    if len(cut) == 1:
        pen.state(cut[0], facts[statement.id])
        return
    problems = {problem.id: problem for problem in page.chart.problems}
    marks, piece = pen.marks, len(pen.pieces)
    at = 0
    out: list[str] = []
    for i, text in enumerate(cut):
        if i % 2:
            problem = problems[statement.mentions[text]]
            bare = text == "bare"
            text = page.name(problem, sided=not bare)
            if not at:
                text = upper_first(text)
            if problem.status in _PRESENT and not bare:
                marks.append((facts[problem.id], piece, at, text))
        out.append(text)
        at += len(text)
    sentence = "".join(out)
    pen.state(sentence, facts[statement.id])
    for identity in statement.mentions.values():
        if problems[identity].status not in _PRESENT:
            marks.append((facts[identity], piece, 0, sentence))
