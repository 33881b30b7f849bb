"""Sentences that say how facts stand to each other: ruled out, unrelated, separate, same."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from casegen.schemas import Span

from ..chart.model import Statement
from ..randomness import Fixed
from ..templates import compile_template, render
from .pen import upper_first

if TYPE_CHECKING:
    from .page import Page

_NAMED = re.compile(r"\{(keep|drop|a|b|other)\}")
_NAMES = ("keep", "drop", "a", "b", "other")


@lru_cache(maxsize=16384)
def _pieces(text: str, sex: int) -> tuple[str, ...]:
    """``text`` for one sex, cut at its named places: text, name, text, name, … text."""
    compiled = compile_template(text, sex, _NAMES)
    if type(compiled) is not str:
        compiled = render(compiled, Fixed(f"relation/{text}"))
    return tuple(_NAMED.split(compiled))


def put_statement(page: Page, statement: Statement) -> None:
    """Write the sentence. Its whole length is the span of the statement's own fact and of a
    problem that it rules out; a problem that it names as present gets the span of its name."""
    pen = page.pen
    text = statement.text
    if statement.bank is not None:
        text = page.voice.need(statement.bank).sentence(page.draw())
    pieces = _pieces(text, page.sex)
    if len(pieces) == 1:
        pen.state(pieces[0], page.facts[statement.id])
        return
    problems = {problem.id: problem for problem in page.chart.problems}
    start = at = pen.at
    out: list[str] = []
    for i, piece in enumerate(pieces):
        text = piece
        if i % 2:
            problem = problems[statement.mentions[piece]]
            text = page.name(problem)
            if at == start:
                text = upper_first(text)
            if problem.status == "active":
                page.facts[problem.id].spans.append(Span(at, at + len(text), text))
        out.append(text)
        at += len(text)
    sentence = "".join(out)
    span = Span(start, at, sentence)
    pen.put(f"{sentence} ")
    page.facts[statement.id].spans.append(span)
    for identity in statement.mentions.values():
        if problems[identity].status != "active":
            page.facts[identity].spans.append(span)
