"""What the NCCI tables know of a service, also of one that is not in our list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from casegen.seeds.services import Services


def ncci_of(code: str, on: str, services: Services) -> dict[str, Any]:
    """Medically unlikely edit and pairs in force on a date, with their editions."""
    partners = services.partners(code)
    pairs = [edit for name in partners if (edit := services.pair(code, name, on)) is not None]
    return {
        "mue": services.mue(code),
        "mue_edition": services.mue_edition,
        "edition": services.edition,
        "date": on,
        "column1_of": [[edit.column2, edit.indicator] for edit in pairs if edit.column1 == code],
        "column2_of": [[edit.column1, edit.indicator] for edit in pairs if edit.column2 == code],
    }


def outside(
    code: str, on: str, services: Services, texts: Mapping[str, str]
) -> dict[str, Any] | None:
    """What imported tables know of a code that is not in our list; None for nothing."""
    known = ncci_of(code, on, services)
    found = known["mue"] or known["column1_of"] or known["column2_of"] or code in texts
    if not found and not services.partners(code):
        return None
    return {
        "code": code,
        "system": "HCPCS" if code[0].isalpha() else "CPT",
        "status": "unknown",
        "label": texts.get(code, "not in casegen's list of services"),
        **known,
    }
