"""Loads the services and NCCI tables, through a cache of the compiled form."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from casegen.schemas import TableError

from .. import filecache as cache
from .model import Retired
from .reader import read_services
from .tables import RawEdit, Services

EDITION = "NCCI 2024Q3"
FORMAT = 1  # raise when the shape of the snapshot changes
_FILES = ("services.yaml", "ncci_ptp.csv", "ncci_ptp_deleted.csv", "mue.csv", "add_on.csv",
          "retired.csv")  # fmt: skip


def load(cache_dir: Path | None = None) -> Services:
    """The bundled services and NCCI tables, read once per process.

    The compiled form is kept in ``cache_dir`` (default: the user's cache), checked by the
    digest of the data files; a missing, damaged or old cache rebuilds itself, and an
    unwritable one is done without. Raises TableError if a data file is wrong.
    """
    return _load(None if cache_dir is None else str(cache_dir))


@lru_cache(maxsize=4)
def _load(cache_dir: str | None) -> Services:
    folder = Path(__file__).parent
    texts = {name: (folder / name).read_bytes() for name in _FILES}
    digest = _digest(texts)
    path = cache.path_for(cache_dir, f"services-{FORMAT}", digest)
    data = cache.read(path)
    if data is not None:
        found = _restore(data)
        if found is not None and found.digest == digest:
            return found
    services = build(texts)
    cache.write(path, services.snapshot())
    return services


def _restore(data: object) -> Services | None:
    try:
        return Services.from_snapshot(data)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def read(folder: Path) -> Services:
    """The tables of another folder with the same files, without a cache."""
    return build({name: (folder / name).read_bytes() for name in _FILES})


def build(texts: dict[str, bytes]) -> Services:
    """Compile the data files. Raises TableError (file, line or code, reason)."""
    mue = {row[0]: _number("mue.csv", line, row[1]) for line, row in _rows(texts, "mue.csv", 4)}
    add_on: dict[str, list[str]] = {}
    for _, row in _rows(texts, "add_on.csv", 3):
        add_on.setdefault(row[0], []).append(row[1])
    primaries = {code: tuple(rows) for code, rows in add_on.items()}
    retired = [Retired(*row) for _, row in _rows(texts, "retired.csv", 4)]
    services = read_services(texts["services.yaml"], "services.yaml", mue, primaries)
    for one in services:
        if any(gone.code == one.code for gone in retired):
            raise TableError(f"services.yaml: {one.code}: stands in retired.csv too")
    return Services(services, _partners(texts), mue, primaries, retired, EDITION, _digest(texts))


def _partners(texts: dict[str, bytes]) -> dict[str, dict[str, tuple[RawEdit, ...]]]:
    edits: list[RawEdit] = []
    for line, row in _rows(texts, "ncci_ptp_deleted.csv", 5):
        indicator = _number("ncci_ptp_deleted.csv", line, row[2])
        edits.append((row[0], row[1], indicator, row[3], sys.intern(row[4])))
    edits.sort(key=lambda raw: raw[3])
    for line, row in _rows(texts, "ncci_ptp.csv", 4):
        indicator = _number("ncci_ptp.csv", line, row[2])
        edits.append((row[0], row[1], indicator, "", sys.intern(row[3])))
    partners: dict[str, dict[str, list[RawEdit]]] = {}
    for raw in edits:
        for a, b in ((raw[0], raw[1]), (raw[1], raw[0])):
            partners.setdefault(a, {}).setdefault(b, []).append(raw)
    return {a: {b: tuple(raws) for b, raws in row.items()} for a, row in partners.items()}


def _rows(texts: dict[str, bytes], name: str, width: int) -> Iterator[tuple[int, list[str]]]:
    """The rows below the heading with their line numbers (from 1)."""
    import csv

    reader = csv.reader(texts[name].decode("utf-8").splitlines())
    for line, row in enumerate(reader, 1):
        if len(row) != width:
            raise TableError(f"{name}, line {line}: has {len(row)} fields instead of {width}")
        if line > 1:
            yield line, row


def _number(name: str, line: int, text: str) -> int:
    if not text.isdigit():
        raise TableError(f"{name}, line {line}: {text!r} is no whole number")
    return int(text)


def _digest(texts: dict[str, bytes]) -> str:
    total = hashlib.sha256()
    for name in _FILES:
        total.update(hashlib.sha256(texts[name]).digest())
    return total.hexdigest()
