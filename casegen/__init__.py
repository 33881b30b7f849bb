"""casegen: seeded medical cases whose answers are certified against official tables."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from casegen.schemas import Case, CodingCase, RxCase
    from casegen.schemas.anycase import AnyCase

    from .config import AuditConfig, CodingConfig, RxConfig

__version__ = "0.1.0"
__all__ = [
    "AuditConfig", "Case", "CodingCase", "CodingConfig", "RxCase", "RxConfig", "__version__",
    "make", "read",
]  # fmt: skip

# Imported when first asked for, so that ``import casegen`` is cheap.
_LATER = {
    "AuditConfig": "casegen.config",
    "CodingConfig": "casegen.config",
    "RxConfig": "casegen.config",
    "Case": "casegen.schemas",
    "CodingCase": "casegen.schemas",
    "RxCase": "casegen.schemas",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'casegen' has no attribute {name!r}")


def make(name: str, *, seed: int | None = None, split: str = "train", **config: Any) -> Any:
    """A lazy generator of cases: ``make("audit-v0", seed=7)[42]`` is one Case,
    ``make("coding-v0", seed=7)[42]`` one CodingCase, ``make("rx-v0", seed=7)[42]`` one RxCase.

    ``name`` is the family's id, ``seed`` a whole number of 64 bits, which must be given,
    ``split`` one of train, validation and test; ``config`` are fields of ``AuditConfig``
    (difficulty, errors, clean, settings, first_date, last_date, tables) of ``CodingConfig``
    or of ``RxConfig``.
    Raises InputError naming the field that doesn't fit.
    """
    from .families import make as make_family

    return make_family(name, seed=seed, split=split, **config)


def read(path: str | PathLike[str]) -> Iterator[AnyCase]:
    """The cases of a ``.jsonl`` or ``.jsonl.gz`` file, one after the other.

    Raises InputError naming the line and field that doesn't fit.
    """
    from casegen.schemas import InputError

    from .cli.source import cases_of

    if not isinstance(path, str | PathLike):
        raise InputError("path", path, "must be text or a path")
    for _, case in cases_of(fspath(path)):
        yield case
