"""Generators of cases, kept while they are in use: one costs little, its tables do not."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from casegen.audit import AuditGenerator

# How many cases a stream tells of. It could go on.
STREAM = 1_000_000
_KEPT = 64


@lru_cache(maxsize=_KEPT)
def generator_of(
    name: str, split: str, seed: int, difficulty: str | None = None, clean: float | None = None
) -> AuditGenerator:
    """The generator ``name`` (``audit-v0``) of a recipe; ``clean`` None is the usual share.

    Raises InputError.
    """
    from casegen.families import make

    config: dict[str, Any] = {} if clean is None else {"clean": clean}
    return make(name, seed=seed, split=split, difficulty=difficulty, **config)
