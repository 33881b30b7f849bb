"""States with which nobody is sent home from an emergency department, or from a ward in a day."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from casegen.seeds import data

from .model import Problem

if TYPE_CHECKING:
    from casegen.schemas import Encounter, Patient

    from ..world import World


@lru_cache(maxsize=1)
def _told() -> tuple[tuple[str, ...], tuple[int, ...]]:
    told = data.read("serious.yaml")
    return tuple(told["codes"]), tuple(told["days"])


def serious(problems: Iterable[Problem]) -> int:
    """How many of the problems are such states."""
    codes = _told()[0]
    return sum(one.status == "active" and one.base.startswith(codes) for one in problems)


def lengthen_stay(
    world: World, patient: Patient, encounter: Encounter, problems: Iterable[Problem]
) -> None:
    """Let a stay begin so early that such states can have been treated. It stays as it is where
    a birthday would fall within it, since the age is the same on admission and discharge."""
    count, days = serious(problems), _told()[1]
    if not count or encounter.admission_date is None:
        return
    service = world.ordinal(encounter.service_date)
    first = service - days[min(count, len(days)) - 1]
    if world.ordinal(encounter.admission_date) <= first:
        return
    birthday = patient.birth_date[5:]
    stay = [world.iso(day) for day in range(first, service + 1)]
    if patient.birth_date < stay[0] and birthday not in {day[5:] for day in stay}:
        encounter.admission_date = stay[0]
