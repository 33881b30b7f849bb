"""The families by id, in one plain mapping."""

from __future__ import annotations

from typing import Any

from casegen.schemas import InputError

from .audit import AuditGenerator
from .config import AuditConfig, check_seed, check_split

# The id that the command line means by a bare family name.
FAMILIES = {"audit": "audit-v0"}


def make(name: str, *, seed: int, split: str = "train", **config: Any) -> AuditGenerator:
    """A lazy generator of the family ``name`` (``audit-v0``).

    ``seed`` is a whole number of 64 bits, ``split`` one of train, validation and test; the
    rest are the fields of the family's configuration (``AuditConfig``). Raises InputError.
    """
    name = FAMILIES.get(name, name)
    if name not in FAMILIES.values():
        raise InputError("name", name, f"one of {', '.join(FAMILIES.values())}")
    unknown = sorted(set(config) - set(AuditConfig.__dataclass_fields__))
    if unknown:
        fields = ", ".join(AuditConfig.__dataclass_fields__)
        raise InputError(unknown[0], config[unknown[0]], f"no such setting; there are {fields}")
    from .knowledge import world_of

    settings = AuditConfig(**config)
    return AuditGenerator(world_of(check_split(split)), check_seed(seed), split, settings)
