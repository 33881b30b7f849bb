"""How a written agent comes to its answer: the primary code, then the others, then the flag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from casegen.schemas.coding_play import CodingAction

from .script import draft


@dataclass(frozen=True, slots=True)
class Stage:
    """A draft on the way: the act, and the codes that it adds."""

    act: CodingAction
    added: tuple[str, ...]


def stages(primary: str, secondary: Sequence[str], steps: int) -> list[Stage]:
    """The drafts that lead to these codes in as many steps or fewer: one code at a time, several
    where steps are short. The last step is left for the end."""
    first = [Stage(draft(primary), (primary,))] if primary else []
    room = max(1, steps - 1 - len(first))
    told = list(secondary)
    size = -(-len(told) // room) if told else 1
    drafts = []
    for end in range(size, len(told) + size, size):
        added = tuple(told[end - size : end])
        drafts.append(Stage(draft(secondary=told[:end]), added))
    return first + drafts
