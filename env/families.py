"""The families that can be played, in one plain mapping."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from casegen.schemas import InputError

from .family import Family

# The package of each family; it holds FAMILY.
FAMILIES = {
    "audit": "casegen.env.audit",
    "coding": "casegen.env.coding",
    "rx": "casegen.env.rx",
}


def family(name: object) -> Family:
    """The family of that name. Raises InputError."""
    if not isinstance(name, str) or name not in FAMILIES:
        raise InputError("family", name, f"one of {', '.join(FAMILIES)}")
    return _family_in(FAMILIES[name])


@lru_cache(maxsize=8)
def _family_in(module: str) -> Family:
    found: Family = import_module(module).FAMILY
    return found
