"""Which editions the tables in use are of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casegen.schemas.authority import BUNDLED, Editions

if TYPE_CHECKING:
    from .icd10cm.tables import Tables
    from .services import Services


def editions_of(tables: Tables, services: Services) -> Editions | None:
    """What findings are to cite; None where it is what they cite anyway."""
    found = Editions(
        tables.release,
        *tables.cited,
        services.edition,
        services.mue_edition,
    )
    return None if found == BUNDLED else found
