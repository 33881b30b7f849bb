"""Dates in official tables and of ``--effective``."""

from __future__ import annotations

from datetime import date

from casegen.schemas import InputError

FIRST_YEAR, LAST_YEAR = 1990, 2100  # of any date in an official table
ICD10CM_DAY = "2015-10-01"  # ICD-10-CM is in use from this day on
NCCI_DAY = "1996-01-01"
_KNOWN = 2026  # the year of the bundled tables, whatever the clock says


def is_date(text: str) -> bool:
    """Whether a text is an ISO date (2024-10-01) of a year in which a table may hold. Days of
    ISO weeks (2024-W40-2), which Python reads too, are none."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return False
    return found.isoformat() == text and FIRST_YEAR <= found.year <= LAST_YEAR


def is_plain_date(text: str) -> bool:
    """The same for dates written without hyphens (20241001)."""
    return len(text) == 8 and is_date(f"{text[:4]}-{text[4:6]}-{text[6:]}")


def check_effective(when: str, earliest: str, what: str, field: str = "--effective") -> str:
    """The first day of a table, if that can be one: from ``earliest`` on, and not after the
    next year. Raises InputError; ``what`` names the kind of table."""
    if not is_date(when):
        raise InputError(field, when, "a date of the calendar such as 2025-10-01")
    if when < earliest:
        raise InputError(field, when, f"{what} is in use from {earliest} on")
    last = max(date.today().year, _KNOWN) + 1
    if int(when[:4]) > last:
        raise InputError(field, when, f"lies too far ahead: {last} is the last year")
    return when
