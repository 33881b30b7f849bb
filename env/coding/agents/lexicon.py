"""The words of titles and notes made alike: abbreviations written out, endings cut off."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from casegen.schemas import TableError
from casegen.seeds.data import parse

_FILE = Path(__file__).with_name("lexicon.yaml")
_WORD = re.compile(r"[a-z]+\d[a-z]?\b|[a-z][a-z'-]*[a-z]|[a-z]|\d+[a-z]?\b")
# "type 2" and "stage iii b" are one word each, so that they tell codes apart.
_NUMBERED = re.compile(r"\b(type|stage|grade|degree)s?,? (\d|i{1,3}|iv)(?:[ -]?([ab]))?\b")
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4"}
_ENDINGS = (
    "ization", "ations", "ation", "ative", "ical", "ally", "osis", "otic", "ions", "ive", "ion",
    "ous", "ity", "ies", "ing", "ary", "ed", "ic", "al", "es", "ia", "is", "us", "e", "y", "s",
)  # fmt: skip
_LEAST = 4  # letters that an ending leaves
# Words that tell no code from another.
_EMPTY = frozenset(
    "a an and any as at be been but by can classified code current due elsewhere for from had has "
    "have he her him his in initial is it its left nec nos not of on or other others part right "
    "she side specified subsequent than that the their them there these they this to type "
    "unspecified was were when which who with without encounter level both bilateral disease "
    "disorder syndrome condition essential".split()
)


def words(text: str) -> list[str]:
    """The words of a text, alike ones made one, in their order."""
    return bare(plain(text))


def bare(low: str) -> list[str]:
    """The words of a text that is plain already."""
    return [_bare(word) for word in _WORD.findall(low)]


def telling(text: str) -> frozenset[str]:
    """The words of a text by which it is known."""
    found = _WORD.findall(plain(text))
    return frozenset(_bare(word) for word in found if word not in _EMPTY and len(word) > 1)


def plain(text: str) -> str:
    """A text in lower case with abbreviations and lay words written out."""
    pattern, told = _phrases()
    text = re.sub(r"\s+", " ", text.lower())
    text = pattern.sub(lambda found: told[found[0]], text)
    return _NUMBERED.sub(_numbered, text)


def drugs(title: str) -> frozenset[str]:
    """The drugs that a title of long-term use means, as far as known."""
    low = title.lower()
    named = lexicon()["drugs"]
    return frozenset(drug for kind, some in named.items() if kind in low for drug in some)


def _numbered(found: re.Match[str]) -> str:
    digit = _ROMAN.get(found[2], found[2])
    return f"{found[1]}{digit}{found[3] or ''}"


@lru_cache(maxsize=65_536)
def _bare(word: str) -> str:
    """A word without its endings."""
    if word[-1].isdigit() or any(letter.isdigit() for letter in word):
        return word
    for _ in range(2):
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
                word = word.removesuffix(ending)
                break
    return word


@lru_cache(maxsize=1)
def _phrases() -> tuple[re.Pattern[str], dict[str, str]]:
    """A pattern for all phrases, and what each means."""
    told = {one: meant for meant, some in lexicon()["phrases"].items() for one in some}
    every = "|".join(map(re.escape, sorted(told, key=lambda one: (-len(one), one))))
    return re.compile(rf"\b(?:{every})\b"), told


@lru_cache(maxsize=1)
def lexicon() -> Mapping[str, Any]:
    """The data of ``lexicon.yaml``."""
    content = parse(_FILE.read_bytes(), _FILE.name)
    if not isinstance(content, dict):
        raise TableError(f"{_FILE.name}: must hold a mapping")
    return content
