"""Texts in which each bracket has its other half."""

from __future__ import annotations

import re
from itertools import pairwise

OPENS = {")": "(", "]": "[", "}": "{"}
_BRACKET = re.compile(r"[()\[\]{}]")


def balanced(text: str) -> str:
    """The longest part of a text in which each bracket has its other half."""
    lonely = lonely_brackets(text)
    if not lonely:
        return text
    parts = (text[one + 1 : other] for one, other in pairwise((-1, *lonely, len(text))))
    return balanced(max(parts, key=len).strip())  # crossed ones may leave others lonely


def lonely_brackets(text: str) -> list[int]:
    """The places of the brackets that have no other half in a text."""
    opened: list[int] = []
    lonely: list[int] = []
    for found in _BRACKET.finditer(text):
        bracket = found.group()
        if bracket not in OPENS:
            opened.append(found.start())
        elif opened and text[opened[-1]] == OPENS[bracket]:
            opened.pop()
        else:
            lonely.append(found.start())
    return sorted(lonely + opened)
