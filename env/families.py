"""The families that can be played, in one plain mapping."""

from __future__ import annotations

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
    found: Family = import_module(FAMILIES[name]).FAMILY
    return found
