"""Which columns of a CSV file hold the text and the code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from casegen.schemas import InputError

from .records import Broken, Lines, Record, records

# As the columns of such files are called, the likeliest first. They are compared without case,
# blanks and punctuation: "ICD-10 Code" is icd10code.
TEXTS = (
    "text", "diagnosistext", "diagnosis", "statement", "wording", "note", "notes", "input",
    "clinicaltext", "chiefcomplaint", "description", "diagnosisdescription", "icdtitle",
    "longtitle", "longdescription", "icddescription", "icd10description", "title", "term",
    "diagnosisstring", "conditiondescription", "condition", "symptoms", "name",
)  # fmt: skip
CODES = (
    "code", "icd10cm", "icd10", "icd10cmcode", "icd10code", "icdcode", "icd", "diagnosiscode",
    "primarycode", "dxcode", "dx", "diagcode", "conditioncode", "label", "target",
)  # fmt: skip
DELIMITERS = (",", "\t", ";", "|")
_MARKS = {
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"PK\x03\x04": "a spreadsheet or a zip archive",
    b"PAR1": "Parquet",
}
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Columns:
    """The places of text and code (from 0), how many columns there are, and what parts them."""

    text: int
    code: int
    count: int
    delimiter: str
    names: tuple[str, str]


def read_header(
    lines: Lines,
    path: str,
    text: str | None,
    code: str | None,
    delimiter: str | None,
    encoding: str,
) -> Columns:
    """The columns by the first line of a file; without names given, by what they are called.

    ``path`` is named in errors. Raises InputError.
    """
    first = lines.take()
    if first is None:
        raise InputError("file", path, "is empty; there is no row to learn from")
    lines.give_back([(first[0], _unmarked(first[1], path))])
    start = lines.take()
    if start is not None:
        lines.give_back([start])
        delimiter = delimiter or _delimiter(start[1])
    header = next(records(lines, delimiter or ",", encoding), None)
    if header is None:
        raise InputError("file", path, "holds blank lines only; there is no row to learn from")
    if isinstance(header, Broken):
        raise InputError("header", None, header.told, path=path, line=header.line)
    return _chosen(header, path, text, code, delimiter or ",")


def _unmarked(raw: bytes, path: str) -> bytes:
    """The first line without the mark of UTF-8. Raises InputError for what is no CSV text."""
    for mark, kind in _MARKS.items():
        if raw.startswith(mark):
            raise InputError("file", path, f"is {kind}; save it as CSV in UTF-8")
    raw = raw.removeprefix(_BOM)
    if b"\r" in raw.rstrip(b"\r\n"):
        raise InputError("file", path, "has lines that end in CR alone; save it with LF")
    return raw


def _delimiter(raw: bytes) -> str:
    """What the header line has most of; of equals the commonest."""
    return max(DELIMITERS, key=lambda one: raw.count(one.encode()))


def _chosen(
    header: Record, path: str, text: str | None, code: str | None, delimiter: str
) -> Columns:
    names = [name.strip() for name in header.fields]
    places = []
    for option, given, usual in (("--text-column", text, TEXTS), ("--code-column", code, CODES)):
        if given is None:
            places.append(_found(names, usual, option, path))
        else:
            places.append(_named(names, given, option, path))
    if places[0] == places[1]:
        told = f"is the column of the code too; there are {_listed(names)}"
        raise InputError("--text-column", names[places[0]], told, path=path)
    return Columns(
        places[0], places[1], len(names), delimiter, (names[places[0]], names[places[1]])
    )


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _found(names: Sequence[str], usual: Sequence[str], option: str, path: str) -> int:
    """The place of the column with the likeliest name."""
    plain = [_plain(name) for name in names]
    for name in usual:
        if name in plain:
            _need_once([one for one in names if _plain(one) == name], option, path)
            return plain.index(name)
    what = "text" if usual is TEXTS else "code"
    told = (
        f"line 1 names the columns, and none looks like the {what}; say which of {_listed(names)}"
    )
    raise InputError(option, None, told, path=path)


def _need_once(alike: Sequence[str], option: str, path: str) -> None:
    """Raise InputError where the likeliest name is that of several columns."""
    if len(alike) < 2:
        return
    if len(set(alike)) < len(alike):
        told = "stands twice in line 1; give each column a name of its own"
        raise InputError("header", alike[0], told, path=path, line=1)
    told = f"line 1 has several that look like it; say which of {_listed(alike)}"
    raise InputError(option, None, told, path=path)


def _named(names: Sequence[str], given: str, option: str, path: str) -> int:
    """The place of the column that the user named, as it stands there, or without case."""
    if given not in names:
        alike = [name for name in names if name.casefold() == given.strip().casefold()]
        if len(alike) != 1:
            raise InputError(
                option, given, f"no such column; there are {_listed(names)}", path=path
            )
        given = alike[0]
    if names.count(given) > 1:
        raise InputError(option, given, "stands twice in line 1", path=path)
    return names.index(given)


def _listed(names: Sequence[str]) -> str:
    shown = [name if name else "(no name)" for name in names[:20]]
    return ", ".join(shown) + (", ..." if len(names) > 20 else "")
