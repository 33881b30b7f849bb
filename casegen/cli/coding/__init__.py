"""Coding cases in the commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from casegen.schemas import CodingCase

from ..family import Counted, Family

if TYPE_CHECKING:
    from rich.console import Console

    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

    from ..where import Where


def _steps() -> Mapping[str, int]:
    from ...coding.levels import levels

    return {name: level.max_steps for name, level in levels().items()}


def _consistent(case: CodingCase, where: Where, tables: Tables, services: Services) -> None:
    from .consistent import consistent

    consistent(case, where, tables, services)


def _certify(case: CodingCase, tables: Tables, services: Services) -> Iterable[str]:
    from ...coding.certify import certify

    certify(case, tables, services)
    return ()


def _show(case: CodingCase, console: Console) -> None:
    from .show import show_case

    show_case(case, console)


def _counted() -> Counted:
    from .stats import Stats

    return Stats()


FAMILY = Family(
    answer="primary",
    noun="codes",
    size=lambda case: len(case.gold()),
    steps=_steps,
    consistent=_consistent,
    certify=_certify,
    show=_show,
    counted=_counted,
)
