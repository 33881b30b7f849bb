"""Reads the phrase files. Nothing is read before ``load`` is called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from casegen.schemas import TableError

from ..data import parse
from .model import SETTINGS, Entry, Phrases, Style

HERE = Path(__file__).parent
_ENTRY = {"ages", "newborn", "sex", "settings", "clauses"}
_ALL_AGES = (0, 120)


@lru_cache(maxsize=1)
def load(folder: Path = HERE) -> Phrases:
    """All phrases of ``folder``. Raises TableError on a file of the wrong form."""
    banks: dict[str, tuple[Entry, ...]] = {}
    files = sorted(folder.glob("banks_*.yaml"))
    if not files:
        raise TableError(f"{folder}: no phrase banks (banks_*.yaml)")
    for path in files:
        for name, rows in _mapping(path, "banks").items():
            where = f"{path.name}: {name}"
            if name in banks:
                raise TableError(f"{where}: the bank stands in two places")
            banks[name] = _entries(rows, where)
    path = folder / "headings.yaml"
    headings = {
        name: _texts(forms, f"{path.name}: {name}")
        for name, forms in _mapping(path, "headings").items()
    }
    styles = {
        name: _style(row, headings, f"{path.name}: {name}")
        for name, row in _mapping(path, "styles").items()
    }
    adds = {}
    for path in sorted(folder.glob("adds*.yaml")):
        for code, forms in _mapping(path, "adds").items():
            if code in adds:
                raise TableError(f"{path.name}: {code}: the code stands in two places")
            adds[code] = _texts(forms, f"{path.name}: {code}")
    for code, sentences in adds.items():
        banks[f"add:{code}"] = (Entry(_ALL_AGES, None, "any", (), (sentences,)),)
    return Phrases(
        MappingProxyType(banks),
        MappingProxyType(headings),
        MappingProxyType(styles),
        MappingProxyType(adds),
    )


@lru_cache(maxsize=16)
def _file(path: Path) -> Mapping[str, Any]:
    try:
        data = parse(path.read_bytes(), path.name)
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise TableError(f"{path}: a mapping is expected")
    return data


def _mapping(path: Path, key: str) -> Mapping[str, Any]:
    found = _file(path).get(key)
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise TableError(f"{path}: the key {key} with a mapping of names is expected")
    return found


def _texts(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
        raise TableError(f"{where}: a list of texts is expected")
    return tuple(value)


def _entries(rows: object, where: str) -> tuple[Entry, ...]:
    """The entries of a bank; plain texts in the list together make one entry for everybody."""
    if not isinstance(rows, list) or not rows:
        raise TableError(f"{where}: a list of entries is expected")
    plain = tuple(row for row in rows if isinstance(row, str))
    entries = [_entry(row, where) for row in rows if not isinstance(row, str)]
    if plain:
        entries.append(Entry(_ALL_AGES, None, "any", (), (plain,)))
    return tuple(entries)


def _entry(row: object, where: str) -> Entry:
    if not isinstance(row, dict) or not set(row) <= _ENTRY:
        raise TableError(f"{where}: an entry has the keys {', '.join(sorted(_ENTRY))}")
    ages = row.get("ages", list(_ALL_AGES))
    if not (
        isinstance(ages, list)
        and len(ages) == 2
        and all(isinstance(age, int) for age in ages)
        and 0 <= ages[0] <= ages[1]
    ):
        raise TableError(f"{where}: ages: two whole years are expected, not {ages!r}")
    newborn = row.get("newborn")
    if newborn not in (None, True, False):
        raise TableError(f"{where}: newborn: true or false is expected, not {newborn!r}")
    sex = row.get("sex", "any")
    if sex not in ("any", "female", "male"):
        raise TableError(f"{where}: sex: any, female or male is expected, not {sex!r}")
    clauses = row.get("clauses")
    if not isinstance(clauses, list) or not clauses:
        raise TableError(f"{where}: clauses: a list of lists of texts is expected")
    return Entry(
        (ages[0], ages[1]),
        newborn,
        sex,
        _settings(row.get("settings", []), where),
        tuple(_texts(clause, where) for clause in clauses),
    )


def _settings(names: object, where: str) -> tuple[str, ...]:
    if not isinstance(names, list) or not all(name in SETTINGS for name in names):
        raise TableError(f"{where}: settings: a list of {', '.join(SETTINGS)} is expected")
    return tuple(names)


def _style(row: object, sections: Iterable[str], where: str) -> Style:
    if not isinstance(row, dict) or set(row) - {"headings"} != {"settings", "orders"}:
        raise TableError(f"{where}: a style has settings, orders and perhaps headings")
    orders = row["orders"]
    if not isinstance(orders, list) or not orders:
        raise TableError(f"{where}: orders: a list of lists of sections is expected")
    known = set(sections)
    made = []
    for order in orders:
        names = _texts(order, f"{where}: orders")
        if not set(names) <= known or len(set(names)) < len(names):
            raise TableError(f"{where}: orders: unknown or repeated section in {list(names)}")
        made.append(names)
    own = row.get("headings", {})
    if not isinstance(own, dict) or not set(own) <= known:
        raise TableError(f"{where}: headings: a mapping of sections to forms is expected")
    headings = {name: _texts(forms, f"{where}: headings: {name}") for name, forms in own.items()}
    return Style(_settings(row["settings"], where), tuple(made), MappingProxyType(headings))
