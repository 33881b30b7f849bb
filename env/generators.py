"""Generators of cases, kept while they are in use: one costs little, its tables do not."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from casegen.config import BUNDLED, FIRST_DATE, LAST_DATE
from casegen.schemas import InputError

if TYPE_CHECKING:
    from casegen.families import Generator

_KEPT = 64


@lru_cache(maxsize=_KEPT)
def generator_of(
    name: str,
    split: str,
    seed: int,
    difficulty: str | None = None,
    tables: str = BUNDLED,
    **shares: float,
) -> Generator:
    """The generator ``name`` (``audit-v0``) of a recipe; ``shares`` are settings such as ``clean``,
    the usual ones where they are not told, ``tables`` are as ``tables_named`` has them.

    Raises InputError.
    """
    from casegen.families import make

    try:
        return make(name, seed=seed, split=split, difficulty=difficulty, tables=tables, **shares)
    except InputError as error:
        if error.field not in ("first_date", "last_date"):
            raise
        # Tables of another time: nobody names days in play.
        told = f"{error.mend.partition(';')[0]}; cases in play are of {FIRST_DATE} to {LAST_DATE}"
        raise InputError("tables", tables, told) from None


def tables_named(name: object) -> str:
    """The name of tables as the recipe of a case has it: ``bundled``, or that of an imported set
    with its digest. Raises InputError where there is no such set here, or the name has a digest
    and the set holds something else."""
    if not isinstance(name, str):
        raise InputError("tables", name, f"{BUNDLED!r} or the name of an imported set")
    if name == BUNDLED:
        return name
    from casegen.seeds.imports.sets import load

    return load(name).recipe
