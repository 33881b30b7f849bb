"""Rows to learn from: a text and its code. A row that is not whole is told, and passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from casegen.seeds.icd10cm.codes import canonical

from .columns import Columns
from .records import Broken, Lines, Record, records

# A letter, a digit, a letter or digit (or A and a digit, as in QA0), and up to four more behind a
# dot or none.
_FORM = re.compile(r"[A-Z](?:[0-9][0-9A-Z]|A[0-9])(?:\.?[0-9A-Z]{1,4})?")
MOST_LABEL = 100  # characters of a label that is no ICD-10 code


@dataclass(frozen=True, slots=True)
class Row:
    """One row, and the line on which it begins."""

    line: int
    text: str
    code: str


def rows(
    lines: Lines, columns: Columns, encoding: str = "utf-8", any_code: bool = False
) -> Iterator[Row | Broken]:
    """The rows behind the header. Codes come as the tabular list prints them (``e119`` as
    ``E11.9``); with ``any_code`` whatever stands there is taken, and rows are not checked."""
    spelled: dict[str, str] = {}
    for one in records(lines, columns.delimiter, encoding):
        yield one if isinstance(one, Broken) else _row(one, columns, any_code, spelled)


def _row(record: Record, columns: Columns, any_code: bool, spelled: dict[str, str]) -> Row | Broken:
    fields, line = record.fields, record.line
    if len(fields) != columns.count:
        if len(fields) < columns.count:
            return Broken(line, "missing_column", _counts(fields, columns))
        if any(fields[columns.count :]):  # empty ones at the end are a habit of spreadsheets
            return Broken(line, "extra_column", _counts(fields, columns))
    text, given = fields[columns.text].strip(), fields[columns.code]
    if not text:
        return Broken(line, "empty_text", f"{columns.names[0]} is empty")
    code = spelled.get(given) or (label(given) if any_code else icd10(given))
    if code is None:
        if not given.strip():
            return Broken(line, "empty_code", f"{columns.names[1]} is empty")
        if any_code:
            return Broken(line, "invalid_code", f"the label has over {MOST_LABEL} characters")
        return Broken(line, "invalid_code", f"{_short(given)} has not the form of an ICD-10 code")
    spelled[given] = code
    return Row(line, text, code)


def icd10(given: str) -> str | None:
    """The code as the tabular list prints it, None for what has not the form of a code."""
    code = given.strip().upper()
    return canonical(code) if _FORM.fullmatch(code) else None


def label(given: str) -> str | None:
    """Any label with single blanks, None for an empty or a very long one."""
    told = " ".join(given.split())
    return told if 0 < len(told) <= MOST_LABEL else None


def _counts(fields: list[str], columns: Columns) -> str:
    return f"has {len(fields)} columns, line 1 has {columns.count}"


def _short(given: str) -> str:
    told = given.strip()
    return repr(told if len(told) <= 40 else told[:37] + "...")
