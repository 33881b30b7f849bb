"""Sentences that say how facts stand to each other: ruled out, unrelated, separate, same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from casegen.schemas import Fact, Span

from ..chart.model import Chart, Statement
from ..randomness import Lane
from ..templates import compile_template, render
from .mention import name_problem
from .pen import Pen, upper_first

_NAMED = re.compile(r"\{(keep|drop|a|b|other)\}")


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[str, ...]:
    """``text`` cut at its named places: text, name, text, name, … text."""
    return tuple(_NAMED.split(text))


def put_statement(
    pen: Pen,
    statement: Statement,
    facts: Mapping[str, Fact],
    chart: Chart,
    sex: int,
    lane: Lane,
) -> None:
    """Write the sentence. Its whole length is the span of the statement's own fact and of a
    problem that it rules out; a problem that it names as present gets the span of its name."""
    start = pen.at
    if not statement.mentions:
        template = compile_template(statement.text, sex)
        pen.state(render(template, lane), facts[statement.id])
        return
    by_id = {problem.id: problem for problem in chart.problems}
    pieces = _pieces(statement.text)
    first_piece = len(pen.pieces)
    for i, piece in enumerate(pieces):
        if not piece:
            continue
        if i % 2 == 0:
            template = compile_template(piece, sex)
            pen.put(render(template, lane))
            continue
        problem = by_id[statement.mentions[piece]]
        name = name_problem(problem, sex, lane)
        if pen.at == start:
            name = upper_first(name)
        if problem.status == "active":
            pen.state(name, facts[problem.id])
        else:
            pen.put(name)
    text = "".join(pen.pieces[first_piece:])
    span = Span(start, pen.at, text)
    facts[statement.id].spans.append(span)
    for identity in statement.mentions.values():
        if by_id[identity].status != "active":
            facts[identity].spans.append(span)
