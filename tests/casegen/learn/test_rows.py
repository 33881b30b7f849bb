"""Which columns are meant, and which rows can be used."""

from __future__ import annotations

import io

import pytest

from casegen.learn.columns import Columns, read_header
from casegen.learn.records import Broken, Lines
from casegen.learn.rows import Row, icd10, rows
from casegen.schemas import InputError
from casegen.seeds.icd10cm.listing import chapter_codes
from casegen.seeds.icd10cm.tables import load


def columns(data: bytes, **options: str) -> Columns:
    given = {"text": None, "code": None, "delimiter": None, "encoding": "utf-8", **options}
    return read_header(Lines(io.BytesIO(data)), "x.csv", **given)  # type: ignore[arg-type]


def used(data: bytes, any_code: bool = False) -> list[Row | Broken]:
    lines = Lines(io.BytesIO(data))
    found = read_header(lines, "x.csv", None, None, None, "utf-8")
    return list(rows(lines, found, any_code=any_code))


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (b"text,code\n", ("text", "code")),
        (b"id,text,code,codes,needs_review,description\n", ("text", "code")),
        (b"Diagnosis,ICD-10 Code\n", ("Diagnosis", "ICD-10 Code")),
        (b"subject_id,stay_id,seq_num,icd_code,icd_version,icd_title\n", ("icd_title", "icd_code")),
        (b"START,STOP,PATIENT,ENCOUNTER,SYSTEM,CODE,DESCRIPTION\n", ("DESCRIPTION", "CODE")),
        (b"\xef\xbb\xbftext;code\r\n", ("text", "code")),
        (b"code\ttext\n", ("text", "code")),
        (b'"long, title",code,"text"\n', ("text", "code")),
        (b"\n\n text , code \n", ("text", "code")),
    ],
)
def test_columns_are_known_by_their_usual_names(header: bytes, names: tuple[str, str]) -> None:
    assert columns(header).names == names


def test_columns_are_taken_by_name_whatever_they_are_called() -> None:
    found = columns(b"text,code,Freitext,Ziel\n", text="Freitext", code="ziel")
    assert (found.text, found.code) == (2, 3)


@pytest.mark.parametrize(
    ("data", "options", "part"),
    [
        (b"", {}, "is empty"),
        (b"\n\n", {}, "blank lines only"),
        (b"chest pain,R07.9\n", {}, "line 1 names the columns, and none looks like the text"),
        (b"text,value\n", {}, "none looks like the code; say which of text, value"),
        (b"text,code\n", {"text": "note"}, "no such column; there are text, code"),
        (b"text,code\n", {"text": "code"}, "is the column of the code too"),
        (b"text,text,code\n", {"text": "text"}, "stands twice"),
        ("text,code\n".encode("utf-16"), {}, "is UTF-16"),
        (b"PK\x03\x04rest", {}, "is a spreadsheet"),
        (b"text,code\ra,I10\rb,I10\r", {}, "end in CR alone"),
        (b'"text,code\n', {}, "a quote is opened and never closed"),
        (b"text\xff,code\n", {}, "is no utf-8"),
    ],
)
def test_a_header_that_does_not_tell_is_refused(
    data: bytes, options: dict[str, str], part: str
) -> None:
    with pytest.raises(InputError, match="x") as error:
        columns(data, **options)
    assert part in str(error.value)


def test_rows_that_are_not_whole_are_named_by_line_and_kind() -> None:
    data = (
        b"id,text,code\n"
        b"1,cough,R05.9\n"
        b"2,cough\n"
        b"3,pain, left knee,M25.562\n"
        b"4, ,R05.9\n"
        b"5,cough, \n"
        b"6,cough,cough\n"
        b"7,cough,E11.9 Z79.84\n"
        b"8,fever,r509,,\n"
    )
    found = used(data)
    assert [(one.line, one.kind) for one in found if isinstance(one, Broken)] == [
        (3, "missing_column"),
        (4, "extra_column"),
        (5, "empty_text"),
        (6, "empty_code"),
        (7, "invalid_code"),
        (8, "invalid_code"),
    ]
    assert [one for one in found if isinstance(one, Row)] == [
        Row(2, "cough", "R05.9"),
        Row(9, "fever", "R50.9"),
    ]


def test_every_code_of_the_code_set_has_the_form_with_and_without_dot() -> None:
    tables = load()
    codes = [code for chapter in range(1, 23) for code in chapter_codes(tables, chapter)]
    assert len(codes) == tables.billable_count()
    for code in codes:
        assert icd10(code) == icd10(f" {code.replace('.', '').lower()} ") == code


@pytest.mark.parametrize(
    "given", ["pain", "A1", "I10 I11", "E11.9;", "250.00", "E11.", "E1.19", "E11.12345", "É11.9"]
)
def test_what_has_not_the_form_of_a_code_is_none(given: str) -> None:
    assert icd10(given) is None


def test_any_label_is_taken_on_demand() -> None:
    data = b"text,code\ncough, 786.2\ndiabetes,DIABETES  UNCOMPL\nlong," + b"x" * 101 + b"\n"
    first, second, third = used(data, any_code=True)
    assert isinstance(first, Row)
    assert isinstance(second, Row)
    assert (first.code, second.code) == ("786.2", "DIABETES UNCOMPL")
    assert isinstance(third, Broken)
