"""What the tables know of a code, or of a pair, as plain facts.

``casegen code`` prints them; the tools of the environments tell them to an agent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NoReturn

from casegen.schemas import InputError
from casegen.seeds.icd10cm.codes import canonical

from .ncci import ncci_of, outside

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

ICD = "ICD-10-CM"
_NOTHING: dict[str, Any] = {}


def describe(
    code: str, on: str, tables: Tables, services: Services, texts: Mapping[str, str] = _NOTHING
) -> dict[str, Any]:
    """What is known of one code. ``also`` holds the service that is written the same; ``texts``
    are the user's own descriptors.

    Raises InputError for a code that no table knows.
    """
    bare = "".join(code.split()).upper()
    dotless = "." not in bare
    service = service_facts(bare, on, services) if dotless else None
    if dotless and service is None:
        service = outside(bare, on, services, texts)
    if service is not None and bare in texts:
        service["descriptor"] = texts[bare]
    icd = diagnosis_facts(canonical(code), on, tables)
    if icd is None and service is None:
        _unknown(code, bare)
    if icd is None:
        return service or _NOTHING
    return icd if service is None else {**icd, "also": service}


def diagnosis_facts(code: str, on: str, tables: Tables) -> dict[str, Any] | None:
    """What is known of an ICD-10-CM code as printed (``E11.9``); None for one that never was."""
    facts = facts_without_notes(code, on, tables)
    if facts is None or "above" not in facts:
        return facts
    notes = [
        {"kind": note.kind, "text": note.text, "stands_on": note.stands_on}
        for note in tables.notes_of(code)
    ]
    return {**facts, "notes": notes}


def facts_without_notes(code: str, on: str, tables: Tables) -> dict[str, Any] | None:
    """The same without the notes, which are most of it."""
    status = tables.status(code, on)
    if status == "unknown":
        return None
    facts: dict[str, Any] = {
        "code": code,
        "system": ICD,
        "release": tables.release,
        "date": on,
        "status": status,
        "title": None,
        "billable": tables.billable(code),
        "valid": [list(period) for period in tables.validity(code)],
        "mce_edits": sorted(tables.edits(code, on)),
    }
    if not tables.exists(code):
        meant = _meant(code, tables)
        return {**facts, "meant": meant} if meant else facts
    sex, age = tables.sex_by_meaning(code), tables.age_by_meaning(code)
    return {
        **facts,
        "title": tables.title(code),
        "above": [{"code": name, "title": title} for name, title in tables.titles_above(code)],
        "below": [{"code": name, "title": title} for name, title in tables.titles_below(code)],
        "sex": {"sex": sex[0], "words": sex[1]} if sex else None,
        "age": {"from": age[0], "to": age[1], "words": age[2]} if age else None,
        "sevenths": {char: one.text for char, one in tables.sevenths(code).items()},
        "sides": tables.side_siblings(code),
    }


def _meant(code: str, tables: Tables) -> str | None:
    """The complete code behind one whose placeholders are missing (W21.89A -> W21.89XA)."""
    try:
        return tables.complete(code[:-1].rstrip("."), code[-1])
    except InputError:
        return None


def service_facts(code: str, on: str, services: Services) -> dict[str, Any] | None:
    """What is known of a service of our list, or of one known to be retired; else None."""
    one = services.get(code)
    if one is None:
        ended = next((r for r in services.retired_codes() if r.code == code), None)
        if ended is None:
            return None
        return {
            "code": code,
            "system": system_by_form(code),
            "status": "retired" if ended.ended_on <= on else "valid",
            "label": ended.label,
            "ended_on": ended.ended_on,
            "source": ended.source,
        }
    return {
        "code": one.code,
        "system": one.system,
        "status": "valid",
        "label": one.label,
        "category": one.category,
        "settings": list(one.settings),
        "sex": one.sex,
        "age": list(one.age),
        "add_on_to": list(services.primaries(code)),
        **ncci_of(code, on, services),
    }


def system_by_form(code: str) -> str:
    """CPT or HCPCS, by the form of a code that is one of them."""
    return "CPT" if code[:-1].isdigit() else "HCPCS"


def _unknown(code: str, bare: str) -> NoReturn:
    digits = len(bare) == 5 and bare.isascii() and bare[1:].isdigit()
    told = "it is neither an ICD-10-CM code, now or once, nor a service of casegen's list"
    if digits and bare[0].isalpha():
        told += "; of HCPCS, whose shape it has, that list holds only some codes"
    elif digits and bare[0].isdigit():
        told += "; of CPT, whose shape it has, that list holds only some codes"
    raise InputError("code", code, told)


def describe_pair(
    a: dict[str, Any], b: dict[str, Any], on: str, tables: Tables, services: Services
) -> dict[str, Any]:
    """What ties two codes: Excludes and code-also notes, or NCCI pairs.

    ``kind`` is diagnoses, services, or mixed, which no table ties.
    """
    # A spelling may be both; it is then read as the other of the two.
    if a["system"] != b["system"]:
        a, b = a.get("also", a), b.get("also", b)
    one, two = a["code"], b["code"]
    head: dict[str, Any] = {"codes": [one, two], "date": on}
    labels = {"titles": [x.get("title") or x.get("label") for x in (a, b)]}
    if a["system"] == b["system"] == ICD:
        return {
            **head, "kind": "diagnoses", **labels,
            "status": [a["status"], b["status"]],
            "excludes1": [asdict(hit) for hit in tables.excludes1(one, two)],
            "excludes2": [asdict(hit) for hit in tables.excludes2(one, two)],
            "code_also": [asdict(note) for note in tables.code_also(one, two)],
        }  # fmt: skip
    if ICD in (a["system"], b["system"]):
        return {**head, "kind": "mixed", **labels}
    active = services.pair(one, two, on)
    return {
        **head, "kind": "services", **labels,
        "edition": services.edition,
        "ncci_active": asdict(active) if active else None,
        "ncci_all": [asdict(edit) for edit in services.pair_any(one, two)],
    }  # fmt: skip
