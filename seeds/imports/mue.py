"""Reads the medically unlikely edits for practitioners as CMS publishes them.

A CSV file with header text in its first rows and then the columns "HCPCS/CPT Code",
"Practitioner Services MUE Values", "MUE Adjudication Indicator" and "MUE Rationale".
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256

from casegen.schemas import InputError

from .model import Refusals, Taken
from .quarter import edition, one_quarter, quarter_told
from .source import Member, members, sources_of, text_of

ENDINGS = (".csv", ".txt")
_CODE = re.compile(r"[0-9A-Z]{5}")
_MOST_HEADER = 60  # rows before the titles of the columns
_OTHERS = ("outpatient", "dme", "hospital", "facility")


def read(paths: Sequence[str], effective: str | None) -> Taken:
    """The edits of all files. ``effective`` names the first day of the quarter where neither
    names nor header texts tell. Raises InputError."""
    refusals = Refusals()
    units: dict[str, int] = {}
    told: list[tuple[Member, str]] = []
    for member in members(paths, ENDINGS):
        rows = list(_rows(member))
        at, code_at, value_at = _titles(rows, member)
        header = " ".join(cell for _, row in rows[:at] for cell in row)
        hint = "tells no quarter (.._Eff_07-01-2024.csv is 2024Q3)"
        told.append((member, quarter_told(member, effective, hint, header)))
        if not _enter(rows[at + 1 :], code_at, value_at, units, member, refusals):
            mend = "holds no code with its MUE value"
            raise refusals.error("file", member.name, mend, member.shown)
    when = one_quarter(told)
    listed = json.dumps(dict(sorted(units.items()))).encode()
    counts = {
        "codes": len(units),
        "zero": sum(not most for most in units.values()),
        "refused": refusals.count,
    }
    return Taken(
        "mue", edition(when), when, sha256(listed).hexdigest(), counts, sources_of(paths),
        {"units": ("json", listed)}, edition(when).partition(" ")[2].lower(), {}, refusals,
    )  # fmt: skip


def _rows(member: Member) -> Iterator[tuple[int, list[str]]]:
    """Line number of the end of each row, and its cells."""
    reader = csv.reader(io.StringIO(text_of(member), newline=""))
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(
            "row", reader.line_num, f"no CSV: {error}", path=member.shown, line=reader.line_num
        ) from None


def _titles(rows: Sequence[tuple[int, list[str]]], member: Member) -> tuple[int, int, int]:
    """Where the row of titles stands, and the columns of code and value in it."""
    for at, (line, row) in enumerate(rows[:_MOST_HEADER]):
        titles = ["".join(cell.lower().split()) for cell in row]
        values = [number for number, title in enumerate(titles) if "muevalues" in title]
        codes = [number for number, title in enumerate(titles) if title.endswith("cptcode")]
        if not values or not codes:
            continue
        title = titles[values[0]]
        if any(word in title for word in _OTHERS) or "practitioner" not in title:
            told = " ".join(row[values[0]].split())
            mend = "those of practitioners are needed"
            raise InputError("title", told, mend, path=member.shown, line=line)
        return at, codes[0], values[0]
    raise InputError(
        "file", member.name, 'no MUE table: no columns "HCPCS/CPT Code" and "Practitioner '
        'Services MUE Values"', path=member.shown,
    )  # fmt: skip


def _enter(
    rows: Sequence[tuple[int, list[str]]],
    code_at: int,
    value_at: int,
    units: dict[str, int],
    member: Member,
    refusals: Refusals,
) -> int:
    """Enter the values; how many lines were taken."""
    count = 0
    for line, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) <= max(code_at, value_at):
            refusals.add(member.shown, line, f"only {len(row)} fields")
            continue
        code, value = row[code_at].strip().upper(), row[value_at].strip()
        if not _CODE.fullmatch(code):
            refusals.add(member.shown, line, f"{code[:20]!r} is no code")
        elif not (value.isascii() and value.isdigit() and len(value) < 8):
            refusals.add(member.shown, line, f"MUE value {value[:20]!r} is no whole number")
        elif units.get(code, int(value)) != int(value):
            refusals.add(member.shown, line, f"{code} had the value {units[code]} before")
        else:
            units[code] = int(value)
            count += 1
    return count
