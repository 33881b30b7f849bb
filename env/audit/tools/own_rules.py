"""What a task itself rules, told before the official tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from casegen.env.codes import fold


def with_own_rules(own: Mapping[str, str], official: str, *codes: str) -> str:
    """The official text, after the rules of the task for these codes.

    One code takes its own rule and those of every pair that it is in; two take that of the
    pair, in either order.
    """
    if not own:
        return official
    told = "\n".join(_rules(own, frozenset(map(fold, codes))))
    if not told:
        return official
    return f"Rule of this task:\n{told}\n\nOfficial tables:\n{official}"


def _rules(own: Mapping[str, str], asked: frozenset[str]) -> Iterator[str]:
    for key, text in own.items():
        if asked <= frozenset(map(fold, key.split("|"))):
            yield text
