"""A simple reader of entries: which drugs, allergies and conditions a line of the record names,
and what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TypeVar

from casegen.seeds.rx.loader import load
from casegen.seeds.rx.model import AllergyClass, ConditionName, DrugClass

from ..pairs import fold
from .amounts import Amount, amount_in, times_in

T = TypeVar("T")
_MOST_WORDS = 6
_WORD = re.compile(r"[^\s,;:()]+")
_OVER = re.compile(
    r"\b(?:stopped|discontinued|d/c(?:'?d)?|dc'?d|finished|completed|no longer|off since|until"
    r"|last taken|former(?:ly)?|held)\b", re.I,
)  # fmt: skip
_PAST = re.compile(r"\b(?:history of|hx of|h/o|resolved|prior|in remission|s/p)\b", re.I)
_REACTION = re.compile(r"\s+[-\u2013/]\s+|:\s+|\s*\(|\s+causes\s+|\s*(?:\u2192|->)\s*|,\s+")
# Words of a medication that acts where it is put.
_LOCAL = re.compile(
    r"\b(?:eye|ear|ophth\w*|otic|drops?|gtts?|shampoo|cream|ointment|gel|lotion|nasal|spray|topical"
    r"|vaginal|swish|mouthwash|rinse)\b",
    re.I,
)
_ICD = re.compile(r"\b([A-TV-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?)\b")
_STAGE = re.compile(
    r"\b(?:ckd|chronic kidney disease|kidney disease)\D{0,12}?([1-5])(?:[ab])?\b", re.I
)
_PREGNANT = re.compile(r"\b(?:pregnan(?:t|cy)|IUP|gravid|gestation)\b", re.I)
_NOT_PREGNANT = re.compile(r"\b(?:not pregnant|pregnancy test neg\w*|negative|planned)\b", re.I)
_WEEKS = re.compile(r"(\d{1,2})\s*(?:\+\s*\d\s*)?(?:weeks|wks?|w)\b", re.I)
_WEIGHT = re.compile(r"\b(?:weight|wt)\b\D{0,4}(\d+(?:\.\d+)?)\s*(kg|lbs?|pounds?)\b", re.I)
_LAB = re.compile(
    r"\b(eGFR|CrCl|creatinine clearance|creatinine|Cr|SCr|potassium|K|QTc|LVEF)\b[^\d<>]{0,14}"
    r"(\d+(?:\.\d+)?)", re.I,
)  # fmt: skip
_CALLED = {
    "egfr": "eGFR", "crcl": "CrCl", "creatinine clearance": "CrCl", "creatinine": "creatinine",
    "cr": "creatinine", "scr": "creatinine", "potassium": "potassium", "k": "potassium",
    "qtc": "QTc", "lvef": "LVEF",
}  # fmt: skip
# How strong an allergic reaction is, by words of it.
SERIOUS = re.compile(
    r"anaphyla|angioedema|swelling|bronchospasm|wheez|stevens|sjs|dress|throat", re.I
)
IMMEDIATE = re.compile(r"anaphyla|hives|urticaria|angioedema|swelling|bronchospasm|wheez", re.I)


@dataclass(frozen=True, slots=True)
class Taken:
    """A medication: its drug, whether it is over or acts but where it is put, and its dose as far
    as the line tells it."""

    line: str
    drug: str
    over: bool
    local: bool
    amount: Amount | None
    times: Decimal | None


@dataclass(frozen=True, slots=True)
class Allergic:
    """An allergy or intolerance: what it is to (allergy classes and drugs), and the reaction."""

    line: str
    name: str
    allergens: tuple[str, ...]
    reaction: str


@dataclass(frozen=True, slots=True)
class Having:
    """A condition: what the knowledge calls it, and the codes that it may have."""

    line: str
    name: str
    codes: tuple[str, ...]


def medication(line: str) -> Taken | None:
    """What a line of the list of medications tells, None where it names no known drug."""
    found = _first(line, _drug)
    if found is None:
        return None
    over, local = (sought.search(line) is not None for sought in (_OVER, _LOCAL))
    return Taken(line, found, over, local, amount_in(line), times_in(line))


def allergy(line: str) -> Allergic | None:
    """What a line of the list of allergies tells, None where it names nothing known."""
    parts = _REACTION.split(line, maxsplit=1)
    reaction = parts[1] if len(parts) > 1 else ""
    # What comes first is at times but a heading, or how it was told.
    found = _all(parts[0], _allergen) or _all(line, _allergen)
    if not found:
        return None
    name, _ = found[0]
    return Allergic(line, name, tuple(one for _, one in found), reaction)


def conditions(line: str) -> list[Having]:
    """The known conditions that a line names; none where it tells of the past."""
    if _PAST.search(line):
        return []
    stage = _STAGE.search(line)
    if stage is not None:
        named = "severe kidney disease" if stage[1] in "45" else "kidney disease"
        return [Having(line, named, (f"N18.{stage[1]}",))]
    written = tuple(_ICD.findall(line))
    found = [Having(line, one.name, written or one.codes) for _, one in _all(line, _condition)]
    return found or ([Having(line, "", written)] if written else [])


def weight(lines: Sequence[str]) -> Decimal | None:
    """The weight in kilograms, if a line tells it."""
    for line in lines:
        found = _WEIGHT.search(line)
        if found is not None:
            told = Decimal(found[1])
            pounds = found[2].lower() != "kg"
            return told * load().conversions["lb", "kg"] if pounds else told
    return None


def measures(lines: Sequence[str]) -> dict[str, tuple[Decimal, str]]:
    """Measured values by name, each with its line."""
    found: dict[str, tuple[Decimal, str]] = {}
    for line in lines:
        for name, value in _LAB.findall(line):
            found.setdefault(_CALLED[name.lower()], (Decimal(value), line))
    return found


def pregnancy(lines: Sequence[str]) -> tuple[int | None, str] | None:
    """The week of a pregnancy (None where it is not told) and its line; None without one."""
    for line in lines:
        if _PREGNANT.search(line) and not _NOT_PREGNANT.search(line):
            weeks = _WEEKS.search(line)
            return (int(weeks[1]) if weeks else None), line
    return None


@lru_cache(maxsize=4_096)
def names_in(line: str) -> tuple[str, ...]:
    """The drugs, allergies and conditions that a line names, each as a side of a pair."""
    found = [one for _, one in _all(line, _drug)]
    found += [name for name, _ in _all(line, _group)]
    found += [one.name for one in conditions(line) if one.name]
    return tuple(dict.fromkeys(name.replace(" ", "_") for name in found))


def _first(line: str, known: Callable[[str], T | None]) -> T | None:
    found = _all(line, known)
    return found[0][1] if found else None


def _all(line: str, known: Callable[[str], T | None]) -> list[tuple[str, T]]:
    """What is known of the words of a line, the longest names first and no word twice."""
    words = _WORD.findall(line)
    found: list[tuple[str, T]] = []
    at = 0
    while at < len(words):
        for size in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            name = " ".join(words[at : at + size])
            one = known(name.rstrip("."))
            if one is not None:
                found.append((name, one))
                at += size - 1
                break
        at += 1
    return found


def _drug(name: str) -> str | None:
    found = load().named(name)
    return None if found is None else found.id


def _condition(name: str) -> ConditionName | None:
    return load().condition(name)


def _allergen(name: str) -> str | None:
    return _drug(name) or _group(name)


def _group(name: str) -> str | None:
    return _groups().get(fold(name))


@lru_cache(maxsize=1)
def _groups() -> dict[str, str]:
    """Names of allergies, and of classes of drugs, with the id that rules speak of."""
    rx = load()
    groups: tuple[AllergyClass | DrugClass, ...] = (*rx.allergies, *rx.classes.values())
    found: dict[str, str] = {}
    for group in groups:
        for name in (group.id, group.title, *group.names):
            found.setdefault(fold(name), group.id)
    return found
