"""Generators of cases, kept while they are in use: one costs little, its tables do not."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from casegen.families import Generator

_KEPT = 64


@lru_cache(maxsize=_KEPT)
def generator_of(
    name: str, split: str, seed: int, difficulty: str | None = None, **shares: float
) -> Generator:
    """The generator ``name`` (``audit-v0``) of a recipe; ``shares`` are settings such as ``clean``,
    the usual ones where they are not told.

    Raises InputError.
    """
    from casegen.families import make

    return make(name, seed=seed, split=split, difficulty=difficulty, **shares)
