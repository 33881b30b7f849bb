"""Parts of a case in a report that several families show."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from casegen.env.openenv.html import facts, words

from .views import Row


def patient(row: Row) -> str:
    """Patient and encounter."""
    who, encounter = row["patient"], row["encounter"]
    return facts(
        [
            ("Patient", f"{who['name']}, {who['sex']}, born {who['birth_date']}"),
            ("Record", f"{who['mrn']}, {who['insurance']}"),
            ("Setting", f"{words(encounter['setting'])}, {encounter['claim_type']} claim"),
            ("Date of service", encounter["service_date"]),
            *([("Admitted", day)] if (day := encounter.get("admission_date")) else []),
            ("Steps", row["max_steps"]),
        ]
    )


@lru_cache(maxsize=65_536)
def chapter(code: str, system: str = "ICD-10-CM") -> str:
    """Where a code stands: two digits of the chapter first, so that they sort by name."""
    from casegen.knowledge import reference

    if system != "ICD-10-CM":
        return f"services, {system}"
    tables, _ = reference()
    if not tables.exists(code):
        return "no such code"
    number = tables.chapter(code)
    title, _, span = tables.title(f"chapter:{number}").rpartition(" (")
    return f"{number:02} {span.rstrip(')')} {title}"


def says(authority: Mapping[str, Any]) -> str:
    """An authority with its edition."""
    return f"{authority['reference']} ({authority['edition']})"


_SOURCES = {"ncci": "NCCI", "mce": "MCE"}


def source(authority: Mapping[str, Any]) -> str:
    """Who says so, in a word."""
    name: str = authority["source"]
    return _SOURCES.get(name, words(name))
