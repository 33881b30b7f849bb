"""Which ICD-10-CM codes exist, since when, and what is missing from those that don't."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pytest

from casegen.schemas import InputError
from casegen.seeds.icd10cm import Tables, canonical, load, stem
from casegen.seeds.icd10cm.listing import billable_below, chapter_codes, future_codes
from casegen.seeds.icd10cm.xml import code_list_path, parse_tabular, tabular_path

ON = "2026-06-01"
EDITS = Path(__file__).parents[2] / "seeds" / "icd10cm" / "data" / "icd10cm_edits.csv.gz"


@pytest.fixture(scope="module")
def tables() -> Tables:
    return load()


@pytest.fixture(scope="module")
def rows() -> dict[str, list[tuple[str, str, str]]]:
    found: dict[str, list[tuple[str, str, str]]] = {}
    text = gzip.decompress(EDITS.read_bytes()).decode()
    for row in csv.DictReader(io.StringIO(text)):
        found.setdefault(row["code"], []).append((row["from"], row["to"], row["edits"]))
    return found


def test_the_complete_codes_are_exactly_those_of_the_flat_list(tables: Tables) -> None:
    lines = code_list_path().read_text(encoding="utf-8").split()
    stems = sorted({line for line in lines if "-" not in line and len(line) >= 3})
    # In the flat list a code is complete if no other begins with it.
    complete = {
        one
        for one, following in zip(stems, [*stems[1:], ""], strict=True)
        if not following.startswith(one)
    }
    ours = [code for number in range(1, 23) for code in chapter_codes(tables, number)]
    assert {stem(code) for code in ours} == complete
    assert len(ours) == len(complete) == tables.billable_count() == 74_719
    assert all(tables.billable(code) for code in ours)


def test_the_dates_agree_with_the_list(
    tables: Tables, rows: dict[str, list[tuple[str, str, str]]]
) -> None:
    for code, history in rows.items():
        valid = any(start <= "2026-04-01" <= end for start, end, _ in history)
        assert tables.billable(code) == valid, code


def test_every_row_of_the_edits_can_be_read_back(
    tables: Tables, rows: dict[str, list[tuple[str, str, str]]]
) -> None:
    assert len(rows) > 23_000
    for code, history in rows.items():
        for start, end, edits in history:
            expected = set(edits.split("|")) if edits else set()
            assert tables.edits(code, start) == tables.edits(code, end) == expected


def test_the_digest_is_that_of_the_sources(tables: Tables) -> None:
    assert tables.digest == "3d45e2709144df44d27198d86715c9ae7d09051f6dae463e15c7a339b7ef5d4d"
    assert tables.name == "icd10cm-2026-04"
    assert tables.release == "ICD-10-CM April 2026"


def test_the_data_file_is_packed_without_a_time() -> None:
    # Bytes 4 to 7 of a gzip file are its time: with one, building it twice gives two files.
    assert EDITS.read_bytes()[4:8] == b"\0\0\0\0"


@pytest.mark.parametrize(
    "written", ["e119", " E11.9", "E11.9", "E119 ", "e11.9", "E11 9", "E11.9."]
)
def test_spelling_does_not_matter(tables: Tables, written: str) -> None:
    assert canonical(written) == "E11.9"
    assert tables.billable(written)
    assert tables.status(written, ON) == "valid"
    assert tables.title(written) == "Type 2 diabetes mellitus without complications"


@pytest.mark.parametrize(
    "code", ["H40.40X2", "R40.2112", "U07.1", "C7A.00", "Z3A.20", "E11.A", "W21.89XA", "W19.XXXA"]
)
def test_unusual_codes_are_valid(tables: Tables, code: str) -> None:
    assert tables.billable(code)
    assert tables.status(code, ON) == "valid"


@pytest.mark.parametrize(
    "code",
    [
        "E11",
        "S72.001",
        "S72.00",
        "W19",
        "W19.A",
        "W19.X",
        "W19.XA",
        "W19.XXA",
        "W19.XXX",
        "W21.89A",
        "W21.89X",
        "T36.0X",
        "H40.402",
        "R40.211",
        "M54",
    ],
)
def test_what_filling_or_lengthening_completes_is_incomplete(tables: Tables, code: str) -> None:
    assert not tables.billable(code)
    assert tables.status(code, ON) == "incomplete"
    assert tables.validity(code) == ()


@pytest.mark.parametrize(
    "code",
    ["Z99.999", "E0601", "99213", "E11.99", "S72.001Z", "S72.00A", "W21.89XX", "A", "", "Z99.99",
     "S52.501AA", "W19.XXXXA", "S06.8A7D", "ABC", "J44.1A", "???"],
)  # fmt: skip
def test_what_never_was_a_code_is_unknown(tables: Tables, code: str) -> None:
    assert tables.status(code, ON) == "unknown"
    assert not tables.exists(code)
    assert not tables.billable(code)
    with pytest.raises(InputError):
        tables.title(code)


def test_the_placeholder_is_filled_in(tables: Tables) -> None:
    assert tables.complete("W21.89", "A") == "W21.89XA"
    assert tables.complete("W19", "S") == "W19.XXXS"
    assert tables.complete("S52.501", "D") == "S52.501D"
    assert tables.complete("S52.501A", "D") == "S52.501D"
    for base, char in (("E11.9", "A"), ("S52.501", "Z"), ("S52.50", "A"), ("Z99.999", "A")):
        with pytest.raises(InputError):
            tables.complete(base, char)


@pytest.mark.parametrize(
    ("code", "last", "successors"),
    [
        ("M54.5", "2021-09-30", ("M54.50", "M54.51", "M54.59")),
        ("N18.3", "2020-09-30", ("N18.30", "N18.31", "N18.32")),
    ],
)
def test_a_code_that_was_divided_is_retired(
    tables: Tables, code: str, last: str, successors: tuple[str, ...]
) -> None:
    assert tables.validity(code) == (("2015-10-01", last),)
    assert tables.status(code, last) == "valid"
    assert tables.status(code, ON) == "retired"
    assert not tables.billable(code)
    assert tables.children(code) == successors
    for one in successors:
        assert tables.status(one, last) == "not_yet_valid"
        assert tables.status(one, ON) == "valid"


def test_codes_of_next_october_are_not_yet_valid(tables: Tables) -> None:
    future = future_codes(tables, "2026-09-30")
    assert len(future) == 190
    assert "D69.11" in future
    for code in future:
        assert tables.status(code, "2026-09-30") == "not_yet_valid"
        assert tables.status(code, "2026-10-01") == "valid"
        assert not tables.billable(code)
    assert tables.status("D69.1", "2026-09-30") == "valid"
    assert tables.status("D69.1", "2026-10-01") == "retired"


def test_nothing_is_valid_before_the_code_set_began(tables: Tables) -> None:
    assert tables.status("I10", "2015-09-30") == "not_yet_valid"
    assert tables.status("I10", "2015-10-01") == "valid"
    assert tables.validity("I10") == (("2015-10-01", "2027-03-31"),)


def test_a_day_after_the_data_retires_nothing(tables: Tables) -> None:
    assert tables.status("I10", "2031-01-01") == "valid"
    assert tables.status("M54.50", "2031-01-01") == "valid"


def test_periods_that_follow_each_other_are_one(tables: Tables) -> None:
    # Three rows in the source, for the edit that came and went.
    assert tables.validity("F07.81") == (("2015-10-01", "2027-03-31"),)
    assert tables.edits("F07.81", "2026-03-31") == {"unacceptable"}
    assert tables.edits("F07.81", "2026-04-01") == frozenset()


def test_the_dead_have_no_subsequent_encounter(tables: Tables) -> None:
    # Note at S06; the dates say the same (ended 2017-09-30).
    assert set(tables.sevenths("S06.1X7")) == {"A"}
    assert set(tables.sevenths("S06.8A8")) == {"A"}
    assert set(tables.sevenths("S06.1X6")) == {"A", "D", "S"}
    assert tables.status("S06.1X7D", ON) == "retired"


def test_a_full_title_has_the_text_of_the_seventh_character(tables: Tables) -> None:
    assert tables.title("S52.501K") == (
        "Unspecified fracture of the lower end of right radius, "
        "subsequent encounter for closed fracture with nonunion"
    )
    assert tables.title("O32.1XX2") == "Maternal care for breech presentation, fetus 2"


def test_the_way_up_and_down(tables: Tables) -> None:
    assert tables.ancestors("S52.501D") == (
        "S52.501D", "S52.501", "S52.50", "S52.5", "S52", "block:S50-S59", "chapter:19",
    )  # fmt: skip
    assert tables.parent("S52") == "block:S50-S59"
    assert tables.parent("chapter:19") is None
    assert tables.children("S52.50") == ("S52.501", "S52.502", "S52.509")
    assert len(tables.children("S52.501")) == 16
    assert tables.children("S52.501A") == tables.children("I10") == ()
    assert (tables.chapter("S52.501D"), tables.block("S52.501D")) == (19, "S50-S59")
    assert "block:J40-J4A" in tables.children("chapter:10")
    assert billable_below(tables, "M54.5") == ("M54.50", "M54.51", "M54.59")


def test_blocks_nest(tables: Tables) -> None:
    assert tables.ancestors("T23.001A")[-4:] == (
        "block:T20-T25", "block:T20-T32", "block:T07-T88", "chapter:19",
    )  # fmt: skip
    assert tables.chapter("QA0.0101") == 17
    assert tables.block("C4A.0") == "C43-C44"


def test_the_parse_keeps_document_order_and_loses_nothing() -> None:
    nodes = parse_tabular(tabular_path())
    kinds = [name.partition(":")[0] for name in nodes if ":" in name]
    assert kinds.count("chapter") == 22
    assert kinds.count("block") == 297
    assert len(nodes) == 22 + 297 + 46_881
    assert sum(node.seventh is not None for node in nodes.values()) == 508
    assert sum(len(node.excludes1) for node in nodes.values()) == 5407
    assert sum(len(node.inclusion_terms) for node in nodes.values()) == 12_574
    seen: set[str] = set()
    for name, node in nodes.items():
        assert node.parent is None or node.parent in seen
        assert not any(child in seen for child in node.children)
        seen.add(name)
