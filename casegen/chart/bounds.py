"""Whom a code of the long tail can join, known before the code is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from casegen.seeds.icd10cm.tail import Scope

from ..randomness import Lane
from .options import ALL_SETTINGS, BIT, SEX_INDEX, settings_mask

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.icd10cm.tail import TailCode

OFFICE_LIKE = BIT["office"] | BIT["telehealth"]
NOT_TELEHEALTH = ALL_SETTINGS & ~BIT["telehealth"]


class Bounds(NamedTuple):
    """Settings as bits, ages in whole years, sex as in ``Frame``; for an injury or external
    cause its phase of care, and the kinds of injury that it is or brings about."""

    mask: int
    low: int
    high: int
    sex: int
    phase: str | None
    suits: frozenset[str]


def mask_of(settings: tuple[str, ...], phase: str | None, stratum: str) -> int:
    """The settings in which a code of the long tail is met, as bits: an injury heals in an
    office, and is treated where somebody can lay hands on it."""
    mask = settings_mask(settings)
    if phase is not None and stratum == "injury":
        mask &= OFFICE_LIKE if phase == "healing" else NOT_TELEHEALTH
    return mask


def bounds_of(scope: Scope, stratum: str) -> Bounds:
    """The bounds that follow from a scope."""
    return Bounds(
        mask_of(scope.settings, scope.phase, stratum),
        *scope.age,
        SEX_INDEX[scope.sex or "any"],
        scope.phase,
        frozenset(scope.suits),
    )


class TailBounds:
    """The bounds of all codes of the long tail, each found when it is first drawn.

    Holds one reference a code from the start, so that memory does not grow with the cases.
    """

    __slots__ = ("_kept", "_known", "_tables")

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._known: dict[str, list[Bounds | None]] = {}
        self._kept: dict[tuple[Scope, bool], Bounds] = {}

    def draw(self, lane: Lane, stratum: str) -> tuple[int, Bounds]:
        """The number of a drawn code of a stratum, and its bounds."""
        known = self._known.get(stratum)
        if known is None:
            known = self._known[stratum] = [None] * self._tables.tail_count(stratum)
        number = lane.below(len(known))
        bounds = known[number]
        if bounds is None:
            bounds = known[number] = self._find(stratum, number)
        return number, bounds

    def _find(self, stratum: str, i: int) -> Bounds:
        scope = self._tables.tail_scope(stratum, i)
        key = (scope, stratum == "injury")
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = bounds_of(scope, stratum)
        return found


CAUSES = ("V", "W", "X", "Y")


def bare(code: str) -> str:
    """A code without placeholders: W01.0XX is no code that a note could tie."""
    return code.rstrip("X").rstrip(".")


_TAIL_COURSES = {
    "injury": "injury",
    "status": "status",
    "newborn": "newborn",
    "symptom": "acute",
    "external_cause": "cause",
}


def course_of_tail(tail: TailCode) -> str:
    """Acute where the names say so, for the rest by stratum."""
    course = _TAIL_COURSES.get(tail.stratum)
    if course is None:
        term = tail.term.lower()
        course = "acute" if "acute" in term and "acute" in term.split() else "chronic"
    return course
