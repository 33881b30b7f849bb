"""The option ``--tables NAME`` of those commands that read reference tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from casegen.schemas import InputError

from ..config import BUNDLED

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

tables_option = click.option(
    "--tables", default=BUNDLED, show_default=True, help="Name of an imported set (casegen import)."
)


def need_time_of(tables: Tables, on: str, field: str, path: str | None = None) -> None:
    """Raise InputError where the ISO date lies outside of the time of an imported tabular list
    of another release than the bundled one.

    What such a list alone holds has no dates but those of its release, so that nothing is known
    of it before and after; of the codes of the bundled release dated rows tell.
    """
    first, last = tables.window
    if tables.window != type(tables).window and not first <= on <= last:
        told = f"the {tables.release} of the tables {tables.name} holds from {first} to {last}"
        mend = f"{told}; use a list of that date, or the bundled tables"
        raise InputError(field, on, mend, path=path)


def descriptors_of(name: str) -> Mapping[str, str]:
    """The user's own CPT texts by code; none with the bundled tables. Raises InputError."""
    if name == BUNDLED:
        return {}
    from casegen.seeds.imports.sets import load

    return load(name).descriptors
