"""``casegen code CODE [CODE]``: all that the tables know of a code, or of a pair."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from casegen.schemas import InputError
from casegen.seeds.icd10cm.codes import canonical

from ..knowledge import reference

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

DEFAULT_DATE = "2026-04-01"
_NOTE_ORDER = (
    "includes", "inclusion_term", "excludes1", "excludes2", "code_first", "use_additional",
    "code_also", "note",
)  # fmt: skip


@click.command()
@click.argument("code")
@click.argument("other", required=False)
@click.option("--date", "on", default=DEFAULT_DATE, show_default=True, help="Date of service.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(code: str, other: str | None, on: str, as_json: bool) -> None:
    """Print title, validity, edits and notes of CODE, or what ties CODE and OTHER."""
    from datetime import date

    try:
        date.fromisoformat(on)
    except ValueError:
        raise InputError("date", on, "a date as YYYY-MM-DD") from None
    tables, services = reference()
    facts = describe(code, on, tables, services)
    if other is None:
        print(json.dumps(facts, ensure_ascii=False) if as_json else "\n".join(_lines(facts)))
        return
    second = describe(other, on, tables, services)
    tie = describe_pair(facts, second, on, tables, services)
    if as_json:
        print(json.dumps(tie, ensure_ascii=False))
    else:
        print("\n".join(_pair_lines(facts, second, tie)))


def describe(code: str, on: str, tables: Tables, services: Services) -> dict[str, Any]:
    """What is known of one code. Raises InputError for a code that no table knows."""
    bare = "".join(code.split()).upper()
    service = services.get(bare) if "." not in bare else None
    icd = canonical(code)
    status = tables.status(icd, on)
    if service is None and status == "unknown":
        ended = services.retired(bare)
        if ended is not None:
            return {"code": bare, "system": "CPT/HCPCS", "status": "retired", "ended_on": ended}
        raise InputError("code", code, "no ICD-10-CM code, and no service of our list")
    if service is not None and status == "unknown":
        return {
            "code": service.code,
            "system": service.system,
            "status": "valid",
            "label": service.label,
            "category": service.category,
            "settings": list(service.settings),
            "sex": service.sex,
            "age": list(service.age),
            "mue": services.mue(service.code),
            "add_on_to": list(services.primaries(service.code)),
            "edition": services.edition,
        }
    known = tables.exists(icd)
    facts: dict[str, Any] = {
        "code": icd,
        "system": "ICD-10-CM",
        "release": tables.release,
        "date": on,
        "status": status,
        "title": tables.title(icd) if known else None,
        "billable": tables.billable(icd),
        "valid": [list(period) for period in tables.validity(icd)],
        "mce_edits": sorted(tables.edits(icd, on)),
        "sex": list(tables.sex_by_meaning(icd) or ()) if known else [],
        "age": list(tables.age_by_meaning(icd) or ()) if known else [],
        "notes": [asdict(note) for note in tables.notes_of(icd)] if known else [],
        "sevenths": {c: s.text for c, s in tables.sevenths(icd).items()} if known else {},
    }
    if service is not None:
        facts["also"] = f"{service.system} {service.code}: {service.label}"
    return facts


def describe_pair(
    a: dict[str, Any], b: dict[str, Any], on: str, tables: Tables, services: Services
) -> dict[str, Any]:
    """What ties two codes: Excludes and code-also notes, or NCCI pairs."""
    one, two = a["code"], b["code"]
    if a["system"] == b["system"] == "ICD-10-CM":
        return {
            "codes": [one, two],
            "excludes1": [asdict(hit) for hit in tables.excludes1(one, two)],
            "excludes2": [asdict(hit) for hit in tables.excludes2(one, two)],
            "code_also": [asdict(note) for note in tables.code_also(one, two)],
        }
    active = services.pair(one, two, on)
    return {
        "codes": [one, two],
        "edition": services.edition,
        "date": on,
        "ncci_active": asdict(active) if active else None,
        "ncci_all": [asdict(edit) for edit in services.pair_any(one, two)],
    }


def _lines(facts: dict[str, Any]) -> list[str]:
    out = [f"{facts['code']}  {facts.get('title') or facts.get('label') or ''}".rstrip()]
    for key, value in facts.items():
        if key in ("code", "title", "label", "notes", "sevenths") or value in (None, [], {}):
            continue
        if isinstance(value, list):
            value = ", ".join(" to ".join(v) if isinstance(v, list) else str(v) for v in value)
        out.append(f"  {key.replace('_', ' ')}: {value}")
    for char, text in facts.get("sevenths", {}).items():
        out.append(f"  7th character {char}: {text}")
    notes = facts.get("notes", [])
    for kind in _NOTE_ORDER:
        for note in notes:
            if note["kind"] == kind:
                own = "" if note["stands_on"] == facts["code"] else f" (at {note['stands_on']})"
                out.append(f"  {kind.replace('_', ' ')}{own}: {note['text']}")
    return out


def _pair_lines(a: dict[str, Any], b: dict[str, Any], tie: dict[str, Any]) -> list[str]:
    out = []
    for facts in (a, b):
        out.append(f"{facts['code']}  {facts.get('title') or facts.get('label') or ''}".rstrip())
    if "ncci_all" in tie:
        if not tie["ncci_all"]:
            out.append(f"  no NCCI practitioner pair ({tie['edition']})")
        for edit in tie["ncci_all"]:
            state = f"deleted {edit['deleted']}" if edit["deleted"] else "active"
            out.append(
                f"  NCCI {state} ({tie['edition']}): column 1 {edit['column1']}, column 2 "
                f"{edit['column2']} (the one denied), modifier indicator {edit['indicator']}: "
                f"{INDICATORS[edit['indicator']]}; {edit['rationale']}"
            )
        return out
    for kind in ("excludes1", "excludes2"):
        for hit in tie[kind]:
            out.append(
                f"  {kind} at {hit['stands_on']}, naming {hit['target']}: {hit['note']} "
                f"(reaches: {hit['reach']})"
            )
    for note in tie["code_also"]:
        out.append(f"  {note['kind'].replace('_', ' ')} at {note['stands_on']}: {note['text']}")
    if len(out) == 2:
        out.append("  no Excludes1, Excludes2 or code-also note ties them")
    return out


INDICATORS = {
    0: "no modifier allows both",
    1: "a modifier allows both if the record bears it out",
    9: "no edit",
}
