"""The forms in which ``casegen generate`` writes cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from casegen.schemas import InputError

if TYPE_CHECKING:
    from casegen.schemas.anycase import AnyCase

FORMS = ("jsonl", "csv")
_TABLES = (".csv", ".csv.gz")
_WITH_TABLE = "coding-v0"  # whose cases are a text and a code


@dataclass(frozen=True, slots=True)
class Form:
    """How a file begins, what a case gives, and how files of the form are called."""

    head: bytes
    lines: Callable[[AnyCase], bytes]
    endings: tuple[str, ...]
    what: str


def form_of(name: str, rows: str | None, generator: str, output: str = "-") -> Form:
    """The form of that name for cases of a generator; ``rows`` says of what a table is made,
    None where the user did not; ``output`` is where they go. Raises InputError."""
    if name not in FORMS:
        raise InputError("--format", name, f"must be one of {', '.join(FORMS)}")
    if name == "csv":
        if generator != _WITH_TABLE:
            raise InputError("--format", name, f"leave it out; {generator} has no such form")
        return _table(rows or "statements")
    if rows is not None:
        raise InputError("--rows", rows, "goes with --format csv")
    from casegen.schemas.serial import case_line

    what = "cases are JSON lines"
    if generator == _WITH_TABLE and output.endswith(_TABLES):
        what += " (a table with --format csv)"
    return Form(b"", case_line, (".jsonl", ".jsonl.gz"), what)


def _table(rows: str) -> Form:
    from ..coding.table import HEADERS, header, table_rows

    if rows not in HEADERS:
        raise InputError("--rows", rows, f"must be one of {', '.join(HEADERS)}")
    return Form(
        header(rows),
        lambda case: b"".join(table_rows(case, rows)),  # type: ignore[arg-type]
        _TABLES,
        "the table is CSV",
    )
