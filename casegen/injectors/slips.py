"""Slips of the pen in ICD-10-CM codes that do not give themselves away by their looks.

A code that looks odd could be told without the note. So of all slips of a code those are the
likelier that look like real codes: their category exists and is a large one, and their
characters often follow each other in codes of the same letter and length.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

# Digits that a hand or a scanner takes for each other.
_ALIKE = {
    "0": "86", "1": "7", "2": "7", "3": "8", "4": "9", "5": "6", "6": "50", "7": "12",
    "8": "30", "9": "4",
}  # fmt: skip
_SEVENTHS = "ABCDS"
# How common a slip is beside one in the last digit, by where and what. A slip in the first
# three characters leads into another category; the tests measure what these figures are for.
_AWAY = 2.5
_SWAPPED = 3.0
_LOOKS = 2.0
_LONGER = 2.0
_SEVENTH = 0.05
# Codes of a category count up to this number.
_LARGE = 30
# Beyond what the list of codes says: claims hold few of these digits after the category.
_ODDS = {"4": 0.8, "5": 0.75, "6": 0.4, "7": 0.3, "8": 0.5, "9": 0.5}


@lru_cache(maxsize=8192)
def slips_of(tables: Tables, code: str) -> tuple[Sequence[str], Sequence[int]]:
    """Slips of a code, real codes among them, and the weight of each.

    Another last digit or seventh character, two neighbours the wrong way round, a digit for
    one that looks like it, a digit too many.
    """
    stem = code.replace(".", "")
    core = len(stem[:6].rstrip("X")) if len(stem) == 7 else len(stem)
    slips: dict[str, float] = {}
    if core > 3 and stem[core - 1].isdigit():
        for digit in "0123456789":
            slips[stem[: core - 1] + digit + stem[core:]] = 1.0
    if len(stem) == 7 and stem[6].isalpha():
        for char in _SEVENTHS:
            slips.setdefault(stem[:6] + char, _SEVENTH)
    for at in range(1, core - 1):
        pair = stem[at : at + 2]
        if pair.isdigit():
            slips.setdefault(stem[:at] + pair[::-1] + stem[at + 2 :], _SWAPPED if at > 2 else _AWAY)
    for at in range(1, core):
        for look in _ALIKE.get(stem[at], ""):
            slips.setdefault(stem[:at] + look + stem[at + 1 :], _LOOKS if at > 2 else _AWAY)
    if len(stem) < 6:
        for digit in "01239":
            slips[stem + digit] = _LONGER
    slips.pop(stem, None)
    chances = {
        slip: factor * chance
        for slip, factor in slips.items()
        if (chance := _likeness(tables, slip, core + len(slip) - len(stem))) > 0
    }
    top = max(chances.values(), default=1.0)
    weights = {_dotted(slip): int(chance / top * 4000) + 1 for slip, chance in chances.items()}
    return tuple(weights), tuple(weights.values())


def _dotted(stem: str) -> str:
    return stem if len(stem) == 3 else f"{stem[:3]}.{stem[3:]}"


def _likeness(tables: Tables, stem: str, core: int) -> float:
    """How much the characters of a stem look like a real code; 0 for a category that does not
    exist. Squared, because most of the usual endings are taken by real codes."""
    chance = 1.0 if len(stem) == 3 else float(min(_size(tables, stem[:3]), _LARGE))
    if not chance:
        return 0.0
    pairs, singles = _habits(tables, stem[0], core)
    for at in range(3, core):
        single = singles.get((at, stem[at]), 0.5) / singles.get((at, "*"), 10.0)
        before = singles.get((at - 1, stem[at - 1]), 0.5) if at > 3 else 0.0
        follows = pairs.get((at, stem[at - 1 : at + 1]), 0.5) / before if before else single
        chance *= single * follows * _ODDS.get(stem[at], 1.0)
    return chance


@lru_cache(maxsize=4096)
def _size(tables: Tables, category: str) -> int:
    """The number of codes in a category, 0 if there is none of that name."""
    store = tables.store
    node = store.index.get(category)
    return 0 if node is None else store.ends[node] - node


@lru_cache(maxsize=256)
def _habits(
    tables: Tables, letter: str, length: int
) -> tuple[Counter[tuple[int, str]], Counter[tuple[int, str]]]:
    """How often characters, and pairs of them, stand where in the codes of one letter and
    length (without placeholders and seventh character)."""
    pairs: Counter[tuple[int, str]] = Counter()
    singles: Counter[tuple[int, str]] = Counter()
    for stem in _stems(tables).get((letter, length), ()):
        for at in range(2, length):
            singles[at, stem[at]] += 1
            singles[at, "*"] += 1
            pairs[at, stem[at - 1 : at + 1]] += 1
    return pairs, singles


@lru_cache(maxsize=2)
def _stems(tables: Tables) -> dict[tuple[str, int], list[str]]:
    """The last codes of the tabular list by letter and length."""
    store = tables.store
    found: dict[tuple[str, int], list[str]] = {}
    for node, stem in enumerate(store.stems):
        if store.is_leaf(node) and ":" not in stem:
            found.setdefault((stem[0], len(stem)), []).append(stem)
    return found
