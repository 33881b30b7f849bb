"""Reads what a documented rx task has beside the parts of all families: the prescription, the
entries of the record, the findings and the answer.

The note holds the entries of a source as lines that begin with ``- `` below its heading. A fact
names its source by its kind; of a medication ``basis`` is day, ``route`` oral and ``form`` tablet
unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casegen.schemas import Span, TableError
from casegen.schemas.rx_case import (
    Prescription,
    RxAuthority,
    RxDecoy,
    RxFact,
    RxFinding,
    RxSource,
)

from .reading import Reader

HEADINGS = {
    "allergies": "Allergies",
    "medications": "Medications",
    "conditions_listed": "Conditions and measures",
}
_SOURCE: dict[str, RxSource] = {
    "sex": "shown", "age": "shown", "allergy": "allergies", "intolerance": "allergies",
    "medication": "medications",
}  # fmt: skip
_MEDICATION = {"basis": "day", "route": "oral", "form": "tablet"}
_ENTRY = "- "


def read(reader: Reader) -> dict[str, Any]:
    """The fields of the case. Raises TableError."""
    task = reader.task
    findings = [_finding(reader, one) for one in task.get("findings", ())]
    decoys = [_decoy(reader, one) for one in task.get("decoys", ())]
    return {
        "task": task["task"],
        "prescription": Prescription(**{"route": "oral", "form": "", **task["prescription"]}),
        **{name: _entries(reader, heading) for name, heading in HEADINGS.items()},
        "dosage_safe": not any(one.component == "dose" for one in findings),
        "findings": findings,
        "decoys": decoys,
        "recommendation": task["recommendation"],
        "also_accepted": list(task.get("also_accepted", ())),
        "rationale": task["rationale"],
        "kinds": sorted({*(one.problem for one in findings), *(one.kind for one in decoys)}),
    }


def record(reader: Reader) -> list[RxFact]:
    """The facts that the note states."""
    return [_fact(reader, number, one) for number, one in enumerate(reader.task["record"], 1)]


def _fact(reader: Reader, number: int, fact: Mapping[str, Any]) -> RxFact:
    kind = fact["kind"]
    attributes = dict(fact.get("attributes", {}))
    if kind == "medication":
        attributes = {**_MEDICATION, **attributes}
    return RxFact(
        id=f"f{number}",
        kind=kind,
        term=fact["term"],
        status=fact.get("status", "active"),
        attributes=attributes,
        source=_SOURCE.get(kind, "conditions"),
        spans=reader.spans(fact["says"]),
    )


def _entries(reader: Reader, heading: str) -> list[Span]:
    """The lines of a source. Raises TableError where the note has no such heading."""
    start = reader.note.find(f"\n{heading}\n")
    if start < 0:
        raise TableError(f"{reader.id}: the note has no heading {heading!r}")
    at = start + len(heading) + 2
    found = []
    for line in reader.note[at:].split("\n"):
        if not line.startswith(_ENTRY):
            break
        begin = at + len(_ENTRY)
        found.append(Span(begin, at + len(line), reader.note[begin : at + len(line)]))
        at += len(line) + 1
    return found


def _finding(reader: Reader, one: Mapping[str, Any]) -> RxFinding:
    return RxFinding(
        component=one["component"],
        problem=one["problem"],
        pair=list(one["pair"]),
        names=list(one.get("names", ())),
        severity=one["severity"],
        asks=one["asks"],
        effect=one["effect"],
        management=one["management"],
        reason=one["reason"],
        authority=_authority(one),
        disputed=one.get("disputed", ""),
        evidence=reader.spans(one["evidence"]),
    )


def _decoy(reader: Reader, one: Mapping[str, Any]) -> RxDecoy:
    return RxDecoy(
        kind=one["kind"],
        component=one["component"],
        pair=list(one["pair"]),
        names=list(one.get("names", ())),
        tolerated=one["tolerated"],
        reason=one["reason"],
        authority=_authority(one),
        evidence=reader.spans(one["evidence"]),
    )


def _authority(one: Mapping[str, Any]) -> list[RxAuthority]:
    return [RxAuthority(*(part.strip() for part in text.split(";"))) for text in one["by"]]
