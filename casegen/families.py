"""The families by id, in plain mappings; a family's generator is imported when first asked for."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from casegen.schemas import InputError

from .config import BUNDLED, AuditConfig, CodingConfig, RxConfig, check_seed, check_split

if TYPE_CHECKING:
    from .audit import AuditGenerator
    from .coding import CodingGenerator
    from .rx import RxGenerator

    Generator = AuditGenerator | CodingGenerator | RxGenerator


# The id that the command line means by a bare family name.
FAMILIES = {"audit": "audit-v0", "coding": "coding-v0", "rx": "rx-v0"}
# By id: what a generator is configured by, and the module and the name of its class.
CONFIGS: dict[str, type[AuditConfig] | type[CodingConfig] | type[RxConfig]] = {
    "audit-v0": AuditConfig,
    "coding-v0": CodingConfig,
    "rx-v0": RxConfig,
}
GENERATORS = {
    "audit-v0": ("casegen.audit", "AuditGenerator"),
    "coding-v0": ("casegen.coding", "CodingGenerator"),
    "rx-v0": ("casegen.rx", "RxGenerator"),
}
# Our services are known to have been valid in 2024Q3; of earlier days their data don't tell.
SERVICES_FROM = "2024-07-01"
C = TypeVar("C", bound=AuditConfig | CodingConfig | RxConfig)


def family_id(name: object) -> str | None:
    """The id of a family by its id or its bare name, None if there is no such family."""
    if not isinstance(name, str):
        return None
    return FAMILIES.get(name, name if name in FAMILIES.values() else None)


@overload
def make(
    name: Literal["audit-v0"], *, seed: int | None = ..., split: str = ..., **config: Any
) -> AuditGenerator: ...
@overload
def make(
    name: Literal["coding-v0"], *, seed: int | None = ..., split: str = ..., **config: Any
) -> CodingGenerator: ...
@overload
def make(
    name: Literal["rx-v0"], *, seed: int | None = ..., split: str = ..., **config: Any
) -> RxGenerator: ...
@overload
def make(name: str, *, seed: int | None = ..., split: str = ..., **config: Any) -> Any: ...
def make(name: str, *, seed: int | None = None, split: str = "train", **config: Any) -> Any:
    """A lazy generator of the family ``name`` (``audit-v0``, ``coding-v0``, ``rx-v0``).

    ``seed`` is a whole number of 64 bits and must be given; ``split`` is one of train,
    validation and test; the rest are the fields of the family's configuration
    (``AuditConfig``, ``CodingConfig``, ``RxConfig``). Raises InputError.
    """
    family = family_id(name)
    if family is None:
        raise InputError("name", name, f"one of {', '.join(FAMILIES.values())}")
    if seed is None:
        raise InputError("seed", None, "name one; a case is a function of its seed and index")
    kind = CONFIGS[family]
    unknown = sorted(set(config) - set(kind.__dataclass_fields__))
    if unknown:
        fields = ", ".join(kind.__dataclass_fields__)
        raise InputError(unknown[0], config[unknown[0]], f"no such setting; there are {fields}")
    from .knowledge import world_of

    settings: AuditConfig | CodingConfig | RxConfig = kind(**config)
    check_seed(seed)
    check_split(split)
    if settings.tables != BUNDLED:
        settings = _settled(settings)
    module, generator = GENERATORS[family]
    made = getattr(import_module(module), generator)
    return made(world_of(split, settings.tables), seed, split, settings)


def _settled(settings: C) -> C:
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
