"""The tables that a case goes by, and how the claim bears on what they say."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from casegen.config import BUNDLED
from casegen.knowledge import reference_of

if TYPE_CHECKING:
    from casegen.schemas import Case
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

_BUNDLED_NAME = "icd10cm-2026-04"  # as a case names the tables that come with casegen


class Claim(NamedTuple):
    """What of a case the tools look at, fit to be a key: nothing here tells of the answer.

    ``lines`` are codes with their systems, ``on`` is the date of service, or of discharge.
    """

    tables: str
    digest: str
    claim_type: str
    setting: str
    on: str
    lines: tuple[tuple[str, str], ...]

    @property
    def inpatient_facility(self) -> bool:
        """Whether the edits of the Medicare Code Editor bind the claim."""
        return self.claim_type == "facility" and self.setting == "inpatient"

    @property
    def day(self) -> str:
        """The date that counts, in words."""
        kind = "discharge" if self.setting == "inpatient" else "service"
        return f"{self.on} (date of {kind})"


def claim_of(case: Case) -> Claim:
    """The part of a case that the tools look at."""
    encounter, tables = case.encounter, case.tables
    return Claim(
        tables.name,
        tables.digest,
        encounter.claim_type,
        encounter.setting,
        encounter.service_date,
        tuple([(line.code, line.system) for line in case.claim]),
    )


@lru_cache(maxsize=8)
def tables_of(name: str, digest: str) -> tuple[Tables, Services]:
    """The tables of that name. Raises InputError for an imported set that isn't here, or holds
    something else."""
    if name == _BUNDLED_NAME:
        return reference_of(BUNDLED)
    return reference_of(f"{name}@{digest[:12]}")
