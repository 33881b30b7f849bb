"""Reads documented tasks from YAML: facts and texts by hand, places in the note by search.

A span of the note is written as its words, which must stand in the note exactly once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from casegen.schemas import Encounter, Fact, Patient, TableError
from casegen.schemas.case import Difficulty
from casegen.schemas.rx_case import RxFact
from casegen.seeds import data

from .reading import Reader

# The module that reads what a family alone has; it holds ``read``, and ``record`` where the facts
# of its cases are others.
OWN = {
    "audit": "casegen.seeds.packs.audit",
    "coding": "casegen.seeds.packs.coding",
    "rx": "casegen.seeds.packs.rx",
}


@dataclass(frozen=True, slots=True)
class Documented:
    """One documented task: all of its case but what the tables and the generator add.

    ``own`` holds the fields that only cases of its family have. ``own_rules`` and
    ``reference_note`` are those of ``casegen.schemas.pack.Task``.
    """

    id: str
    difficulty: Difficulty
    max_steps: int
    patient: Patient
    encounter: Encounter
    note_style: str
    note: str
    record: list[Fact] | list[RxFact]
    own: dict[str, Any]
    own_rules: dict[str, str]
    reference_note: str | None


@dataclass(frozen=True, slots=True)
class Documents:
    """A file of documented tasks: the head of their pack, and the tasks in order."""

    name: str
    version: str
    family: str
    profile: str
    about: str
    sha256: str
    tasks: list[Documented]


def read_documents(path: Path) -> Documents:
    """The documented tasks of a YAML file. Raises TableError where a part is missing or words
    of the note are not found just once."""
    try:
        content = data.parse(path.read_bytes(), path.name)
        head = {name: content[name] for name in Documents.__dataclass_fields__ if name != "tasks"}
        return Documents(**head, tasks=[_task(head["family"], task) for task in content["tasks"]])
    except (KeyError, TypeError) as error:
        raise TableError(f"{path.name}: no pack of documented tasks: {error!r}") from None


def _task(family: str, task: Mapping[str, Any]) -> Documented:
    reader = Reader(task)
    own = import_module(OWN[family])
    return Documented(
        id=reader.id,
        difficulty=task["difficulty"],
        max_steps=task["max_steps"],
        patient=Patient(**task["patient"]),
        encounter=Encounter(**{"admission_date": None, **task["encounter"]}),
        note_style=task["note_style"],
        note=reader.note,
        record=getattr(own, "record", Reader.record)(reader),
        own=own.read(reader),
        own_rules=dict(task.get("own_rules", {})),
        reference_note=task.get("reference_note"),
    )
