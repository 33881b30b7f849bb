"""What a family brings to a report, and the families that do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from casegen.schemas import TablesRef

Row = Mapping[str, Any]

# The module of each family; it holds VIEW. A family that is not here is shown without what is
# particular to it.
VIEWS = {
    "audit": "casegen.exports.report.audit",
    "coding": "casegen.exports.report.coding",
    "rx": "casegen.exports.report.rx",
}


@dataclass(frozen=True, slots=True)
class Series:
    """Things that are counted over the cases: ``noun`` says of what, ``sort`` whether they stand
    by number or by name."""

    name: str
    title: str
    noun: str
    by_name: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A family in a report.

    - ``columns``: the columns of ``cases`` that the functions read beside those of all families.
    - ``series``: what is counted; ``counted(row)`` gives the name of a series and what counts.
    - ``labels(row)``: the kinds of a case, by which a reader picks it.
    - ``case(row)``: the case as HTML, its note with the evidence marked.
    - ``act(action)``: an act in a line of plain text.
    - ``result(result)``: what came of it, as plain text, and whether it could not be done.
    - ``remark(tables)``: what to say of the tables that the figures go by, if anything.
    """

    columns: tuple[str, ...]
    series: tuple[Series, ...]
    counted: Callable[[Row], Iterator[tuple[str, str]]]
    labels: Callable[[Row], list[str]]
    case: Callable[[Row], str]
    act: Callable[[Row], str]
    result: Callable[[Row], tuple[str, bool]]
    remark: Callable[[TablesRef], str] = lambda tables: ""


def view(family: str) -> View:
    """The view of a family."""
    if family in VIEWS:
        found: View = import_module(VIEWS[family]).VIEW
        return found
    from .plain import VIEW

    return VIEW
