"""Cases as rows of a CSV file, for learners: what the note says, and the code for it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from casegen.schemas.coding_case import CodingCase, GoldCode

# The kinds of rows, each with its columns.
HEADERS: dict[str, tuple[str, ...]] = {
    # A row for each code of the answer: the words of the note on which it rests.
    "statements": ("id", "text", "code", "description"),
    # A row for each case: the note, the primary code, and all codes with blanks between them.
    "notes": ("id", "text", "code", "codes", "needs_review", "description"),
}


def header(kind: str) -> bytes:
    """The first line of a file of that kind."""
    return _line(HEADERS[kind])


def table_rows(case: CodingCase, kind: str) -> Iterator[bytes]:
    """The rows of a case, as lines; ``kind`` is one of ``HEADERS``."""
    titles = {one.code: one.title for one in case.allowed}
    if kind == "notes":
        codes = " ".join(one.code for one in case.gold())
        review = "true" if case.needs_review else "false"
        code = case.primary.code
        yield _line((case.id, case.note, code, codes, review, titles[code]))
        return
    whole = _reasons(case)
    for one in case.gold():
        yield _line((case.id, statement(one, whole), one.code, titles[one.code]))


def statement(code: GoldCode, aside: set[tuple[int, int]]) -> str:
    """The wordings on which a code rests, each once, without those that are part of another and
    those at places ``aside``."""
    spans = [span for span in code.evidence if (span.start, span.end) not in aside]
    told: list[str] = []
    for span in spans or code.evidence:
        text = " ".join(span.text.split()).rstrip(".")
        if any(text.casefold() in other.casefold() for other in told):
            continue
        told = [other for other in told if other.casefold() not in text.casefold()]
        told.append(text)
    return "; ".join(told)


def _reasons(case: CodingCase) -> set[tuple[int, int]]:
    """Where the note says why the patient came. Such a sentence may name other conditions too,
    and the condition is told in words of its own elsewhere."""
    return {
        (span.start, span.end)
        for fact in case.record
        if fact.kind == "relation" and fact.term == "reason"
        for span in fact.spans
    }


def _line(values: tuple[str, ...]) -> bytes:
    told = io.StringIO()
    csv.writer(told, lineterminator="\n").writerow(values)
    return told.getvalue().encode()
