"""NCCI pairs as sorted arrays on disk, looked up without being loaded.

A code of five characters is a number of base 36, a pair a key of two such numbers in 64 bits.
Six files hold, in the order of the keys: ``keys``; ``since`` and ``until``, dates as numbers
(20240630), ``until`` being the last day in force; ``marks``, the modifier indicator; and
``reasons``, the number of the rationale. ``back`` holds the keys with the codes exchanged.
They are mapped into memory, of which only the pages that a search touches are read.
"""

from __future__ import annotations

import io
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from casegen.schemas import TableError

BASE = 36**5
OPEN = 99_999_999  # ``until`` of an edit that was not deleted
ROLES: Mapping[str, Any] = {
    "keys": np.dtype("<u8"),
    "since": np.dtype("<i4"),
    "until": np.dtype("<i4"),
    "marks": np.dtype("u1"),
    "reasons": np.dtype("<u2"),
    "back": np.dtype("<u8"),
}
_FEW = 20_000  # pairs that are remembered, some 5 MB at most
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Row:
    """One edit: dates as numbers, ``until`` the last day in force or ``OPEN``."""

    column1: str
    column2: str
    since: int
    until: int
    indicator: int
    reason: int


def number_of(code: str) -> int:
    """A code as a number, -1 for what can't be one."""
    if len(code) != 5 or not (code.isascii() and code.isalnum()):
        return -1
    return int(code, 36)


def code_of(number: int) -> str:
    """The inverse of ``number_of``."""
    found = ""
    for _ in range(5):
        number, digit = divmod(number, 36)
        found = _DIGITS[digit] + found
    return found


def pair_of(key: int) -> str:
    """How a pair is shown: ``93306/93307``."""
    first, second = divmod(key, BASE)
    return f"{code_of(first)}/{code_of(second)}"


def packed(array: Any) -> bytes:
    """An array as the content of a .npy file."""
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


def arranged(columns: Mapping[str, Any]) -> dict[str, Any]:
    """All arrays from columns in any order: sorted by key, then by date, each edit once. Of an
    edit with two rationales the first by number stays, in whatever order they came."""
    ranks = ("reasons", "marks", "since", "until", "keys")
    order = np.lexsort([columns[name] for name in ranks])
    found = {name: column[order] for name, column in columns.items()}
    again = np.zeros(len(order), bool)
    again[1:] = True
    for name in ("keys", "since", "until", "marks"):
        again[1:] &= found[name][1:] == found[name][:-1]
    if again.any():
        found = {name: column[~again] for name, column in found.items()}
    first, second = np.divmod(found["keys"], np.uint64(BASE))
    found["back"] = np.unique(second * np.uint64(BASE) + first)
    return {name: found[name].astype(kind) for name, kind in ROLES.items()}


class PtpTable:
    """The pairs of one edition. Columns are read through the buffer protocol, which gives
    Python's own numbers ten times as fast as indexing NumPy arrays does."""

    __slots__ = ("_back", "_keys", "_marks", "_memo", "_reasons", "_since", "_until", "reasons")

    def __init__(self, columns: Mapping[str, Any], reasons: Sequence[str]) -> None:
        view = {name: memoryview(columns[name]) for name in ROLES}
        if len({len(view[name]) for name in ROLES if name != "back"}) != 1:
            raise TableError("NCCI: the columns differ in length; import the files again")
        self._keys: Any = view["keys"]
        self._since: Any = view["since"]
        self._until: Any = view["until"]
        self._marks: Any = view["marks"]
        self._reasons: Any = view["reasons"]
        self._back: Any = view["back"]
        self._memo: dict[tuple[str, str], tuple[Row, ...]] = {}
        self.reasons = tuple(reasons)

    def __len__(self) -> int:
        return len(self._keys)

    def rows(self, a: str, b: str) -> tuple[Row, ...]:
        """All edits between two codes, whichever is column 1: those of (a, b) by their last
        day, then those of (b, a)."""
        found = self._memo.get((a, b))
        if found is None:
            if len(self._memo) >= _FEW:
                self._memo.clear()
            found = self._memo[a, b] = self.search(a, b)
        return found

    def search(self, a: str, b: str) -> tuple[Row, ...]:
        """As ``rows``, without remembering the answer."""
        one, two = number_of(a), number_of(b)
        if one < 0 or two < 0 or one == two:
            return ()
        return self._of(one * BASE + two, a, b) + self._of(two * BASE + one, b, a)

    def _of(self, key: int, a: str, b: str) -> tuple[Row, ...]:
        keys = self._keys
        at = bisect_left(keys, key)
        found = []
        while at < len(keys) and keys[at] == key:
            found.append(
                Row(a, b, self._since[at], self._until[at], self._marks[at], self._reasons[at])
            )
            at += 1
        return tuple(found)

    def partners(self, code: str) -> list[str]:
        """The codes that have any edit with ``code``, sorted."""
        number = number_of(code)
        if number < 0:
            return []
        found: set[int] = set()
        for keys in (self._keys, self._back):
            start = bisect_left(keys, number * BASE)
            end = bisect_left(keys, (number + 1) * BASE)
            found.update(key % BASE for key in keys[start:end])
        return [code_of(other) for other in sorted(found)]


def load(paths: Mapping[str, Path], reasons: Sequence[str]) -> PtpTable:
    """The table in these files, mapped. Raises TableError for files that hold something else."""
    columns = {}
    for name, kind in ROLES.items():
        try:
            column = np.load(paths[name], mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise TableError(f"{paths[name]}: {error}; import the files again") from error
        if column.dtype != kind or column.ndim != 1:
            raise TableError(f"{paths[name]}: another layout than expected; import the files again")
        columns[name] = column
    return PtpTable(columns, reasons)
