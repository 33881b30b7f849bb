"""Scripted agents of coding, and the acts that they yield."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from casegen.env.writing.script import Move, Script, each
from casegen.env.writing.script import Scripted as _Scripted
from casegen.schemas.coding_play import CodingAction, CodingObservation

__all__ = ["Move", "Script", "Scripted", "draft", "each", "finalize", "hint"]


class Scripted(_Scripted):
    """Follows a script to its end, then finalizes."""

    def __init__(self, script: Callable[[CodingObservation], Script]) -> None:
        super().__init__(script, finalize)


def draft(
    primary: str = "",
    secondary: Sequence[str] | None = None,
    needs_review: bool | None = None,
) -> CodingAction:
    """Change the draft; what is left out stays."""
    codes = None if secondary is None else list(secondary)
    return CodingAction(primary, codes, needs_review)


def hint() -> CodingAction:
    """Ask for the next hint."""
    return CodingAction(request_hint=True)


def finalize(
    primary: str = "",
    secondary: Sequence[str] | None = None,
    needs_review: bool | None = None,
) -> CodingAction:
    """End the episode with the draft, changed where something is given."""
    codes = None if secondary is None else list(secondary)
    return CodingAction(primary, codes, needs_review, finalize=True)
