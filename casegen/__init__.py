"""casegen: seeded medical cases whose answers are certified against official tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .audit import AuditGenerator

__version__ = "0.1.0"
__all__ = ["__version__", "make"]


def make(name: str, *, seed: int, split: str = "train", **config: Any) -> AuditGenerator:
    """A lazy generator of cases: ``make("audit-v0", seed=7)[42]`` is one Case.

    See ``casegen.families.make``; the import happens here so that ``import casegen`` is cheap.
    """
    from .families import make as make_family

    return make_family(name, seed=seed, split=split, **config)
