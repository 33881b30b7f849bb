"""Records of a CSV file, one by one; one that can't be read is told by its line, and passed over.

The reader of the standard library takes a quote that is never closed for the beginning of one
field that holds the rest of the file. Here such a record ends with its first line.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

# Above it a line or a record is no data: a note of 400 words has 3,000 characters.
MOST_BYTES = 1 << 20
MOST_FIELD = 131_072  # characters, as in the csv module
_CHUNK = 1 << 16
_TRIES = 8  # lines that may close a quote
_QUOTES = ("open_quote", "stray_quote")


@dataclass(frozen=True, slots=True)
class Record:
    """The fields of one record, and the line on which it begins."""

    line: int
    fields: list[str]


@dataclass(frozen=True, slots=True)
class Broken:
    """A record or row that can't be used. ``kind`` is what it is counted under."""

    line: int
    kind: str
    told: str


class Lines:
    """The lines of a binary stream, with their numbers from 1. Lines may be given back."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._number = 0
        self._waiting: deque[tuple[int, bytes]] = deque()

    def take(self) -> tuple[int, bytes] | None:
        """The next line with its end, or None. Of a line above ``MOST_BYTES`` the beginning."""
        if self._waiting:
            return self._waiting.popleft()
        raw = self._stream.readline(MOST_BYTES + 1)
        if not raw:
            return None
        self._number += 1
        if len(raw) > MOST_BYTES:
            self._pass_over(raw)
        return self._number, raw

    def _pass_over(self, raw: bytes) -> None:
        while raw and not raw.endswith(b"\n"):
            raw = self._stream.readline(_CHUNK)

    def give_back(self, lines: list[tuple[int, bytes]]) -> None:
        """Let these lines come again."""
        self._waiting.extendleft(reversed(lines))

    @property
    def taken(self) -> int:
        """How many lines have been taken for good."""
        return self._number - len(self._waiting)


def records(lines: Lines, delimiter: str, encoding: str) -> Iterator[Record | Broken]:
    """The records of a file. Blank lines are none."""
    while (one := lines.take()) is not None:
        number, raw = one
        if not raw.strip():
            continue
        if b'"' in raw and len(raw) <= MOST_BYTES:
            yield _quoted(lines, number, raw, delimiter, encoding)
        else:
            yield _parsed(number, raw, delimiter, encoding)


def _quoted(
    lines: Lines, number: int, raw: bytes, delimiter: str, encoding: str
) -> Record | Broken:
    """A record with quotes, which may go on over further lines."""
    alone = _parsed(number, raw, delimiter, encoding)
    if isinstance(alone, Record) or alone.kind != "open_quote":
        return alone
    more: list[tuple[int, bytes]] = []
    size, tries = len(raw), 0
    while size <= MOST_BYTES and tries < _TRIES and (one := lines.take()) is not None:
        more.append(one)
        size += len(one[1])
        if one[1].count(b'"') % 2 == 0:
            continue  # within a quote, or out of one and into the next
        tries += 1
        parts = b"".join(part for _, part in more)
        whole = _parsed(number, raw + parts, delimiter, encoding)
        if isinstance(whole, Record) or whole.kind not in _QUOTES:
            return whole
        if whole.kind == "stray_quote":
            break  # the quote that closed it opens another field
    lines.give_back(more)
    return alone


def _parsed(number: int, raw: bytes, delimiter: str, encoding: str) -> Record | Broken:
    """The record that the bytes hold."""
    if len(raw) > MOST_BYTES:
        return Broken(number, "huge_field", f"is longer than {MOST_BYTES:,} bytes")
    if b"\0" in raw:
        return Broken(number, "nul", "holds a NUL character")
    try:
        text = raw.decode(encoding).rstrip("\r\n")
    except UnicodeDecodeError as error:
        told = f"byte {raw[error.start]:#04x} is no {encoding}; --encoding names another"
        return Broken(number, "bad_encoding", told)
    if '"' in text:
        try:
            fields = next(csv.reader([text], delimiter=delimiter, strict=True))
        except csv.Error as error:
            return _refused(number, str(error))
    else:
        fields = text.split(delimiter)
    if len(text) > MOST_FIELD and max(map(len, fields)) > MOST_FIELD:
        return Broken(number, "huge_field", f"a field has more than {MOST_FIELD:,} characters")
    return Record(number, fields)


def _refused(number: int, error: str) -> Broken:
    """What the parser means by an error of it."""
    if "field larger" in error:
        return Broken(number, "huge_field", f"a field has more than {MOST_FIELD:,} characters")
    if "unexpected end" in error:
        return Broken(number, "open_quote", "a quote is opened and never closed")
    return Broken(number, "stray_quote", "text stands behind a closing quote")
