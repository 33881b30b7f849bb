"""What titles say: whether one code says less than another, or something else."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

# Not where it is one of several things that a code holds: "stage 4 or unspecified".
_OPENLY = re.compile(r"(?<!or )unspecified", re.IGNORECASE)
# That something came with it, nobody knows what, is more than that nothing did.
_WITH_SOME = re.compile(r"\bwith unspecified complications?\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z0-9]+")
_IDLE = frozenset("of the and in with to or by a an at on for due specified".split())
OPEN_WORDS = frozenset("unspecified nos not otherwise".split())
_DENIED = re.compile(r"\b(?:without|not|no)\b", re.IGNORECASE)
# What a title denies: after "without" to the end or a "with", after "not" to the next comma.
_DENIAL = re.compile(
    r"\bwithout\b.*?(?=\bwith\b|$)|\b(?:not|no)\b(?! (?:otherwise|elsewhere))"
    r".*?(?=,|\bwith(?:out)?\b|$)",
    re.IGNORECASE,
)
_DENYING = frozenset(("without", "not", "no"))
_SEVERAL = re.compile(r"\b(?:and|or)\b|,", re.IGNORECASE)
_SUBCATEGORY = 4
# A part of the body that is left open says nothing.
_ANY_PART = re.compile(
    r"unspecified (?:sites?|side|eye|part)\b|\bsites? unspecified", re.IGNORECASE
)
_ANYWHERE = re.compile(
    r"unspecified (?:sites?|side|cause)\b|\b(?:sites?|part) unspecified", re.IGNORECASE
)


@lru_cache(maxsize=8192)
def words(text: str) -> frozenset[str]:
    """The words of a title that say something."""
    return frozenset(_singular(word) for word in _WORD.findall(text.lower())) - _IDLE


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] not in "siu" else word


def leaves_open(tables: Tables, code: str) -> bool:
    """Whether a code says by its own words that something is not specified."""
    return bool(_OPENLY.search(tables.title(code))) or tables.laterality(code) == "unspecified"


def says_less(tables: Tables, code: str, right: str) -> bool:
    """Whether a code of the right one's category says nothing that the right one does not say,
    and less of it: it affirms nothing that the right one denies, nor the other way about."""
    if code[:3] != right[:3] or code == right or not leaves_open(tables, code):
        return False
    title, mine = tables.title(code), tables.title(right)
    if _another_heading(tables, code, right) or _WITH_SOME.search(title):
        return False
    if tables.side_siblings(right).get("unspecified") == code:
        return True
    if _others(title) > _others(mine):
        return False
    said, gone = _told(_ANYWHERE.sub("unspecified", title))
    own, off = _told(mine)
    for name in _line(tables, right):
        if _holds(tables.title(name), title):
            there, not_there = _told(tables.title(name))
            own, off = own | there, off | not_there
    return said - OPEN_WORDS <= own and gone <= off


def sounds_vaguer(tables: Tables, code: str, right: str) -> bool:
    """Whether a code that leaves something open is worded as the right one or its headings are,
    so that words alone do not tell whether it says less or another thing."""
    if code[:3] != right[:3] or not leaves_open(tables, code):
        return False
    if contradicts(tables, code, right):
        return False
    said = words(_ANYWHERE.sub("unspecified", tables.title(code))) - OPEN_WORDS
    return said <= words(tables.title(right)) | _above(tables, right)


def contradicts(tables: Tables, code: str, right: str) -> bool:
    """Whether one of two titles affirms what the other one denies, or speaks of one side where the
    other one speaks of both."""
    said, gone = _told(tables.title(code))
    own, off = _told(tables.title(right))
    both = "unilateral" in said and "bilateral" in own
    return both or bool(said & (off - own) or gone & (own - said))


@lru_cache(maxsize=8192)
def _told(title: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words that a title affirms, and those that it denies."""
    denied = frozenset[str]().union(*(words(one[0]) for one in _DENIAL.finditer(title)))
    return words(_DENIAL.sub(" ", title)), denied - _DENYING - OPEN_WORDS


def _holds(heading: str, title: str) -> bool:
    """Whether what a heading says holds for a code that a title under it describes: of several
    things under one heading, such as fibrillation and flutter, a code is one alone."""
    if not _SEVERAL.search(heading):
        return True
    return words(heading) - OPEN_WORDS - {"other"} <= words(title)


def _another_heading(tables: Tables, code: str, right: str) -> bool:
    """Whether a code stands under a heading of its own that names what the right one does not:
    adjustment disorders beside a reaction to stress."""
    shared = tables.ancestors(right)
    for name in tables.ancestors(code):
        if name in shared:
            return False
        title = tables.title(name)
        if name != code and not _OPENLY.search(title):
            return True
    return False


def is_half(tables: Tables, code: str, right: str) -> bool:
    """Whether a code is the nearest one that says less than the right one, and so is half right:
    of the same subcategory, other in a single character (side, stage, type), with nothing told
    or denied that the right one does not tell. A code for the whole category heads another
    thing."""
    stem, own = code.replace(".", ""), right.replace(".", "")
    if len(stem) != len(own) or stem[:_SUBCATEGORY] != own[:_SUBCATEGORY]:
        return False
    if sum(one != other for one, other in zip(stem, own, strict=True)) != 1:
        return False
    title, mine = tables.title(code), tables.title(right)
    if _opens(tables, code) <= _opens(tables, right) or _others(title) > _others(mine):
        return False
    if _DENIED.search(_OPENLY.sub("", title)) and not _DENIED.search(mine):
        return False
    if tables.side_siblings(right).get("unspecified") == code:
        return True
    said = words(_ANY_PART.sub("unspecified", title)) - OPEN_WORDS
    return said <= words(mine) | _above(tables, right)


def _opens(tables: Tables, code: str) -> int:
    told = len(_OPENLY.findall(tables.title(code)))
    return max(told, int(tables.laterality(code) == "unspecified"))


def _others(title: str) -> int:
    return title.lower().split().count("other")


def _above(tables: Tables, code: str) -> frozenset[str]:
    return frozenset[str]().union(*(words(tables.title(name)) for name in _line(tables, code)))


def _line(tables: Tables, code: str) -> list[str]:
    """The code and the headings above it, up to its category."""
    return [name for name in tables.ancestors(code) if ":" not in name]
