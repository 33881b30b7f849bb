"""How hard rx cases are, from ``seeds/rx/cases/difficulty.yaml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from casegen.schemas.rx_case import RxTask
from casegen.seeds.rx import cases

from ..randomness import running_sums


@dataclass(frozen=True, slots=True)
class Level:
    """One row of the table; the fields are those of the file. ``findings`` are running sums."""

    task: RxTask
    weight: int
    findings: Sequence[int]
    decoys: tuple[int, int]
    medications: tuple[int, int]
    allergies: tuple[int, int]
    conditions: tuple[int, int]
    terse: int
    brand: int
    coded: int
    max_steps: int


@lru_cache(maxsize=1)
def levels() -> Mapping[str, Level]:
    """The levels by name, the easiest first."""
    table = cases.read("difficulty.yaml")
    return MappingProxyType({name: _level(row) for name, row in table.items()})


def _level(row: Mapping[str, Any]) -> Level:
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
    fields["findings"] = running_sums(row["findings"])
    return Level(**fields)
