"""The service files, read raw: services, code pairs, retired codes, shapes."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache

import yaml

from .paths import SEEDS
from .tabular import words

FOLDER = SEEDS / "services"
# A code that is neither is no CPT and no HCPCS code: five digits, four digits with a letter of
# the CPT categories II, III, PLA and MAAA, or a HCPCS letter with four digits.
SHAPE = re.compile(r"\d{5}|\d{4}[FTUAM]|[A-V]\d{4}")
# CMS change request 11168 and the NCCI Policy Manual, chapter I: modifiers that let a pair of
# indicator 1 pass, on either code (25 only on evaluation and management).
BYPASS = frozenset(
    "59 XE XS XP XU LT RT E1 E2 E3 E4 FA F1 F2 F3 F4 F5 F6 F7 F8 F9 TA T1 T2 T3 T4 T5 T6 T7 T8 T9"
    " LC LD LM RC RI 24 27 57 58 78 79 91".split()
)


@dataclass(frozen=True)
class Service:
    code: str
    label: str
    category: str
    sex: str | None
    age: tuple[int, int] | None
    visit: bool

    @property
    def system(self) -> str:
        return "CPT" if self.code[0].isdigit() else "HCPCS"


@dataclass(frozen=True)
class Pair:
    column1: str
    column2: str
    indicator: str


@cache
def services() -> dict[str, Service]:
    tree = yaml.load((FOLDER / "services.yaml").read_bytes(), Loader=_loader())
    found: dict[str, Service] = {}
    for group in tree["groups"]:
        for own in group["services"]:
            one = {**group, **own}
            sex = one.get("sex")
            age = one.get("age")
            found[one["code"]] = Service(
                one["code"],
                one["label"],
                one["category"],
                sex if sex in ("female", "male") else None,
                (age[0], age[1]) if age else None,
                bool(one.get("em") or one.get("takes_25")),
            )
    return found


def _loader() -> type:
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def labelled() -> dict[str, str]:
    return {words(service.label): service.code for service in services().values()}


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def _pairs() -> dict[tuple[str, str], list[tuple[Pair, str]]]:
    found: dict[tuple[str, str], list[tuple[Pair, str]]] = {}
    for name in ("ncci_ptp.csv", "ncci_ptp_deleted.csv"):
        for row in _rows(name):
            pair = Pair(row["column1"], row["column2"], row["modifier_indicator"])
            end = row.get("deletion_date") or "9999-12-31"
            found.setdefault((pair.column1, pair.column2), []).append((pair, end))
    return found


@cache
def pair(a: str, b: str, on: str) -> Pair | None:
    """The edit that joins two codes on a date, in whichever order they stand."""
    for key in ((a, b), (b, a)):
        for found, end in _pairs().get(key, ()):
            if on < end and found.indicator in ("0", "1"):
                return found
    return None


@cache
def retired(code: str, on: str) -> bool:
    return any(row["code"] == code and row["ended_on"] <= on for row in _rows("retired.csv"))
