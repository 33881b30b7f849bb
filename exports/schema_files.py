"""The JSON Schemas of the families, which an export holds beside its card."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from casegen.schemas.anycase import CASES, schema_name
from casegen.schemas.json_schema import schema_path

from .shard import write_whole

FOLDER = "schemas"
ALL = f"{FOLDER}/*.schema.json"


def schema_file(family: str) -> str:
    """Where the schema of a family's cases lies, from the folder of the export."""
    return f"{FOLDER}/{schema_name(family)}.schema.json"


def write_schemas(folder: Path, families: Iterable[str], work: Path) -> None:
    """Write the schemas of these families into an export."""
    (folder / FOLDER).mkdir(exist_ok=True)
    for name in families:
        text = schema_path(schema_name(name)).read_bytes()
        write_whole(folder / schema_file(name), text, work)


def clear_schemas(folder: Path) -> None:
    """Remove the schemas of an export, and their folder if nothing else lies there. That folder
    is no link: see ``places.need_free``."""
    for name in CASES:
        (folder / schema_file(name)).unlink(missing_ok=True)
    place = folder / FOLDER
    if place.is_dir() and not any(place.iterdir()):
        place.rmdir()
