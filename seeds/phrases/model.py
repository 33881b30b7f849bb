"""Records of the phrase banks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SETTINGS = ("office", "telehealth", "emergency", "inpatient", "outpatient_surgery")


@dataclass(frozen=True, slots=True)
class Entry:
    """Sentences that fit the same patients: one member of every clause, in order.

    ``ages`` are whole years, inclusive. ``newborn`` True holds for the first 28 days only,
    False never for them, None for either. ``settings`` empty means all.
    """

    ages: tuple[int, int]
    newborn: bool | None
    sex: str
    settings: tuple[str, ...]
    clauses: tuple[tuple[str, ...], ...]

    @property
    def size(self) -> int:
        """How many sentences the entry makes."""
        size = 1
        for clause in self.clauses:
            size *= len(clause)
        return size


@dataclass(frozen=True, slots=True)
class Style:
    """A style of note: the settings that use it, the orders of its sections, and the headings
    that are its own."""

    settings: tuple[str, ...]
    orders: tuple[tuple[str, ...], ...]
    headings: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Phrases:
    """All banks by name (``add:CODE`` for added codes), headings by section, note styles."""

    banks: Mapping[str, tuple[Entry, ...]]
    headings: Mapping[str, tuple[str, ...]]
    styles: Mapping[str, Style]
    adds: Mapping[str, tuple[str, ...]]
