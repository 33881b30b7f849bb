"""The families by id, in one plain mapping."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from casegen.schemas import InputError

from .audit import AuditGenerator
from .config import BUNDLED, AuditConfig, check_seed, check_split

# The id that the command line means by a bare family name.
FAMILIES = {"audit": "audit-v0"}
# Our services are known to have been valid in 2024Q3; of earlier days their data don't tell.
SERVICES_FROM = "2024-07-01"


def family_id(name: object) -> str | None:
    """The id of a family by its id or its bare name, None if there is no such family."""
    if not isinstance(name, str):
        return None
    return FAMILIES.get(name, name if name in FAMILIES.values() else None)


def make(
    name: str, *, seed: int | None = None, split: str = "train", **config: Any
) -> AuditGenerator:
    """A lazy generator of the family ``name`` (``audit-v0``).

    ``seed`` is a whole number of 64 bits and must be given; ``split`` is one of train,
    validation and test; the rest are the fields of the family's configuration
    (``AuditConfig``). Raises InputError.
    """
    if family_id(name) is None:
        raise InputError("name", name, f"one of {', '.join(FAMILIES.values())}")
    if seed is None:
        raise InputError("seed", None, "name one; a case is a function of its seed and index")
    unknown = sorted(set(config) - set(AuditConfig.__dataclass_fields__))
    if unknown:
        fields = ", ".join(AuditConfig.__dataclass_fields__)
        raise InputError(unknown[0], config[unknown[0]], f"no such setting; there are {fields}")
    from .knowledge import world_of

    settings = AuditConfig(**config)
    check_seed(seed)
    check_split(split)
    if settings.tables != BUNDLED:
        settings = _settled(settings)
    return AuditGenerator(world_of(split, settings.tables), seed, split, settings)


def _settled(settings: AuditConfig) -> AuditConfig:
    """The settings with the digest of the imported set beside its name. Raises InputError where
    the encounters would lie outside of its release."""
    from casegen.seeds.imports.sets import load

    found = load(settings.tables)
    first, last = found.tables.window
    for field in ("first_date", "last_date"):
        day = getattr(settings, field)
        if not first <= day <= last:
            release = found.tables.release
            told = f"the {release} of the tables {found.tables.name} holds from {first} to {last}"
            raise InputError(field, day, f"{told}; the first and the last date must lie within")
    if settings.first_date < SERVICES_FROM:
        told = f"the list of services holds from {SERVICES_FROM} on, and no earlier case is sure"
        raise InputError("first_date", settings.first_date, told)
    return replace(settings, tables=found.recipe)
