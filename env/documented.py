"""Documented tasks as cases: what stands in the pack's file, and what the tables add."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from casegen.schemas import TablesRef
from casegen.schemas.anycase import CASES, AnyCase
from casegen.schemas.case import case_id
from casegen.schemas.pack import Task
from casegen.schemas.packs import Pack
from casegen.schemas.play import Profile
from casegen.seeds.packs import Documented, Documents, read_documents

from .families import family as family_of
from .stored import StoredTasks

_VERSION = "v0"


def documented_pack(path: Path) -> Pack:
    """The pack of documented tasks in a YAML file. Raises TableError."""
    from casegen.knowledge import reference

    documents = read_documents(path)
    known, _ = reference()
    tables = TablesRef(known.name, known.digest)
    profile = cast("Profile", documents.profile)
    tasks = [
        Task(
            id=one.id,
            family=documents.family,
            profile=profile,
            case=_case(documents, index, one, tables),
            pack=documents.name,
            own_rules=one.own_rules,
            reference_note=one.reference_note,
        )
        for index, one in enumerate(documents.tasks)
    ]
    return Pack(
        name=documents.name,
        version=documents.version,
        family=documents.family,
        profile=profile,
        about=documents.about,
        tables=tables,
        sha256=documents.sha256,
        tasks=StoredTasks(tasks),
        source=documents.name,
    )


def _case(documents: Documents, index: int, one: Documented, tables: TablesRef) -> AnyCase:
    family = documents.family
    # No generator has such options: nobody takes the case for one of its own.
    options = {"pack": documents.name, "task": one.id}
    model: type[Any] = CASES[family]
    case: AnyCase = model(
        id=case_id(family, _VERSION, "test", 0, index, options),
        family=family,
        version=_VERSION,
        split="test",
        seed=0,
        index=index,
        options=options,
        tables=tables,
        difficulty=one.difficulty,
        max_steps=one.max_steps,
        patient=one.patient,
        encounter=one.encounter,
        note_style=one.note_style,
        note=one.note,
        record=one.record,
        **one.own,
        conditions=[f"documented.{one.id}"],
        structural_key="",
        redraws=[],
    )
    case.structural_key = family_of(family).structure(case)
    return case
