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
    told = list(secondary)
    count = min(len(told), max(1, steps - 1 - len(first)))
    ends = [len(told) * (number + 1) // count for number in range(count)]
    begins = [0, *ends]
    drafts = [
        Stage(draft(secondary=told[:end]), tuple(told[begin:end]))
        for begin, end in zip(begins, ends, strict=False)
    ]
    return first + drafts
