"""Words that commands share."""

from __future__ import annotations


def counted(number: int, things: str) -> str:
    """``1 redraw``, ``2,000 redraws``: a number and what it counts, given in the plural."""
    if number == 1:
        head, of, rest = things.partition(" of ")
        things = head.removesuffix("s") + of + rest
    return f"{number:,} {things}"
