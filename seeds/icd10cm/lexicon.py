"""The word lists of the long tail's wording, ready to use (``data/tail_wording.yaml``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

_GROUPS = re.compile(r"\(.*\)[?*+]?|\[[^\]]*\]")


def _alternatives(pattern: str) -> list[str]:
    """The parts of a regular expression between bars outside of parentheses."""
    parts, depth = [""], 0
    for char in pattern:
        depth += (char == "(") - (char == ")")
        if char == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression with the literals of which a match holds at least one: most texts
    hold none, and looking for them is much cheaper than the search."""

    literals: tuple[str, ...]
    regex: re.Pattern[str]
    new: str = ""

    @classmethod
    def read(cls, pattern: str, new: str = "") -> Pattern:
        """Compile ``pattern``; each of its alternatives must hold three letters in a row."""
        needed = []
        for alternative in _alternatives(re.sub(r"\\[a-zA-Z]|[a-z]\?", " ", pattern)):
            outside = re.findall(r"[a-z]{3,}", _GROUPS.sub(" ", alternative))
            inside = re.findall(r"[a-z]{3,}", alternative)
            needed += [max(outside, key=len)] if outside else inside
        return cls(tuple(dict.fromkeys(needed)), re.compile(pattern), new)


class _BitsOfWords(dict[str, int]):
    """Word -> bits of all literals that it holds."""

    def __init__(self, literals: Mapping[str, int]) -> None:
        super().__init__()
        self._literals = tuple(literals.items())

    def __missing__(self, word: str) -> int:
        found = 0
        for literal, bits in self._literals:
            if literal in word:
                found |= bits
        self[word] = found
        return found


class Patterns:
    """Patterns in order, tried only on texts with a word that holds one of their literals.

    A literal has no space, so each word has a fixed set of patterns that it lets in; it's
    worked out once a word, as bits.
    """

    __slots__ = ("_items", "_of")

    def __init__(self, items: Iterable[Pattern]) -> None:
        self._items = tuple(items)
        bits: dict[str, int] = {}
        for place, item in enumerate(self._items):
            for literal in item.literals:
                bits[literal] = bits.get(literal, 0) | 1 << place
        self._of = _BitsOfWords(bits).__getitem__

    def found(self, text: str) -> list[int]:
        """The places of the patterns that occur in the text."""
        bits = self._let_in(text)
        places = []
        while bits:
            place = (bits & -bits).bit_length() - 1
            if self._items[place].regex.search(text):
                places.append(place)
            bits &= bits - 1
        return places

    def rewritten(self, text: str) -> str:
        """The text after all patterns in turn."""
        bits = self._let_in(text)
        while bits:
            lowest = bits & -bits
            item = self._items[lowest.bit_length() - 1]
            changed = item.regex.sub(item.new, text)
            bits ^= lowest
            if changed != text:
                text = changed
                # New words may let in others; those before this one had their turn.
                bits = self._let_in(text) & -(lowest << 1)
        return text

    def _let_in(self, text: str) -> int:
        return reduce(or_, map(self._of, text.split(" ")))


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The word lists: ``proper`` keep their capital, ``rewrites`` apply to every phrase,
    ``exchanges`` and ``short`` to one of several, ``parts`` and ``adjectives`` build
    "femoral shaft", ``implied`` regions add nothing to their site, ``nouns`` take their
    site in front, ``compounds`` are nouns of several words."""

    proper: frozenset[str]
    rewrites: Patterns
    exchanges: Patterns
    short: Patterns
    parts: Mapping[str, str]
    adjectives: Mapping[str, str]
    implied: Mapping[str, tuple[str, ...]]
    nouns: frozenset[str]
    compounds: tuple[str, ...]
    common: frozenset[str] = frozenset()
    words: dict[tuple[str, bool], str] = field(default_factory=dict, compare=False)


def lexicon(data: Mapping[str, Any], titles: Iterable[str] = ()) -> Lexicon:
    """The lexicon of ``data`` (the parsed YAML). Capitalised words inside the ``titles`` that
    never stand there in lower case are proper names, so that new eponyms and organisms need
    no list; ``common`` are the words seen or listed in lower case."""
    words = set(re.findall(r"(?<= )[^\W\d_][^\W\d_-]*", "\n".join(titles)))
    lower = {word for word in words if word[0].islower()}
    capital = words - lower
    proper = set(data["proper"]) | {word for word in capital if word.lower() not in lower}
    return Lexicon(
        proper=frozenset(proper),
        rewrites=_compiled(data["rewrites"]),
        exchanges=_compiled(data["exchanges"]),
        short=_compiled(data["short"]),
        parts=dict(data["parts"]),
        adjectives=dict(data["adjectives"]),
        implied={key: tuple(words) for key, words in data["implied"].items()},
        nouns=frozenset(data["nouns"]),
        compounds=tuple(data["compounds"]),
        common=frozenset(lower) | frozenset(data["common"]),
    )


def _compiled(pairs: Iterable[list[str]]) -> Patterns:
    return Patterns(Pattern.read(pattern, new) for pattern, new in pairs)
