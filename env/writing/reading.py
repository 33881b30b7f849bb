"""A simple reader of notes: it finds the sentences that speak of a code, and a few cues in them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

# Words of a title that no note repeats, or every note.
_EMPTY = frozenset(
    "a an and any are as at be been but by can due elsewhere encounter for from had has have he "
    "her his in initial is it its left level nos not of on or other part parts right same she "
    "site specified subsequent than that the their there these they this to unspecified was "
    "were when which who with without".split()
) | {"bilateral", "type", "classified", "current"}
# What notes write for words of titles.
_SAME = {
    "fx": "fracture", "broken": "fracture", "break": "fracture", "cancer": "neoplasm",
    "carcinoma": "neoplasm", "tumor": "neoplasm", "malignant": "neoplasm", "cut": "laceration",
    "collarbone": "clavicle", "kidney": "renal", "arthrosis": "osteoarthritis",
    "oa": "osteoarthritis", "leg": "limb", "arm": "limb", "extremity": "limb", "cva": "stroke",
    "infarction": "infarct", "gi": "gastrointestinal", "copd": "obstructive",
    "high": "elevated", "raised": "elevated", "stricture": "stenosis", "narrowing": "stenosis",
}  # fmt: skip
# What ends a sentence. A point within a number ("1.3 cm") ends none.
_END = re.compile(r"[.!?] +")
# Abbreviations: titles, which names follow; others, and the letter of a genus ("E. coli"), where
# small letters or a number follow.
_TITLES = frozenset("Dr. Drs. Mr. Mrs. Ms. St. Prof.".split())
_SHORT = frozenset("vs. approx. ca. cf. e.g. i.e. no. incl. esp. sp. spp. Staph. Strep.".split())
_GENUS = re.compile(r"\(?[A-Z]\.")
_WORD = re.compile(r"[a-z][a-z'-]*[a-z]|[a-z]|\d+")
# What no word holds, and what stands between two sentences while their words are found.
_MARKS = ".,;:()/\n"
_LAST = "\0"
_APART = f" {_LAST} "
# What a word of one title weighs. Divided by the number of titles that share the word it stays
# whole, so that no order of adding changes a sum.
_WEIGHT = 27_720
_NEAR = 6  # words between a side and what it is a side of

_SIDES = {
    "right": "right", "right-sided": "right", "left": "left", "left-sided": "left",
    "bilateral": "bilateral", "bilaterally": "bilateral", "both": "bilateral",
}  # fmt: skip


def sentences(note: str) -> list[str]:
    """The sentences and lines of a note, word for word. The full stop of an abbreviation ends
    none, and the number of an item is left out."""
    told: list[str] = []
    for line in note.split("\n"):
        begun = 0
        for end in _END.finditer(line):
            found = line[begun : end.start() + 1]
            if _goes_on(found, line[end.end() : end.end() + 1]):
                continue
            begun = end.end()
            if not found[:-1].isdigit():
                told.append(found)
        if last := line[begun:].strip():
            told.append(last)
    return told


def _goes_on(text: str, after: str) -> bool:
    """Whether a text ends with an abbreviation that is no end."""
    last = text[text.rfind(" ") + 1 :]
    if last in _TITLES:
        return True
    if last not in _SHORT and not _GENUS.fullmatch(last):
        return False
    return after.islower() or after.isdigit() or after == "("


def stems(text: str) -> list[str]:
    """The words of a text in lower case, without endings of the plural, alike ones made one."""
    return [_stem(word) for word in _WORD.findall(text.lower())]


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "is", "us")):
        word = word[:-1]
    return _SAME.get(word, word)


@lru_cache(maxsize=8_192)
def spellings(stem: str) -> tuple[str, ...]:
    """The words of which that is the stem."""
    bare = (stem, *(word for word, same in _SAME.items() if same == stem))
    words = (word for one in bare for word in (one, f"{one}s"))
    return tuple(word for word in words if _stem(word) == stem)


@lru_cache(maxsize=8_192)
def terms(title: str) -> frozenset[str]:
    """The words by which a title is known."""
    return frozenset(word for word in stems(title) if word not in _EMPTY and len(word) > 2)


def _places(told: Sequence[str]) -> dict[str, set[int]]:
    """The words of sentences, each with the sentences that hold it."""
    places: defaultdict[str, set[int]] = defaultdict(set)
    text = _APART.join(told).lower()
    for mark in _MARKS:
        text = text.replace(mark, " ")
    place = 0
    for part in text.split():
        if part.isalpha() and part.isascii():  # most are, and are a word as they stand
            places[part].add(place)
        elif part == _LAST:
            place += 1
        else:
            for word in _WORD.findall(part):
                places[word].add(place)
    return places


class Reader:
    """Finds what a note says of the codes of a claim.

    A word that many titles of the claim share tells little, so it weighs little.
    """

    def __init__(self, note: str, titles: Iterable[str]) -> None:
        self.sentences = sentences(note)
        self._words = _places(self.sentences)
        self._places: dict[str, set[int]] = {}  # by stem, of those that were asked for
        shared = Counter(word for title in titles for word in terms(title))
        self._weights = {word: _WEIGHT // titles for word, titles in shared.items()}

    def about(self, names: Sequence[str], least: float) -> list[str]:
        """The sentences that hold at least that share of the words of one of ``names``."""
        found: set[int] = set()
        for wanted in set(map(terms, names)):
            held: dict[int, int] = {}
            whole = 0
            for word in wanted:
                weight = self._weights.get(word, _WEIGHT)
                whole += weight
                for place in self._held(word):
                    held[place] = held.get(place, 0) + weight
            found.update(place for place, weight in held.items() if weight >= least * whole)
        return [self.sentences[place] for place in sorted(found)]

    def _held(self, stem: str) -> set[int]:
        """The sentences that hold a word of that stem."""
        found = self._places.get(stem)
        if found is None:
            words = self._words
            found = set().union(*[words[word] for word in spellings(stem) if word in words])
            self._places[stem] = found
        return found


def sides_near(sentence: str, names: Sequence[str]) -> set[str]:
    """The sides that stand near words of ``names`` in a sentence."""
    wanted = frozenset(word for name in names for word in terms(name))
    words = re.findall(r"[a-z]+(?:-[a-z]+)*|[,;]", sentence.lower())
    at = [place for place, word in enumerate(words) if _stem(word) in wanted]
    found = set()
    for place, word in enumerate(words):
        side = _SIDES.get(word)
        if side is not None and any(abs(place - other) <= _NEAR for other in at):
            found.add(side)
    return found
