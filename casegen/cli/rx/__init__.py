"""Rx cases in the commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from casegen.schemas import RxCase

from ..family import Counted, Family

if TYPE_CHECKING:
    from rich.console import Console

    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

    from ..where import Where


def _steps() -> Mapping[str, int]:
    from ...rx.levels import levels

    return {name: level.max_steps for name, level in levels().items()}


def _consistent(case: RxCase, where: Where, tables: Tables, services: Services) -> None:
    from .consistent import consistent

    consistent(case, where, tables)


def _certify(case: RxCase, tables: Tables, services: Services) -> Iterable[str]:
    from ...rx.certify import certify

    certify(case)
    return ()


def _show(case: RxCase, console: Console) -> None:
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
