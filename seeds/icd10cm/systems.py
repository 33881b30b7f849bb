"""Whom a code of the long tail can concern: sex, plausible age, organ system, settings.

Pure functions over titles; the word lists come from ``data/tail_people.yaml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

# Before a name that says an inclusion term of a code.
ALSO = "~"
ALL_SETTINGS = ("office", "emergency", "inpatient", "outpatient_surgery", "telehealth")
URGENT_SETTINGS = ("emergency", "inpatient")
WARD_SETTINGS = ("inpatient",)
_LASTING = re.compile(r"\b(?:chronic|hereditary|following|old|healed)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


@dataclass(frozen=True, slots=True)
class People:
    """The word lists in the form that the functions below need."""

    sex: Mapping[str, str]
    sex_by_prefix: Mapping[str, str]
    ages: Mapping[str, tuple[int, int, int]]  # word -> (rank, low, high)
    age_by_prefix: Mapping[str, tuple[int, int]]
    chapter_system: Mapping[int, str | None]
    fallback_system: Mapping[int, str]
    prefix_system: Mapping[str, str]
    words_system: Mapping[str, tuple[int, str]]  # word -> (rank, system)
    severe: frozenset[str]
    severe_injury: frozenset[str]
    severe_prefix: tuple[str, ...]
    severe_always: frozenset[str]
    severe_not: tuple[str, ...]
    gravest: re.Pattern[str]
    gravest_prefix: tuple[str, ...]


def people(data: Mapping[str, Any]) -> People:
    """The lists of the parsed YAML."""
    return People(
        sex={word: sex for sex, words in data["sex"].items() for word in words},
        sex_by_prefix={stem: sex for sex, stems in data["sex_by_prefix"].items() for stem in stems},
        ages={
            word: (rank, low, high)
            for rank, (words, low, high) in enumerate(data["ages"])
            for word in words
        },
        age_by_prefix={key: (low, high) for key, (low, high) in data["age_by_prefix"].items()},
        chapter_system=data["chapter_system"],
        fallback_system=data["fallback_system"],
        prefix_system=data["prefix_system"],
        words_system={
            word: (rank, system)
            for rank, (words, system) in enumerate(data["words_system"])
            for word in words
        },
        severe=frozenset(data["severe"]),
        severe_injury=frozenset(data["severe_injury"]),
        severe_prefix=tuple(data["severe_prefix"]),
        severe_always=frozenset(data["severe_always"]),
        severe_not=tuple(data["severe_not"]),
        gravest=re.compile(data["gravest"]),
        gravest_prefix=tuple(data["gravest_prefix"]),
    )


@lru_cache(maxsize=1 << 10)
def words_of(title: str) -> tuple[str, ...]:
    """The words of a title in lower case."""
    return tuple(_WORD.findall(title.lower()))


def sex_of(stem: str, words: Iterable[str], flags: frozenset[str], lists: People) -> str | None:
    """``female`` or ``male`` where the code can describe only them: chapter 15, an MCE sex edit
    (they ended on 2024-09-30, but say what the code means), the heredity of the disease, or an
    organ in its title. What a
    newborn's mother or a relative has says nothing about the patient."""
    if stem[0] == "O":
        return "female"
    for sex in ("female", "male"):
        if sex in flags:
            return sex
    bound = by_prefix(stem, lists.sex_by_prefix, None)
    if bound is not None:
        return str(bound)
    if stem[0] in "PVWXY" or "Z80" <= stem[:3] <= "Z84":
        return None
    found = {lists.sex[word] for word in words if word in lists.sex}
    return found.pop() if len(found) == 1 else None


def age_of(
    stem: str, words: Iterable[str], flags: frozenset[str], lists: People
) -> tuple[int, int]:
    """Plausible age in whole years, both ends included. The age groups of the MCE bind
    (newborn 0, pediatric 0-17, maternity 9-64, adult 15-124); within them words of the title
    decide, then the chapter. Codes of pregnancy stay within 12-50."""
    if "newborn" in flags:
        return (0, 0)
    hits = [lists.ages[word] for word in words if word in lists.ages]
    low, high = min(hits)[1:] if hits else by_prefix(stem, lists.age_by_prefix, (18, 90))
    if "pediatric" in flags:
        high = min(high, 17)
        low = min(low, high)
    if stem[0] == "O" or "maternity" in flags:
        low, high = (max(low, 12), min(high, 50)) if low < 50 else (18, 42)
    if "adult" in flags:
        low = max(low, 18)
        high = max(high, low)
    return (low, high)


def system_of(stem: str, chapter: int, words: Iterable[str], lists: People) -> str:
    """The organ system whose normal findings would contradict the code."""
    known = by_prefix(stem, lists.prefix_system, "")
    if known and chapter not in (19, 2):
        return known
    fixed = lists.chapter_system[chapter]
    if fixed is not None:
        return known or fixed
    if known:
        return known
    hits = [lists.words_system[word] for word in words if word in lists.words_system]
    if hits:
        return min(hits)[1]
    # The third character of an injury tells superficial and open wounds (0, 1) from the rest.
    if stem[0] == "S":
        return "skin" if stem[2] in "01" else "musculoskeletal"
    return lists.fallback_system[chapter]


def is_severe(stem: str, chapter: int, title: str, lists: People) -> bool:
    """Does the title name a state that is met only in an emergency department or on a ward?
    What follows "without" isn't there; a history is no state; an external cause has none; what
    is chronic, hereditary or follows a past event is seen everywhere, unless its emergency is
    named with it ("chronic ulcer with perforation")."""
    if chapter in (20, 21) or stem.startswith(lists.severe_not):
        return False
    if stem.startswith(lists.severe_prefix):
        return True
    words = words_of(title.split(" without ")[0])
    severe = not lists.severe.isdisjoint(words) or (
        chapter == 19 and not lists.severe_injury.isdisjoint(words)
    )
    if (severe or chapter == 11) and _LASTING.search(title):
        return chapter == 11 and not lists.severe_always.isdisjoint(words)
    return severe


def is_gravest(stem: str, chapter: int, title: str, lists: People) -> bool:
    """Does the title name a state with which nobody leaves an emergency department for home?"""
    if chapter in (15, 16, 20, 21):
        return False
    words = title.lower().split(" without ")[0]
    return stem.startswith(lists.gravest_prefix) or bool(lists.gravest.search(words))


def by_prefix(stem: str, table: Mapping[str, Any], default: Any) -> Any:
    """The entry of the longest key that the stem starts with."""
    for size in range(min(len(stem), 7), 0, -1):
        if stem[:size] in table:
            return table[stem[:size]]
    return default


# Kinds of injury, as the external causes that can bring them about differ.
_INNER = frozenset("S06 S14 S24 S25 S26 S27 S34 S35 S36 S37".split())
_BURN, _COLD = ("T20", "T28"), ("T33", "T34")
_STRAIN = re.compile(r"\b(?:sprain|strain)\b")
_WOUNDS = ("laceration", "puncture", "open wound", "superficial foreign body")
_SURFACE = ("contusion", "abrasion", "blister", "superficial", "constriction")


def mechanism(stem: str, title: str) -> str:
    """The kind of an injury for the choice of its external cause: ``force`` (fracture, organ,
    dislocation ...), ``strain``, ``wound``, ``surface``, ``bite``, ``insect``, ``thermal``,
    ``chemical``, ``cold``, ``foreign_body``, or ``none`` where the code itself says the cause
    or no external cause goes with it. ``title`` is the official title in any case."""
    text = title.lower()
    if stem[0] != "S" and stem[:3] not in ("T07", "T14"):
        if _BURN[0] <= stem[:3] <= _BURN[1]:
            return "chemical" if "corrosion" in text else "thermal"
        if _COLD[0] <= stem[:3] <= _COLD[1]:
            return "cold"
        return "foreign_body" if "T15" <= stem[:3] <= "T19" else "none"
    if stem[:3] in _INNER:
        return "force"
    if "insect bite" in text:
        return "insect"
    if "bite" in text:
        return "bite"
    if ("sprain" in text or "strain" in text) and _STRAIN.search(text):
        return "strain"
    if any(word in text for word in _WOUNDS):
        return "wound"
    if any(word in text for word in _SURFACE):
        return "surface"
    return "force"


# External causes by range of categories -> kinds of injury that they can bring about.
_BLUNT = ("force", "strain", "wound", "surface")
_CAUSES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("V00", "V99", _BLUNT),
    ("W00", "W24", _BLUNT),
    ("W25", "W29", ("wound",)),
    ("W30", "W31", ("force", "wound")),
    ("W32", "W34", ("wound", "force")),
    ("W35", "W40", ("wound", "force", "thermal")),
    ("W44", "W44", ("foreign_body",)),
    ("W45", "W46", ("wound",)),
    ("W50", "W52", _BLUNT),
    ("W53", "W55", ("bite",)),
    ("W57", "W57", ("insect",)),
    ("W58", "W61", ("bite",)),
    ("W93", "W93", ("cold",)),
    ("X00", "X19", ("thermal",)),
    ("X31", "X31", ("cold",)),
    ("X34", "X38", _BLUNT),
    ("X50", "X50", ("strain",)),
    ("Y00", "Y03", _BLUNT),
    ("Y04", "Y04", _BLUNT),
    ("Y30", "Y32", _BLUNT),
    ("Y92", "Y93", (*_BLUNT, "bite", "insect", "thermal", "cold")),
    ("Y99", "Y99", (*_BLUNT, "bite", "insect", "thermal", "cold")),
)


def suits(stem: str, title: str) -> tuple[str, ...]:
    """For an external cause the kinds of injury that it explains (empty: none of ours); for an
    injury its own kind; empty for all other codes. ``title`` in lower case."""
    if stem[0] in "ST":
        return (mechanism(stem, title),)
    if stem[0] not in "VWXY" or "drowning" in title:
        return ()
    if stem[0] == "V" and "burn due" in title:
        return ("thermal",)
    if stem[:3] in ("W53", "W54", "W55", "W58", "W59", "W61") and "bitten" not in title:
        return ("surface", "wound") if re.search(r"struck|contact", title) else ()
    for low, high, kinds in _CAUSES:
        if low <= stem[:3] <= high:
            return kinds
    return ()
