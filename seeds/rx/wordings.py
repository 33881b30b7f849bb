"""What lists of conditions call what patients have, beside the names that rules know."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from casegen.seeds.icd10cm import load as icd10cm

from . import cases


def _plain(text: str) -> str:
    return " ".join(text.replace("_", " ").split()).casefold()


@lru_cache(maxsize=1)
def _codes() -> Mapping[str, str]:
    """The ICD-10-CM code of each wording: in full words, as it is shortened, and by its title."""
    found: dict[str, str] = {}
    tables = icd10cm()
    for row in cases.read("problems.yaml")["problems"].values():
        for name in (*row["names"], *row["terse"], tables.title(row["code"])):
            found.setdefault(_plain(name), row["code"])
    return MappingProxyType(found)


def code_of(name: str) -> str | None:
    """The code of a condition as lists word it; None for a wording that no list has."""
    return _codes().get(_plain(name))
