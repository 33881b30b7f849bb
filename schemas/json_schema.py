"""JSON Schema (draft 2020-12) of the models. ``python -m casegen.schemas.json_schema`` writes the
files that stand beside this module; a test fails when they differ from the models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from .anycase import CASES, schema_name
from .claim import ProposedClaim

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_OF_CASES: dict[str, type] = {schema_name(family): model for family, model in CASES.items()}
SCHEMAS: dict[str, type] = {**_OF_CASES, "claim": ProposedClaim}


def schema_of(name: str) -> dict[str, Any]:
    """The schema of one model. A stored case also carries its ``content_hash``."""
    schema = TypeAdapter(SCHEMAS[name]).json_schema()
    if name in _OF_CASES:
        schema["properties"]["content_hash"] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    return {"$schema": DIALECT, **schema}


def schema_text(name: str) -> str:
    """The schema file of one model."""
    return json.dumps(schema_of(name), indent=2, sort_keys=True) + "\n"


def schema_path(name: str) -> Path:
    """Where the schema file of one model stands."""
    return Path(__file__).with_name(f"{name}.schema.json")


def main() -> None:
    """Write all schema files."""
    for name in SCHEMAS:
        schema_path(name).write_text(schema_text(name), encoding="utf-8")


if __name__ == "__main__":
    main()
