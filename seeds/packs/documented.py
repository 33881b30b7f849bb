"""Reads documented tasks from YAML: facts and texts by hand, places in the note by search.

What the tasks of all families have stands here; the rest is read by a module for each family.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from casegen.schemas import TableError
from casegen.seeds import data

from .documented_audit import DocumentedAudit, audit_task
from .documented_coding import DocumentedCoding, coding_task

Documented = DocumentedAudit | DocumentedCoding
_READERS: dict[str, Callable[[Mapping[str, Any]], Documented]] = {
    "audit": audit_task,
    "coding": coding_task,
}


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
        read = _READERS[head["family"]]
        return Documents(**head, tasks=[read(task) for task in content["tasks"]])
    except (KeyError, TypeError) as error:
        raise TableError(f"{path.name}: no pack of documented tasks: {error!r}") from None
