"""What patients have and what drugs are prescribed for, from ``seeds/rx/cases``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType

from casegen.schemas import TableError
from casegen.seeds.rx import cases


@dataclass(frozen=True, slots=True)
class Problem:
    """A condition of a list. ``ages`` in years, inclusive; ``sex`` "" where both have it."""

    id: str
    code: str
    names: tuple[str, ...]
    terse: tuple[str, ...]
    ages: tuple[int, int]
    sex: str
    weight: int


@dataclass(frozen=True, slots=True)
class Use:
    """What a drug is for, and what narrows the dose rules of that use: ``indication`` where the
    codes of the rule don't tell it, ``form``, ``times`` (administrations), ``least`` and ``top``
    (between which doses are drawn as ordinary, in the unit and for the basis of the rule).
    ``pieces``: how many are taken at once, () for one or two; ``says``: how a prescriber names it,
    () for the names of the problem. ``needed``: taken as needed; ``continued``: begun elsewhere.
    ``sex``: whom a case is drawn of, "" for both; ``begin``: the most that a new prescription
    begins with, where that is less than the rule allows."""

    drug: str
    problem: str
    indication: str
    form: str
    times: tuple[int, ...]
    least: Decimal | None
    top: Decimal | None
    pieces: tuple[int, ...]
    says: tuple[str, ...]
    needed: bool = False
    continued: bool = False
    sex: str = ""
    begin: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """How a drug stands in a list whose file gives no dose that a case could draw."""

    drug: str
    problem: str
    dose: str
    unit: str
    form: str
    route: str
    times: int
    needed: bool = False


@lru_cache(maxsize=1)
def problems() -> Mapping[str, Problem]:
    """All problems by id."""
    found = {
        name: Problem(
            name,
            row["code"],
            tuple(row["names"]),
            tuple(row["terse"]),
            (row["ages"][0], row["ages"][1]),
            row.get("sex", ""),
            row["weight"],
        )
        for name, row in cases.read("problems.yaml")["problems"].items()
    }
    return MappingProxyType(found)


@lru_cache(maxsize=1)
def uses() -> Mapping[str, tuple[Use, ...]]:
    """The uses of each drug. Raises TableError for one that names no problem."""
    found: dict[str, tuple[Use, ...]] = {}
    for drug, rows in cases.read("uses.yaml")["uses"].items():
        found[drug] = tuple(
            Use(
                drug,
                _problem(drug, row["p"]),
                row.get("for", ""),
                row.get("form", ""),
                tuple(row.get("times", ())),
                Decimal(row["least"]) if "least" in row else None,
                Decimal(row["top"]) if "top" in row else None,
                tuple(row.get("pieces", ())),
                tuple(row.get("says", ())),
                bool(row.get("needed")),
                bool(row.get("continued")),
                row.get("sex", ""),
                Decimal(row["begin"]) if "begin" in row else None,
            )
            for row in rows
        )
    return MappingProxyType(found)


@lru_cache(maxsize=1)
def taken() -> Mapping[str, Taken]:
    """Drugs that only stand in lists, by id."""
    found = {
        drug: Taken(
            drug, _problem(drug, row["p"]), row["dose"], row["unit"], row["form"], row["route"],
            row["times"], bool(row.get("needed")),
        )
        for drug, row in cases.read("uses.yaml")["taken"].items()
    }  # fmt: skip
    return MappingProxyType(found)


def _problem(drug: str, name: str) -> str:
    if name not in problems():
        raise TableError(f"rx/cases/uses.yaml: {drug}: no problem {name!r}")
    return str(name)
