"""Tells why an export that was begun can't go on with a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from casegen.schemas import InputError

from .manifest import Manifest

_OTHER = "name another folder"


def need_same(folder: Path, there: Manifest, here: Manifest) -> None:
    """Raise InputError, with the first field that differs, unless the export in a folder has
    the rows that ``here`` asks for."""
    begun = f"the export in {folder} was begun"
    old, new = _fields(there.recipe), _fields(here.recipe)
    for name in [*new, *(name for name in old if name not in new)]:
        if old.get(name) == new.get(name):
            continue
        if name not in old:
            raise InputError(name, new[name], f"{begun} without it; leave it out, or {_OTHER}")
        told = f"{begun} with {old[name]}; name that, or another folder"
        raise InputError(name, new.get(name), told)
    if there.casegen != here.casegen:
        told = f"{begun} by version {there.casegen}; go on with that, or {_OTHER}"
        raise InputError("casegen", here.casegen, told)
    for family, ref in here.tables.items():
        if there.tables.get(family) != ref:
            told = f"{begun} with other tables of the name {ref.name}; take those, or {_OTHER}"
            raise InputError("tables.digest", ref.digest, told)


def _fields(recipe: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a recipe, each setting of the generators one of its own."""
    fields = {name: value for name, value in recipe.items() if name != "options"}
    told = {
        name: ", ".join(map(str, value)) if isinstance(value, list) else value
        for name, value in fields.items()
    }
    return {**told, **recipe.get("options", {})}
