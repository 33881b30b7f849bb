"""Parts of a case in a report that several families show."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from casegen.env.openenv.html import facts, words
from casegen.schemas import CasegenError, TablesRef

from .views import Row

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables


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


def chapter(code: str, tables: Mapping[str, str], system: str = "ICD-10-CM") -> str:
    """Where a code stands in the tables of a case: two digits of the chapter first, so that they
    sort by name."""
    return _chapter(code, system, tables["name"], tables["digest"])


@lru_cache(maxsize=65_536)
def _chapter(code: str, system: str, name: str, digest: str) -> str:
    from casegen.knowledge import reference

    if system != "ICD-10-CM":
        return f"services, {system}"
    tables = _tables_of(name, digest) or reference()[0]
    if not tables.exists(code):
        return "no such code"
    number = tables.chapter(code)
    title, _, span = tables.title(f"chapter:{number}").rpartition(" (")
    return f"{number:02} {span.rstrip(')')} {title}"


@lru_cache(maxsize=8)
def _tables_of(name: str, digest: str) -> Tables | None:
    """The tables that cases were made with; None where they are not on this machine."""
    from casegen.env.audit.tools.source import tables_of

    try:
        return tables_of(name, digest)[0]
    except CasegenError:
        return None


def remark(ref: TablesRef) -> str:
    """What to say of the tables by which codes were sorted, if anything."""
    if _tables_of(ref.name, ref.digest) is not None:
        return ""
    return (
        f"These cases were made with the imported tables {ref.name}, which are not on this machine "
        "as they were. Their codes are sorted into the chapters of the bundled tables."
    )


def says(authority: Mapping[str, Any]) -> str:
    """An authority with its edition."""
    return f"{authority['reference']} ({authority['edition']})"


_SOURCES = {"ncci": "NCCI", "mce": "MCE"}


def source(authority: Mapping[str, Any]) -> str:
    """Who says so, in a word."""
    name: str = authority["source"]
    return _SOURCES.get(name, words(name))
