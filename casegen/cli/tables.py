"""The option ``--tables NAME`` of those commands that read reference tables."""

from __future__ import annotations

from collections.abc import Mapping

import click

from ..config import BUNDLED

tables_option = click.option(
    "--tables", default=BUNDLED, show_default=True, help="Name of an imported set (casegen import)."
)


def descriptors_of(name: str) -> Mapping[str, str]:
    """The user's own CPT texts by code; none with the bundled tables. Raises InputError."""
    if name == BUNDLED:
        return {}
    from casegen.seeds.imports.sets import load

    return load(name).descriptors
