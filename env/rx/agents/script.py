"""Scripted agents of rx, and the acts that they yield."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from casegen.env.writing.script import Move, Script, each
from casegen.env.writing.script import Scripted as _Scripted
from casegen.schemas.rx_case import Component, RxTask
from casegen.schemas.rx_play import RxAction, RxObservation

from ..acts import REQUEST, SUBMIT
from ..case import FIELDS, FULL, LOOKED_FOR, SOURCES

__all__ = ["Move", "Script", "Scripted", "ask", "each", "requests", "submit"]


class Scripted(_Scripted):
    """Follows a script to its end."""

    def __init__(self, script: Callable[[RxObservation], Script]) -> None:
        super().__init__(script, lambda: RxAction(SUBMIT))


def ask(source: str) -> RxAction:
    """Ask for a part of the record."""
    return RxAction(REQUEST, source)


def requests(steps: int) -> tuple[str, ...]:
    """What to ask for in order to see all before the last step: one source at a time, all at once
    where steps are short."""
    return SOURCES if steps > len(SOURCES) else (FULL,)


def submit(
    task: RxTask,
    dosage_safe: bool,
    named: Mapping[Component, Sequence[str]],
    recommendation: str,
    reasoning: str | None = None,
) -> RxAction:
    """The answer, with the fields that the task looks for."""
    given = {FIELDS[part]: list(named.get(part, ())) for part in LOOKED_FOR[task]}
    return RxAction(
        SUBMIT,
        dosage_safe=dosage_safe,
        recommendation=recommendation,
        reasoning=reasoning,
        **given,  # type: ignore[arg-type]
    )
