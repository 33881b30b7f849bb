"""Lists, rows and days that can't be right are refused in one line that says where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from casegen.schemas import InputError
from casegen.seeds.icd10cm.xml import tabular_path
from casegen.seeds.imports import cpt, icd10cm, mce, mue
from casegen.seeds.imports.dates import is_date, is_plain_date

XML = tabular_path().read_bytes()
LIST = "icd10cm-tabular-April-1-2026.xml"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(name: str, content: str | bytes) -> str:
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    return name


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("<name>A00.0<", '<name>A00,"0<', "is no code of ICD-10-CM"),
        ("<name>A00.0<", "<name>Ä00.0<", "is no code of ICD-10-CM"),
        ("<name>A00.0<", "<name>a00.0<", "is no code of ICD-10-CM"),
        ("<name>A00.0<", "<name>A00.\n7<", "is no code of ICD-10-CM"),
        ("<name>A00.0<", f"<name>A00.{'1' * 5000}<", "is no code of ICD-10-CM"),
        ("<name>A00.0<", "<name>A00.1<", "A001 stands there twice"),
        ("<name>22<", "<name>XXII<", "'XXII' is no number of a chapter"),
        ("<name>22<", "<name>23<", "lacks chapter: 22"),
        ('encoding="utf-8"', 'encoding="foo-8"', "unknown encoding: foo-8"),
    ],
)
def test_a_list_that_is_spelt_wrong_is_refused_with_what_is_wrong(
    old: str, new: str, told: str
) -> None:
    content = XML.decode()
    assert old in content
    path = written(LIST, content.replace(old, new, 1))
    with pytest.raises(InputError, match=told) as caught:
        icd10cm.read([path], None, None)
    assert LIST in str(caught.value) and len(str(caught.value)) < 300


def test_a_list_in_utf_16_is_taken() -> None:
    content = XML.decode().replace('encoding="utf-8"', 'encoding="utf-16"', 1)
    taken = icd10cm.read([written(LIST, content.encode("utf-16"))], None, None)
    assert taken.counts["not_bundled"] == taken.counts["only_bundled"] == 0


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("2024-10-01", True), ("2024-W40-2", False), ("20241001", False), ("2024-02-30", False),
        ("0001-01-01", False), ("9999-12-31", False), ("２０２４-10-01", False),
    ],
)  # fmt: skip
def test_a_date_is_written_in_one_way_and_of_our_time(text: str, right: bool) -> None:
    assert is_date(text) is right
    assert is_plain_date(text.replace("-", "")) is (right or text == "20241001")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("I11.9,2015-W40-4,2027-03-31,", "from: '2015-W40-4' is no date"),
        ("I11.9,2015-10-01,9999-12-31,", "to: '9999-12-31' is no date"),
        ("I11.9,2015-10-01,2027-03-31,female|male", "female and male exclude each other"),
        ("I11.9,2015-10-01,2027-03-31,newborn|qadm|adult", "adult and newborn exclude"),
        ("I11.9,2015-10-01,2027-03-31,maternity|male", "male and maternity exclude"),
    ],
)
def test_a_row_that_cannot_be_is_refused(row: str, told: str) -> None:
    path = written("rows.csv", f"code,from,to,edits\nI10,2015-10-01,2027-03-31,\n{row}\n")
    with pytest.raises(InputError, match=rf"rows\.csv, line 3: rows: .*{told}"):
        mce.read([path], None)


def test_no_edit_of_the_bundled_rows_excludes_another() -> None:
    taken = mce.read([written("rows.csv", icd10cm.base_edits())], None)
    assert taken.counts["refused"] == 0


@pytest.mark.parametrize("day", ["0001-01-01", "2015-09-30", "2099-01-01", "soon"])
def test_a_first_day_is_of_a_time_of_which_tables_can_tell(day: str) -> None:
    text = written("Definitions_v43.txt", "Definitions of Medicare Code Edits\n")
    head = "HCPCS/CPT Code,Practitioner Services MUE Values\n93306,1\n"
    units = written("mue.csv", head)
    reads: list[Callable[[], object]] = [
        lambda: icd10cm.read([written("list.xml", XML)], day, None),
        lambda: mce.read([written("rows.csv", icd10cm.base_edits())], day),
        lambda: mce.read([text], day),
        lambda: mue.read([units], day if day != "2015-09-30" else "1995-12-31"),
    ]
    for read in reads:
        with pytest.raises(InputError, match="--effective"):
            read()


def test_a_first_day_does_not_contradict_the_file() -> None:
    with pytest.raises(InputError, match="the list is of 2026-04"):
        icd10cm.read([written(LIST, XML)], "2025-10-01", None)
    title = "Definitions of Medicare Code Edits\n"
    with pytest.raises(InputError, match="version 43, of the fiscal year 2026"):
        mce.read([written("edits_v43.txt", title)], "2026-10-01")
    head = "HCPCS/CPT Code,Practitioner Services MUE Values\n93306,1\n"
    with pytest.raises(InputError, match="it is of NCCI 2024Q3"):
        mue.read([written("mue-2024q3.csv", head)], "2025-01-01")


def test_a_document_from_before_the_classification_is_refused() -> None:
    head = "Definitions of Medicare Code Edits\n"
    lists = (
        ("A. Perinatal/Newborn diagnoses", "P10"),
        ("B. Pediatric diagnoses (age 0 through 17)", "Q10"),
        ("C. Maternity diagnoses (age 9 through 64)", "O10"),
        ("D. Adult diagnoses (age 15 through 124)", "M10"),
        ("6. Manifestation code as principal diagnosis", "F10"),
    )
    rows = [f"{title}\n" + "".join(f"{c}{n}\tx\n" for n in range(10)) for title, c in lists]
    with pytest.raises(InputError, match=r"2012-10-01.*in use from 2015-10-01"):
        mce.read([written("edits_v30.txt", head + "".join(rows))], None)


def test_a_wrong_first_descriptor_is_refused_and_counted() -> None:
    taken = cpt.read([written("a.txt", "Licence of 2026\n9330\tText\n93306\tOne\n")])
    assert taken.counts == {"codes": 1, "refused": 1}
    assert taken.refusals.first[0].line == 2


def test_codes_that_the_rows_know_and_the_list_lacks_are_remarked_on() -> None:
    other = XML.replace(b"<name>A04.71</name>", b"<name>A04.73</name>")
    taken = icd10cm.read([written(LIST, other)], None, None)
    assert any("A04.71, are valid on 2026-04-01 by the dated rows" in one for one in taken.remarks)
    whole = icd10cm.read([written(LIST, XML)], None, None)
    assert whole.remarks == ()


def test_of_contradicting_files_the_same_is_taken_in_any_order() -> None:
    head = "HCPCS/CPT Code,Practitioner Services MUE Values\n"
    one = written("a-2024q3.csv", f"{head}93306,1\n93307,1\n")
    two = written("b-2024q3.csv", f"{head}93306,2\n93308,1\n")
    assert mue.read([one, two], None).digest == mue.read([two, one], None).digest
    one = written("a.txt", "93306\tOne\n93307\tx\n")
    two = written("b.txt", "93306\tTwo\n93308\tx\n")
    assert cpt.read([one, two]).digest == cpt.read([two, one]).digest
