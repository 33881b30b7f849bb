"""Sentence templates, compiled once for each sex.

A template is plain text with slots: ``{He} {he} {His} {his} {him}`` (the patient),
``{side}`` (of the problem), ``{n:2-6}`` and ``{n:100-160:10}`` (whole numbers, with a step),
``{d:6.8-9.4}`` (one decimal). Text without a drawn slot compiles to a string, any other to
a tuple of strings and slots.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from casegen.schemas import TableError

from .randomness import Lane

_SLOT = re.compile(r"\{([^{}]*)\}")
_WHOLE = re.compile(r"n:(\d+)-(\d+)(?::(\d+))?")
_DECIMAL = re.compile(r"d:(\d+)\.(\d)-(\d+)\.(\d)")
_ARTICLE = re.compile(r"(?:^|[\s(])[aA] $")
_SPOKEN = 200
# A unit right behind a number.
_PLURAL = re.compile(
    r"^( (?:minute|hour|day|night|week|month|year|time|spell|point|pound|attack|glass|pillow))s\b"
)
_PRONOUNS = (
    {"He": "She", "he": "she", "His": "Her", "his": "her", "him": "her"},
    {"He": "He", "he": "he", "His": "His", "his": "his", "him": "him"},
)
SEXES = ("female", "male")


@dataclass(frozen=True, slots=True)
class Slot:
    """A number to draw: ``low + step * below(count)``, printed with ``tenths`` or whole."""

    low: int
    count: int
    step: int
    tenths: bool


Part = str | Slot
Compiled = str | tuple[Part, ...]
SIDE = "\x00side"


def compile_template(text: str, sex: int, keep: Sequence[str] = ()) -> Compiled:
    """Compile ``text`` for one sex (0 female, 1 male); slots in ``keep`` stay as they are.

    Raises TableError on an unknown slot.
    """
    parts: list[Part] = []
    buffer = ""
    at = 0
    for match in _SLOT.finditer(text):
        buffer += text[at : match.start()]
        at = match.end()
        name = match.group(1)
        pronoun = _PRONOUNS[sex].get(name)
        if pronoun is not None:
            buffer += pronoun
            continue
        if name in keep:
            buffer += match.group(0)
            continue
        if name == "side":
            parts += [buffer, SIDE]
        else:
            parts += [buffer, _slot(name, text)]
        buffer = ""
    buffer += text[at:]
    if not parts:
        return buffer
    parts.append(buffer)
    return tuple(part for part in parts if part != "")


def _slot(name: str, text: str) -> Slot:
    whole = _WHOLE.fullmatch(name)
    if whole:
        low, high, step = int(whole[1]), int(whole[2]), int(whole[3] or 1)
        if high >= low and step >= 1:
            return Slot(low, (high - low) // step + 1, step, False)
    decimal = _DECIMAL.fullmatch(name)
    if decimal:
        low = int(decimal[1]) * 10 + int(decimal[2])
        high = int(decimal[3]) * 10 + int(decimal[4])
        if high >= low:
            return Slot(low, high - low + 1, 1, True)
    raise TableError(f"unknown slot {{{name}}} in the template: {text}")


def render(template: Compiled, lane: Lane, side: str = "") -> str:
    """The text of a compiled template; numbers come from ``lane``."""
    if isinstance(template, str):
        return template
    out: list[str] = []
    single = False  # whether a 1 stands before the next part
    for part in template:
        if isinstance(part, str):
            text = side if part == SIDE else part
            out.append(_PLURAL.sub(r"\1", text) if single else text)
            single = False
        elif part.tenths:
            value = part.low + lane.below(part.count)
            out.append(f"{value // 10}.{value % 10}")
        else:
            number = part.low + part.step * lane.below(part.count)
            if out and number < _SPOKEN and article_of(number) == "an" and _ARTICLE.search(out[-1]):
                out[-1] = f"{out[-1][:-1]}n "
            out.append(str(number))
            single = number == 1
    text = "".join(out)
    if not side and SIDE in template:
        text = " ".join(text.split())
    return text


def article_of(number: int) -> str:
    """``a`` or ``an`` before a whole number up to 200 in figures."""
    return "an" if number in (8, 11, 18) or 80 <= number <= 89 else "a"


def compile_bank(texts: Sequence[str]) -> tuple[tuple[Compiled, ...], tuple[Compiled, ...]]:
    """The templates of a bank for women and for men."""
    return (
        tuple(compile_template(text, 0) for text in texts),
        tuple(compile_template(text, 1) for text in texts),
    )
