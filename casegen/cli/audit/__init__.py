"""Audit cases in the commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from casegen.schemas import Case
from casegen.seeds import data

from ..family import Counted, Family

if TYPE_CHECKING:
    from rich.console import Console

    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

    from ..where import Where


@lru_cache(maxsize=1)
def _steps() -> Mapping[str, int]:
    levels: dict[str, Any] = data.read("difficulty.yaml")
    return {name: level["max_steps"] for name, level in levels.items()}


def _consistent(case: Case, where: Where, tables: Tables, services: Services) -> None:
    from .consistent import consistent

    consistent(case, where, tables, services)


def _certify(case: Case, tables: Tables, services: Services) -> Iterable[str]:
    from ...certify import certify

    return certify(case, tables, services).unjudged


def _show(case: Case, console: Console) -> None:
    from .show import show_case

    show_case(case, console)


def _counted() -> Counted:
    from .stats import Stats

    return Stats()


FAMILY = Family(
    answer="findings",
    noun="findings",
    size=lambda case: len(case.findings),
    steps=_steps,
    consistent=_consistent,
    certify=_certify,
    show=_show,
    counted=_counted,
)
