"""Tabular lists, dated rows, unlikely edits and descriptors: what is taken and what refused."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from casegen.schemas import InputError
from casegen.seeds.icd10cm import tables as bundled
from casegen.seeds.icd10cm.compile import edits_by_code
from casegen.seeds.icd10cm.xml import tabular_path
from casegen.seeds.imports import cpt, folders, icd10cm, mce, mue, sets
from casegen.seeds.imports.model import Taken

XML = tabular_path().read_bytes()
# As if the list were the next one: a title changed, a code gone, a code new.
NEXT = XML.replace(b"<desc>Obesity, class 1</desc>", b"<desc>Obesity of class 1</desc>").replace(
    b"<name>M54.51</name>", b"<name>M54.52</name>"
)
MUE_HEAD = (
    '"Header text with ""quotes""",,,\n"HCPCS/\nCPT Code","Practitioner Services MUE Values",'
    '"MUE Adjudication Indicator","MUE Rationale"\n'
)
SETTLED = '"3 Date of Service Edit: Clinical","Clinical: Data"\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CASEGEN_TABLES", str(tmp_path / "tables"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def keep(taken: Taken, name: str = "a") -> None:
    with folders.keeping(name) as folder:
        folders.commit(folder, folders.read_manifest(name), taken)


def text(name: str, content: str | bytes) -> str:
    raw = content.encode() if isinstance(content, str) else content
    Path(name).write_bytes(raw)
    return name


# ICD-10-CM


@pytest.fixture(scope="module")
def next_list(tmp_path_factory: pytest.TempPathFactory) -> Taken:
    path = tmp_path_factory.mktemp("list") / "icd10cm-table-index.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Table and Index/icd10cm-tabular-June-1-2026.xml", NEXT)
        archive.writestr("Table and Index/icd10cm-index-June-1-2026.xml", b"<ICD10CM.index/>")
    return icd10cm.read([str(path)], None, None)


def test_the_list_of_another_year_is_taken_out_of_its_archive(next_list: Taken) -> None:
    assert next_list.edition == "ICD-10-CM June 2026"
    assert next_list.effective == "2026-06-01"
    assert next_list.facts == {"first": "2026-06-01", "last": "2026-09-30"}
    told = next_list.counts
    assert (told["not_bundled"], told["only_bundled"], told["other_title"]) == (1, 1, 1)
    assert any("M54.52" in remark for remark in next_list.remarks)


def test_codes_begin_and_end_with_the_list_that_brings_or_drops_them(
    next_list: Taken, home: Path
) -> None:
    keep(next_list)
    found = sets.load("a").tables
    assert found.release == "ICD-10-CM June 2026"
    assert found.title("E66.811") == "Obesity of class 1"
    assert [found.status("M54.52", day) for day in ("2026-05-31", "2026-06-01")] == [
        "not_yet_valid", "valid",
    ]  # fmt: skip
    assert [found.status("M54.51", day) for day in ("2026-05-31", "2026-06-01")] == [
        "valid", "retired",
    ]  # fmt: skip
    assert found.digest != bundled.load().digest and found.name == "a"


@pytest.mark.parametrize(
    ("name", "when", "edition", "window"),
    [
        ("icd10cm-tabular-April-2025.xml", "2025-04-01", "ICD-10-CM April 2025", "2025-09-30"),
        ("icd10c-tabular-April-1-2026.xml", "2026-04-01", "ICD-10-CM April 2026", "2026-09-30"),
        ("icd10cm_tabular_2026.xml", "2025-10-01", "ICD-10-CM October 2025", "2026-03-31"),
        ("January 2021.xml", "2021-01-01", "ICD-10-CM January 2021", "2021-03-31"),
    ],
)
def test_name_or_content_tell_the_release(name: str, when: str, edition: str, window: str) -> None:
    member = icd10cm.Member(name, "")
    assert icd10cm._effective(member, XML) == when  # the content says 2026
    assert icd10cm.label(when) == edition
    assert icd10cm.window(when) == (when, window)


@pytest.mark.parametrize("name", ["tab.xml", "icd10cm_tabular_2021.xml", "20260401.xml"])
def test_a_name_that_does_not_tell_the_release_calls_for_its_first_day(name: str) -> None:
    with pytest.raises(InputError, match="give --effective, the first day"):
        icd10cm._effective(icd10cm.Member(name, ""), XML)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"<ICD10CM.index/>", "no tabular list"),
        (b"<ICD10CM.tabular><version>2026</version>", "not a readable tabular list"),
        (b"<ICD10CM.tabular><version>2026</version></ICD10CM.tabular>", "no chapters"),
        (b"<ICD10CM.tabular/>", "give --effective"),
        (XML[:200_000], "not a readable tabular list"),
    ],
)
def test_another_list_is_refused_in_one_line(home: Path, content: bytes, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        when = None if b"<version>" not in content else "2026-04-01"
        icd10cm.read([text("list.xml", content)], when, None)
    assert "\n" not in str(caught.value) and "list.xml" in str(caught.value)


def test_a_list_that_the_dates_contradict_is_refused(home: Path) -> None:
    path = text("icd10cm-tabular-2026.xml", XML)
    with pytest.raises(InputError, match="no code of it is valid on 2020-10-01"):
        icd10cm.read([path], "2020-10-01", None)


# Dated rows


def history(taken: Taken) -> dict[str, tuple[tuple[str, str, str], ...]]:
    """What is to be compiled, by code."""
    return edits_by_code(taken.data["rows"][1])


def test_dated_rows_equal_to_the_bundled_ones_say_the_same(home: Path) -> None:
    taken = mce.read([text("rows.csv", icd10cm.base_edits())], None)
    ours = bundled.load()
    assert (taken.edition, taken.facts["dates"]) == ours.cited
    assert history(taken) == edits_by_code(icd10cm.base_edits())


def test_other_rows_change_edits_and_editions(home: Path) -> None:
    lines = icd10cm.base_edits().decode().splitlines()
    rows = "".join(f"{line}\n" for line in lines if not line.startswith("I10,"))
    rows += "I10,2015-10-01,2024-09-30,\nI10,2024-10-01,2028-03-31,adult\n"
    keep(mce.read([text("rows.csv", rows)], None))
    found = sets.load("a").tables
    assert found.edits("I10", "2026-05-01") == {"adult"}
    assert found.edits("I10", "2024-05-01") == frozenset()
    assert found.cited[0] == "MCE, dated rows 2015-10-01 to 2028-03-31"
    assert found.release == bundled.load().release


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("I10,2015-10-01", "2 fields"),
        ("10,2015-10-01,2027-03-31,", "code"),
        ("I11.9,2015-13-01,2027-03-31,", "from"),
        ("I11.9,2015-10-01,later,", "to"),
        ("I11.9,2027-03-31,2015-10-01,", "is after"),
        ("I11.9,2015-10-01,2027-03-31,elderly", "elderly"),
        ("I10,2016-10-01,2027-03-31,", "overlaps"),
    ],
)
def test_a_wrong_row_is_named_with_its_line(home: Path, row: str, told: str) -> None:
    good = "I10,2015-10-01,2027-03-31,adult\n"
    with pytest.raises(InputError, match=rf"line 3: .*{told}"):
        mce.read([text("rows.csv", f"code,from,to,edits\n{good}{row}\n")], None)


def test_a_part_of_the_rows_is_refused(home: Path) -> None:
    rows = "code,from,to,edits\nI10,2015-10-01,2027-03-31,adult\n"
    with pytest.raises(InputError, match="rows of 1 codes; the whole table"):
        mce.read([text("rows.csv", rows)], None)


def test_rows_need_their_heading(home: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: .*code,from,to,edits"):
        mce.read([text("rows.csv", "code;from;to;edits\n")], None)


@cache
def document() -> str:
    """The edits of 2025-10-05 as CMS' text lists them."""
    ours = bundled.load()
    lines = ["Definitions of Medicare Code Edits", "4. Age conflict\t7", "B. Pediatric\t9"]
    for heading, edit in (
        ("A. Perinatal/Newborn diagnoses", "newborn"),
        ("B. Pediatric diagnoses (age 0 through 17)", "pediatric"),
        ("C. Maternity diagnoses (age 9 through 64)", "maternity"),
        ("D. Adult diagnoses (age 15 through 124)", "adult"),
        ("6. Manifestation code as principal diagnosis", "manifestation"),
    ):
        lines.append(heading)
        for stem, _ in ours.store.histories():
            if edit in ours.edits(stem, "2025-10-05"):
                lines.append(f"{stem}\tText")
    lines += ["8. Questionable admission", "I10\tText"]
    return "\r\n".join(lines)


def test_the_text_of_cms_says_what_the_rows_of_its_time_say(home: Path) -> None:
    taken = mce.read([text("Definitions of Medicare Code Edits_v_43.txt", document())], None)
    assert (taken.edition, taken.effective) == ("MCE v43", "2025-10-01")
    found, ours = history(taken), edits_by_code(icd10cm.base_edits())
    assert found.keys() == ours.keys()
    for code, rows in ours.items():
        assert [(a, b, set(c.split("|"))) for a, b, c in found[code]] == [
            (a, b, set(c.split("|"))) for a, b, c in rows
        ]


def test_the_text_changes_edits_in_its_time_alone(home: Path) -> None:
    longer = document().replace("D. Adult", "I10\tText\r\nD. Adult")
    taken = mce.read([text("definition-medicare-code-edits-v43.txt", longer)], None)
    assert history(taken)["I10"] == (
        ("2015-10-01", "2025-09-30", "qadm"),
        ("2025-10-01", "2026-03-31", "maternity|qadm"),
        ("2026-04-01", "2027-03-31", "qadm"),
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda told: told.replace("age 9 through 64", "age 12 through 55"), "9 to 64"),
        (lambda told: told.replace("6. Manifestation", "6. Other"), "manifestation"),
        (lambda told: told.replace("\tText", " Text"), "adult.*no list of such codes"),
    ],
)
def test_a_text_of_another_layout_is_refused(
    home: Path, change: Callable[[str], str], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        mce.read([text("Definitions of Medicare Code Edits_v_43.txt", change(document()))], None)


# Medically unlikely edits


def test_unlikely_edits_are_taken_as_published(home: Path) -> None:
    rows = f"93306,2,{SETTLED}0001U,0,{SETTLED}97110,six,{SETTLED}9330,1,{SETTLED}93306,3,{SETTLED}"
    name = "MCR_MUE_PractitionerServices_Eff_07-01-2024.csv"
    taken = mue.read([text(name, MUE_HEAD + rows)], None)
    assert taken.edition == "NCCI 2024Q3"
    assert dict(taken.counts) == {"codes": 2, "zero": 1, "refused": 3}
    assert [one.line for one in taken.refusals.first] == [6, 7, 8]
    keep(taken)
    services = sets.load("a").services
    assert [services.mue(code) for code in ("93306", "0001U", "99213")] == [2, None, None]
    assert services.pair("93306", "93307", "2026-05-01") is not None  # the bundled pairs


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (MUE_HEAD.replace("Practitioner", "Outpatient Hospital"), "practitioners"),
        ("code,value\n93306,1\n", "no MUE table"),
        (MUE_HEAD, "no code"),
        ("\0\0\0\0", "no plain text"),
    ],
)
def test_other_tables_are_refused(home: Path, content: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        mue.read([text("mue.csv", content)], "2024-07-01")
    with pytest.raises(InputError, match="--effective"):
        mue.read([text("mue.csv", MUE_HEAD + f"93306,2,{SETTLED}")], None)


# Descriptors


@pytest.mark.parametrize("between", ["\t", ","])
def test_descriptors_are_taken_behind_their_preamble(home: Path, between: str) -> None:
    lines = (
        "A licence",
        "of 2026, in words",
        "",
        f"93306{between}Made-up text",
        f"0001U{between}B",
    )
    taken = cpt.read([text("LONGULT.txt", "\r\n".join(lines))])
    assert dict(taken.counts) == {"codes": 2, "refused": 0}
    keep(taken)
    assert sets.load("a").descriptors == {"93306": "Made-up text", "0001U": "B"}


def test_descriptors_change_no_digest(home: Path) -> None:
    keep(cpt.read([text("a.txt", "93306\tOne")]), "a")
    keep(cpt.read([text("b.txt", "93306\tTwo")]), "b")
    assert sets.load("a").tables.digest == sets.load("b").tables.digest


def test_a_file_without_codes_is_refused(home: Path) -> None:
    with pytest.raises(InputError, match="no CPT code"):
        cpt.read([text("a.txt", "no code\n" * 400)])


# Sets


@pytest.mark.parametrize("name", ["bundled", "icd10cm-2026-04", "a b", "../a", "", "a@b", "a" * 65])
def test_a_name_must_be_one_that_cases_can_cite(name: str) -> None:
    with pytest.raises(InputError):
        folders.check_name(name)


def test_a_strange_manifest_is_told_in_one_line(home: Path) -> None:
    keep(cpt.read([text("a.txt", "93306\tOne")]))
    path = folders.home() / "a" / folders.MANIFEST
    good = json.loads(path.read_text())
    for bad in ("", "[]", "{}", json.dumps({**good, "format": 99})):
        path.write_text(bad)
        with pytest.raises(Exception, match=r"manifest\.json: no manifest") as caught:
            folders.need("a")
        assert "\n" not in str(caught.value)
