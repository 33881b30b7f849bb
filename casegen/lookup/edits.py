"""Dated edits of the Medicare Code Editor on a code, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from casegen.seeds.icd10cm.codes import stem

from ..checker.demographics import AGE_GROUPS

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

# Names as in "Definitions of Medicare Code Edits"; edits of other kinds are left out.
_WORDS = {
    "female": "sex conflict, diagnosis of female patients",
    "male": "sex conflict, diagnosis of male patients",
    "manifestation": "manifestation code as principal diagnosis",
    "unacceptable": "unacceptable principal diagnosis",
    "ecodepdx": "external cause of morbidity as principal diagnosis",
    "unspecified": "unspecified code",
}


class Edit(NamedTuple):
    """An edit and a period (ISO dates, both included) for which the table lists it."""

    words: str
    begin: str
    end: str


def dated_edits(code: str, tables: Tables) -> tuple[Edit, ...]:
    """The edits on sex, age and place of a code, by name; periods that meet are one."""
    rows: dict[str, list[list[str]]] = {}
    for begin, end, names in tables.store.history(stem(code)):
        for name in names.split("|"):
            periods = rows.setdefault(name, [])
            if periods and _meets(periods[-1][1], begin):
                periods[-1][1] = end
            else:
                periods.append([begin, end])
    return tuple(_edits(rows))


def _edits(rows: dict[str, list[list[str]]]) -> Iterator[Edit]:
    for name in sorted(rows):
        words = _WORDS.get(name)
        if name in AGE_GROUPS:
            low, high = AGE_GROUPS[name]
            years = f"age {low}" if low == high else f"ages {low} to {high}"
            words = f"age conflict, {name} diagnosis ({years} on admission)"
        if words is not None:
            yield from (Edit(words, begin, end) for begin, end in rows[name])


def _meets(end: str, begin: str) -> bool:
    from datetime import date, timedelta

    return date.fromisoformat(end) + timedelta(days=1) == date.fromisoformat(begin)
