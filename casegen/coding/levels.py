"""How hard coding cases are, from ``seeds/coding/difficulty.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from casegen.seeds import coding


@dataclass(frozen=True, slots=True)
class Level:
    """One row of the table; the fields are those of the file."""

    weight: int
    codes: tuple[int, int]
    allowed: tuple[int, int]
    rivals: tuple[int, int]
    foils: tuple[int, int]
    review: int
    guided: int
    open: int
    max_steps: int


@lru_cache(maxsize=1)
def levels() -> Mapping[str, Level]:
    """The levels by name, the easiest first."""
    table = coding.read("difficulty.yaml")
    return MappingProxyType({name: _level(row) for name, row in table.items()})


def _level(row: Mapping[str, Any]) -> Level:
    ranges = ("codes", "allowed", "rivals", "foils")
    fields: dict[str, Any] = {key: tuple(row[key]) if key in ranges else row[key] for key in row}
    return Level(**fields)
