"""Records of a CSV file, the broken ones among them."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casegen.learn import records as module
from casegen.learn.records import MOST_BYTES, MOST_FIELD, Broken, Lines, Record, records


def read(data: bytes, delimiter: str = ",", encoding: str = "utf-8") -> list[Record | Broken]:
    return list(records(Lines(io.BytesIO(data)), delimiter, encoding))


def told(data: bytes) -> list[tuple[int, list[str] | str]]:
    """Line and fields of each record, or what it was counted under."""
    return [(one.line, one.fields if isinstance(one, Record) else one.kind) for one in read(data)]


def test_records_are_told_with_the_line_on_which_they_begin() -> None:
    data = b'a,b\n\n"x\ny","1,2"\r\nlast,"he said ""no"""'
    assert told(data) == [
        (1, ["a", "b"]),
        (3, ["x\ny", "1,2"]),
        (5, ["last", 'he said "no"']),
    ]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b'"pain,R52', "open_quote"),
        (b'"pain" left,R52', "stray_quote"),
        (b"pa\0in,R52", "nul"),
        (b"douleur \xe9pig,R10.13", "bad_encoding"),
        (b'"douleur \xe9pig",R10.13', "bad_encoding"),
        (b"x" * (MOST_FIELD + 1) + b",R52", "huge_field"),
        (b'"' + b"x" * (MOST_FIELD + 1) + b'",R52', "huge_field"),
        (b"x" * (MOST_BYTES * 2) + b",R52", "huge_field"),
    ],
)
def test_a_broken_line_is_named_and_the_lines_around_it_are_read(line: bytes, kind: str) -> None:
    data = b"cough,R05.9\n" + line + b'\nfever,R50.9\n"pain, left knee",M25.562\n'
    assert told(data) == [
        (1, ["cough", "R05.9"]),
        (2, kind),
        (3, ["fever", "R50.9"]),
        (4, ["pain, left knee", "M25.562"]),
    ]


def test_a_quote_within_an_unquoted_field_is_a_character() -> None:
    assert told(b'cut by 5" nail,W45.0XXA\nfever,R50.9\n') == [
        (1, ['cut by 5" nail', "W45.0XXA"]),
        (2, ["fever", "R50.9"]),
    ]


def test_a_quote_left_open_at_the_end_costs_its_line_alone() -> None:
    rows = b"".join(b"cough %d,R05.9\n" % i for i in range(50_000))
    found = read(b'"open,R52\n' + rows)
    assert [one.line for one in found if isinstance(one, Broken)] == [1]
    assert len(found) == 50_001


def test_a_quote_left_open_in_each_line_is_found_in_each() -> None:
    found = told(b'"open,R52\n' * 2000)
    assert [kind for _, kind in found] == ["open_quote"] * 2000


def test_no_more_than_a_record_is_held_however_long_the_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[int] = []

    class Endless(io.RawIOBase):
        left = 64 << 20

        def readline(self, size: int | None = -1, /) -> bytes:
            taken.append(size or 0)
            part = b"x" * min(size or 0, self.left)
            self.left -= len(part)
            return part

    found = list(records(Lines(Endless()), ",", "utf-8"))  # type: ignore[arg-type]
    assert [one.kind for one in found if isinstance(one, Broken)] == ["huge_field"]
    assert max(taken) == module.MOST_BYTES + 1


FIELD = st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=12)


@given(st.lists(st.lists(FIELD, min_size=2, max_size=4), max_size=12))
def test_whatever_the_csv_module_writes_is_read_back(rows: list[list[str]]) -> None:
    data = io.StringIO()
    csv.writer(data, lineterminator="\n").writerows(rows)
    found = read(data.getvalue().encode())
    # A record of white space alone may stand for a blank line.
    kept = [row for row in rows if "".join(row).strip() or len(row) > 1]
    assert [one.fields if isinstance(one, Record) else one for one in found] == kept


@given(st.binary(max_size=300))
def test_no_bytes_are_fatal_and_lines_are_named_in_order(data: bytes) -> None:
    found = [one.line for one in read(data)]
    assert found == sorted(set(found))
    assert all(1 <= line <= data.count(b"\n") + 1 for line in found)
