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
_SUBCATEGORY = 4
# A part of the body that is left open says nothing.
_ANY_PART = re.compile(
    r"unspecified (?:sites?|side|eye|part)\b|\bsites? unspecified", re.IGNORECASE
)
_ANYWHERE = re.compile(r"unspecified (?:sites?|side)\b|\bsites? unspecified", re.IGNORECASE)


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
    and less of it."""
    if code[:3] != right[:3] or code == right or not leaves_open(tables, code):
        return False
    if _another_heading(tables, code, right) or _WITH_SOME.search(tables.title(code)):
        return False
    if tables.side_siblings(right).get("unspecified") == code:
        return True
    said = words(_ANYWHERE.sub("unspecified", tables.title(code))) - OPEN_WORDS
    own = words(tables.title(right))
    if "other" in said and "other" not in own:
        return False
    return said <= own or said <= own | _above(tables, right)


def _another_heading(tables: Tables, code: str, right: str) -> bool:
    """Whether a code stands under a heading of its own that names what the right one does not:
    adjustment disorders beside a reaction to stress."""
    shared = tables.ancestors(right)
    for name in tables.ancestors(code):
        if name in shared:
            return False
        title = tables.title(name)
        if (
            name != code
            and not _OPENLY.search(title)
            and not words(title) <= words(tables.title(right))
        ):
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
    found: frozenset[str] = frozenset()
    for name in tables.ancestors(code):
        if ":" in name:
            break
        found |= words(tables.title(name))
    return found
