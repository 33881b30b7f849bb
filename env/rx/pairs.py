"""How names of pairs compare: without order, case, brand, blanks, underscores and hyphens.

A pair is written ``A-B``; A or B may hold hyphens itself, so each hyphen is tried. Each side is
known by the drug, class, allergy or condition that the drug knowledge calls so; what it does not
know stands for itself. Nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from casegen.seeds.rx.loader import load
from casegen.seeds.rx.model import AllergyClass, DrugClass

Pair = tuple[str, str]
_BLANK = re.compile(r"[\s_-]+")


def fold(text: str) -> str:
    """A name without case, and with one blank for blanks, underscores and hyphens."""
    return _BLANK.sub(" ", text).strip().casefold()


@lru_cache(maxsize=8_192)
def keys_of(text: str) -> frozenset[Pair]:
    """The pairs that a name may mean; none where it holds no hyphen between two sides."""
    found = set()
    for at, mark in enumerate(text):
        if mark == "-":
            one, other = _side(text[:at]), _side(text[at + 1 :])
            if one and other:
                found.add((one, other) if one <= other else (other, one))
    return frozenset(found)


def keys_of_all(names: Iterable[str]) -> frozenset[Pair]:
    """The pairs that any of these names may mean."""
    return frozenset().union(*map(keys_of, names))


@lru_cache(maxsize=8_192)
def _side(text: str) -> str:
    rx, folded = load(), fold(text)
    drug = rx.named(" ".join(text.replace("_", " ").split())) or rx.named(folded)
    if drug is not None:
        return fold(drug.id)
    condition = rx.condition(folded)
    return fold(condition.name) if condition is not None else _groups().get(folded, folded)


@lru_cache(maxsize=1)
def _groups() -> dict[str, str]:
    """The folded names of allergies and drug classes, with the one that stands for all."""
    rx = load()
    groups: tuple[AllergyClass | DrugClass, ...] = (*rx.allergies, *rx.classes.values())
    found: dict[str, str] = {}
    for group in groups:
        for name in (group.id, group.title, *group.names):
            found.setdefault(fold(name), fold(group.id))
    return found
