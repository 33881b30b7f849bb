"""Hints that narrow without naming a code, and the objective."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .model import Given, Work

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def hints_of(work: Work, review: bool) -> list[str]:
    """Two or three hints, the broadest first."""
    tables = work.world.tables
    first = work.given[0]
    chapter = tables.title(f"chapter:{tables.chapter(first.code)}")
    count = len(work.given) - 1
    more = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    codes = "code belongs" if count == 1 else "codes belong"
    return [
        f"Beside the first code {more} further {codes} on the claim.",
        f"The code that goes first stands in the chapter on {_plain(chapter)}.",
        _last(tables, first, review),
    ]


def _plain(chapter: str) -> str:
    return chapter.partition("(")[0].strip().lower()


def _last(tables: Tables, first: Given, review: bool) -> str:
    if review:
        return "One point of the record cannot be settled from what stands in it."
    return f"The rule that decides the first code is {first.authority.reference}."


def objective_of(work: Work) -> str:
    """What is asked for."""
    if work.drawn.chart.encounter.setting == "inpatient":
        return (
            "Code the diagnoses of this inpatient stay for the hospital: the principal diagnosis "
            "first, then all others that the record supports."
        )
    return (
        "Code the diagnoses of this encounter: the first-listed diagnosis, then all others that "
        "the record supports."
    )
