"""Slips of the pen in ICD-10-CM codes that do not give themselves away by their looks.

A code that looks odd could be told without the note. So of all slips of a code only those
stand that have a real code one character above them, and the likelier are those that make
wrong codes as a whole look like the right ones of claims: as often of each letter and length,
with the same characters in each place and the same neighbours. How much likelier, says
``seeds/slips.csv``, which ``tools/slips.py`` makes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate, chain
from typing import TYPE_CHECKING
from zlib import crc32

from casegen.schemas import TableError
from casegen.seeds.icd10cm.codes import canonical

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.store import Store
    from casegen.seeds.icd10cm.tables import Tables

# Figures count in eighths of a doubling and are added: 8 is twice as likely, -8 half. Whole
# numbers, so that all machines weigh alike.
EIGHTH = 8
# Digits that a hand or a scanner takes for each other.
_ALIKE = {
    "0": "86", "1": "7", "2": "7", "3": "8", "4": "9", "5": "6", "6": "50", "7": "12",
    "8": "30", "9": "4",
}  # fmt: skip
_DIGITS = "0123456789"
# How common a slip is beside one in the last digit, by where and what. A slip in the first
# three characters leads into another category.
_LOOKS = 8
_SWAPPED = 8
_AWAY = 5
_INSIDE = -6
_INTO_PLACEHOLDER = -8
# Weights from the likeliest slip down; what is less likely than the last is left out.
_TOP = 4096
_STEPS = 88
# A category counts as one of this size if it has at least so many codes.
_SIZES = (0, 2, 5, 10, 30)
_PLACES = 7

Figures = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Looks:
    """How much likelier a wrong code is by its looks: by its ``letter`` and length (``H6``), by
    the ``size`` of its category, by characters in a place given the letter (``H3``) or the
    length (``63``), and by the pair of characters that ends in a place."""

    lengths: Figures
    sizes: Figures
    by_letter: Mapping[str, Figures]
    by_length: Mapping[str, Figures]
    pairs: Sequence[Figures]


@lru_cache(maxsize=512)
def slips_of(tables: Tables, code: str) -> tuple[Sequence[str], Sequence[int]]:
    """Slips of a code that the list does not hold, and the running sums of their weights.

    Another digit, two neighbours the wrong way round, a digit for one
    that looks like it, a digit too many. A slip may have been a code, or be one to come.
    """
    store = tables.store
    figures = {
        slip: figure + likeness(store, slip)
        for slip, figure in variants(store, code.replace(".", "")).items()
        if fits_in(store, slip)
    }
    top = max(figures.values(), default=0)
    steps = _steps()
    slips = []
    weights = []
    for slip, figure in figures.items():
        if top - figure < _STEPS:
            slips.append(slip if len(slip) == 3 else f"{slip[:3]}.{slip[3:]}")
            weights.append(steps[top - figure])
    return tuple(slips), tuple(accumulate(weights))


def variants(store: Store, stem: str) -> dict[str, int]:
    """Slips of a code without its dot, real codes among them: slip -> how common it is,
    whatever it looks like. Inside the code a digit stands only where a real code goes on."""
    index = store.index
    length = len(stem)
    core = len(stem[:6].rstrip("X")) if length == 7 else length
    found: dict[str, int] = {}
    last = core - 1
    if stem[last].isdigit():
        head, end = stem[:last], stem[core:]
        for digit in _DIGITS:
            found[head + digit + end] = 0
    for at in range(1, last):
        pair = stem[at : at + 2]
        if pair.isdigit():
            swapped = stem[:at] + pair[::-1] + stem[at + 2 :]
            found.setdefault(swapped, _SWAPPED if at > 2 else _AWAY)
    for at in range(1, core):
        head, end = stem[:at], stem[at + 1 :]
        for look in _ALIKE.get(stem[at], ""):
            found.setdefault(head + look + end, _LOOKS if at > 2 else _AWAY)
        if 2 < at < last and stem[at].isdigit():
            for digit in _DIGITS:
                if head + digit in index:
                    found.setdefault(head + digit + end, _INSIDE)
    if length < 6:
        for digit in _DIGITS:
            found[stem + digit] = 0
    elif core < 6:
        head, end = stem[:core], stem[core + 1 :]
        for digit in _DIGITS:
            found.setdefault(head + digit + end, _INTO_PLACEHOLDER)
    found.pop(stem, None)
    return found


def fits_in(store: Store, stem: str) -> bool:
    """Whether a stem is no code, complete or not, but stands beside codes that take its seventh
    character (none, if it has none); one of three characters needs none beside it."""
    index = store.index
    if stem in index:
        return False
    if len(stem) == 3:
        return True
    char = stem[6:]
    body = stem[:6].rstrip("X") if char else stem
    if char and body in index and char in store.sevenths(index[body]):
        return False
    node = index.get(body[:-1])
    if node is None:
        return False
    ends = store.ends
    while ends[node] > node + 1:
        node += 1
    sevenths = store.sevenths(node)
    return char in sevenths if char else not sevenths


def likeness(store: Store, stem: str) -> int:
    """How much a stem looks like the right codes of claims, in eighths of a doubling."""
    length = len(stem)
    found, habits = _habits(stem[0], length)
    if length > 3:
        found += _looks().sizes[size_of(store, stem[:3])]
    before = stem[0]
    for char, (singles, pairs) in zip(stem[1:], habits, strict=True):
        found += singles.get(char, 0) + pairs.get(before + char, 0)
        before = char
    return found


def neighbour(tables: Tables, wrong: str, right: str) -> str | None:
    """The complete code that is most like a wrong one, but for ``right``; None where there
    is no other with its first two characters.

    It has the wrong code's length, last digit and seventh character, because titles go by
    these (9 is unspecified, 1 the right side), and else is the nearest in the list. Codes that
    charts hold come first: an unspecified side would tell.
    """
    stem = wrong.replace(".", "")
    own = [stem[:cut] for cut in range(len(stem) - 1, 2, -1)]
    beside = [stem[:2] + digit for digit in _DIGITS]
    for heads in (own, beside):
        for alike, held in ((True, True), (False, True), (False, False)):
            for head in heads:
                found = _below(tables, stem, head, right, alike, held)
                if found is not None:
                    return found
    return None


def _below(tables: Tables, stem: str, head: str, right: str, alike: bool, held: bool) -> str | None:
    """A complete code below ``head`` with the seventh character of ``stem``; which one, the
    digest of the stem settles. ``alike``: of its length and last digit; ``held``: by charts."""
    store = tables.store
    first = store.index.get(head)
    if first is None:
        return None
    stems, ends = store.stems, store.ends
    char = stem[6:]
    body = stem[:6].rstrip("X") if char else stem
    count = ends[first] - first
    start = crc32(stem.encode()) % count
    for node in chain(range(first + start, first + count), range(first, first + start)):
        leaf = stems[node]
        if ends[node] != node + 1:
            continue
        if alike and (len(leaf) != len(body) or (leaf[-1] != body[-1] and len(body) > 3)):
            continue
        sevenths = store.sevenths(node)
        if char not in sevenths if char else sevenths:
            continue
        code = canonical(leaf.ljust(6, "X") + char if char else leaf)
        if code != right and (not held or tables.tail_of(code) is not None):
            return code
    return None


@lru_cache(maxsize=2048)
def size_of(store: Store, category: str) -> str:
    """The size of a category: the least number of codes of its class."""
    node = store.index.get(category)
    codes = 0 if node is None else store.ends[node] - node
    for least in reversed(_SIZES):
        if codes >= least:
            return str(least)
    return str(_SIZES[0])


@lru_cache(maxsize=1)
def _steps() -> tuple[int, ...]:
    """Weights that halve every eight steps. By multiplication alone, which is the same on all
    machines: 0.917004043 is the eighth root of a half."""
    found = [float(_TOP)]
    for _ in range(_STEPS):
        found.append(found[-1] * 0.917004043)
    return tuple(max(1, int(weight)) for weight in found)


@lru_cache(maxsize=256)
def _habits(letter: str, length: int) -> tuple[int, tuple[tuple[Figures, Figures], ...]]:
    """Figures of codes of one letter and length: of these two alone, then in each place after
    the first those of the characters and those of the pairs that end there."""
    looks = _looks()
    places = []
    for place in range(1, length):
        sums = dict(looks.by_letter.get(f"{letter}{place}", {}))
        for char, figure in looks.by_length.get(f"{length}{place}", {}).items():
            sums[char] = sums.get(char, 0) + figure
        places.append((sums, looks.pairs[place]))
    return looks.lengths.get(f"{letter}{length}", 0), tuple(places)


@lru_cache(maxsize=1)
def _looks() -> Looks:
    """The figures of ``seeds/slips.csv``. Raises TableError where a line is no figure."""
    tables: dict[str, dict[str, Figures]] = {}
    lines = files("casegen.seeds").joinpath("slips.csv").read_text("ascii").splitlines()
    for line in lines[1:]:
        try:
            table, key, row = line.split(",")
            pairs = (one.split(":") for one in row.split())
            tables.setdefault(table, {})[key] = {char: int(figure) for char, figure in pairs}
        except ValueError:
            raise TableError(f"slips.csv: no figures: {line}") from None
    return Looks(
        tables["all"]["length"],
        {str(least): tables["all"]["size"].get(str(least), 0) for least in _SIZES},
        tables["letter"],
        tables["length"],
        [tables["pair"].get(str(place), {}) for place in range(_PLACES)],
    )
