"""NCCI pairs as CMS publishes them: taken, refused, added up, looked up."""

from __future__ import annotations

import gzip
import importlib.util
import os
import random
import resource
import time
import tracemalloc
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from casegen.schemas import InputError, TableError
from casegen.seeds.imports import folders, ncci, ptp, sets
from casegen.seeds.imports.model import Taken
from casegen.seeds.imports.quarter import edition, quarter_of

ROOT = Path(__file__).resolve().parents[2]
FULL = os.environ.get("CASEGEN_FULL") == "1"
NAME = "ccipra-v302r0-f1.TXT"
HEADER = (
    "Copyright text\t\t\t\t\t\t\r\nColumn 1\tColumn 2\t*=in existence\tEffective\tDeletion\t"
    "Modifier\tPTP Edit Rationale\r\n\t\tprior to 1996\tDate\tDate\t0=not allowed\t\r\n"
)
ROWS = (
    "0001A\t0591T\t\t20201216\t*\t1\tMisuse of Column Two code with Column One code",
    "10060\t11055\t*\t19960101\t*\t0\tMore extensive procedure",
    "10060\t11056\t\t20100101\t20191231\t1\tStandards of medical practice",
    "10060\t11056\t\t20220101\t*\t0\tMutually exclusive procedures",
    "10060\t11057\t\t19960101\t19960101\t9\tMutually exclusive procedures",
)


def load_sample() -> object:
    """The module of the sample generator."""
    spec = importlib.util.spec_from_file_location("sample", ROOT / "tools" / "ncci_sample.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def file_with(folder: Path, rows: Sequence[str], name: str = NAME) -> str:
    path = folder / name
    path.write_bytes((HEADER + "".join(f"{row}\r\n" for row in rows)).encode("cp1252"))
    return str(path)


def read(*paths: str, effective: str | None = None) -> Taken:
    return ncci.read(paths, effective, lambda steps: None)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CASEGEN_TABLES", str(tmp_path / "tables"))
    return tmp_path


def keep(taken: Taken, name: str = "a") -> None:
    with folders.keeping(name) as folder:
        folders.commit(folder, folders.read_manifest(name), taken)


def table(name: str = "a") -> ptp.PtpTable:
    return sets.ptp_of(name, folders.need(name).parts["ncci"])


def test_the_published_layout_is_taken(home: Path) -> None:
    taken = read(file_with(home, ROWS))
    assert (taken.edition, taken.effective) == ("NCCI 2024Q3", "2024-07-01")
    told = {**taken.counts}
    assert told == {
        "pairs": 5, "active": 3, "deleted": 2, "column_1_codes": 2, "repeated": 0, "refused": 0,
    }  # fmt: skip


def test_an_edit_is_found_from_either_side_by_its_dates(home: Path) -> None:
    keep(read(file_with(home, ROWS)))
    services = sets.load("a").services
    for one, two in (("10060", "11056"), ("11056", "10060")):
        found = services.pair(one, two, "2019-12-31")
        assert found is not None and (found.column1, found.indicator) == ("10060", 1)
        assert (found.since, found.deleted) == ("2010-01-01", "2019-12-31")
        assert services.pair(one, two, "2020-01-01") is None
        assert services.pair(one, two, "2009-12-31") is None
        later = services.pair(one, two, "2022-01-01")
        assert later is not None and later.indicator == 0 and later.deleted is None
        assert [edit.deleted for edit in services.pair_any(one, two)] == ["2019-12-31", None]
    assert services.pair("10060", "11057", "1996-01-01") is None
    assert len(services.pair_any("10060", "11057")) == 1
    assert services.partners("10060") == ("11055", "11056", "11057")
    assert services.partners("11055") == ("10060",)
    for odd in ("", "1", "100600", "1006Ö", "10_60", "99999"):
        assert services.pair_any("10060", odd) == () and services.partners(odd) == ()


def test_a_pair_that_changes_within_the_window_keeps_charts_from_holding_it(home: Path) -> None:
    keep(read(file_with(home, ROWS)))
    services = sets.load("a").services.within("2019-06-01", "2022-06-30")
    found = services.pair("10060", "11056", "2020-06-01")
    assert found is not None and found.indicator == 0
    assert sets.load("a").services.pair("10060", "11056", "2020-06-01") is None


def test_the_whole_is_the_same_however_it_is_packed(home: Path) -> None:
    plain = read(file_with(home, ROWS))
    first = file_with(home, ROWS[3:], "ccipra-v302r0-f2.txt")
    second = file_with(home, ROWS[:3], "ccipra-v302r0-f3.txt")
    packed = home / "medicare-ncci-2024q3-practitioner.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in (first, second):
            archive.write(path, f"folder/{Path(path).name}")
        archive.writestr("readme.pdf", b"%PDF")
    single = home / "ccipra-v302r0-f4.txt.gz"
    single.write_bytes(gzip.compress(Path(file_with(home, ROWS, "x.txt")).read_bytes()))
    for paths in ([first, second], [second, first], [str(packed)], [str(single)]):
        assert read(*paths).digest == plain.digest, paths


def test_imports_of_one_quarter_add_up(home: Path) -> None:
    whole = read(file_with(home, ROWS))
    keep(read(file_with(home, ROWS[:3])))
    new = read(file_with(home, ROWS[2:], "ccipra-v302r0-f2.TXT"))
    both = sets.with_pairs("a", folders.need("a").parts["ncci"], new)
    assert both.digest == whole.digest
    assert [one.file for one in both.sources] == [NAME, "ccipra-v302r0-f2.TXT"]
    keep(both)
    assert len(table()) == 5
    other = read(file_with(home, ROWS, "ccipra-v310r0-f1.TXT"))
    with pytest.raises(InputError, match="2025Q1"):
        sets.with_pairs("a", folders.need("a").parts["ncci"], other)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("10060\t11055\t\t20201216\t*\t1", "6 fields"),
        ("1006\t11055\t\t20201216\t*\t1\tx", "column 1"),
        ("10060\t1105-\t\t20201216\t*\t1\tx", "column 2"),
        ("10060\t11055\t?\t20201216\t*\t1\tx", "mark of 1996"),
        ("10060\t11055\t\t20201316\t*\t1\tx", "effective date"),
        ("10060\t11055\t\t*\t*\t1\tx", "effective date"),
        ("10060\t11055\t\t20201216\t2020\t1\tx", "deletion date"),
        ("10060\t11055\t\t20201216\t*\t2\tx", "modifier indicator"),
    ],
)
def test_a_wrong_line_is_refused_by_its_number(home: Path, row: str, told: str) -> None:
    taken = read(file_with(home, (*ROWS, row, *ROWS[:1])))
    (refused,) = taken.refusals.first
    assert refused.line == 3 + len(ROWS) + 1
    assert told in refused.reason
    assert taken.counts["refused"] == 1 and taken.counts["repeated"] == 1


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        (NAME, b"", "is empty"),
        (NAME, b"some text\n" * 200, "no list of NCCI"),
        (NAME, b"10060,11055,,20201216,*,1,x\n" * 9, "no list of NCCI"),
        (NAME, HEADER.encode() + b"10060\tx\t\t\t\t\t\n" * 20, "line 4: .*column 2"),
        ("pairs.txt", HEADER.encode(), "--effective"),
        ("ccioph-v302r0-f1.txt", HEADER.encode(), "practitioners"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Excel"),
        ("a.zip", b"PK\x03\x04 and nothing else", "damaged zip"),
        ("ccipra-v302r0-f1.txt.gz", b"\x1f\x8b\x08 nothing", "damaged"),
    ],
)
def test_another_file_is_refused_in_one_line(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, told: str
) -> None:
    monkeypatch.chdir(home)
    Path(name).write_bytes(content)
    with pytest.raises(InputError, match=told) as caught:
        read(name)
    assert "\n" not in str(caught.value) and name in str(caught.value)


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_a_file_without_a_header_loses_no_line(home: Path, bom: bytes) -> None:
    path = home / NAME
    path.write_bytes(bom + "\n".join(ROWS).encode())
    assert read(str(path)).counts["pairs"] == len(ROWS)
    path.write_text("\n".join(("9330\t93307\t\t20090101\t*\t0\tx", *ROWS)))
    taken = read(str(path))
    assert [(one.line, one.reason) for one in taken.refusals.first] == [
        (1, "column 1: '9330' is no code")
    ]


def test_a_pair_that_cannot_be_is_refused(home: Path) -> None:
    for row, told in (
        ("93306\t93306\t\t20090101\t*\t1\tx", "code with itself"),
        ("27447\t27446\t\t20250101\t20240101\t1\tx", "before it is in force"),
        ("27447\t27446\t\t00010101\t*\t1\tx", "effective date"),
    ):
        (refused,) = read(file_with(home, (*ROWS, row))).refusals.first
        assert told in refused.reason


def test_a_rationale_of_two_is_chosen_whatever_the_order_of_files(home: Path) -> None:
    one = file_with(home, ("93306\t93307\t\t20090101\t*\t1\tr1",), "ccipra-v302r0-f1.txt")
    two = file_with(home, ("93306\t93307\t\t20090101\t*\t1\tr2",), "ccipra-v302r0-f2.txt")
    assert read(one, two).digest == read(two, one).digest
    keep(read(one))
    assert sets.with_pairs("a", folders.need("a").parts["ncci"], read(two)).digest == (
        read(two, one).digest
    )


def test_of_contradicting_edits_the_stricter_holds_from_either_side(home: Path) -> None:
    rows = (
        "93306\t93307\t\t20090101\t*\t1\tx",
        "93307\t93306\t\t20100101\t*\t0\tx",
        "93308\t93309\t\t20090101\t*\t1\tx",
        "93308\t93309\t\t20080101\t*\t0\tx",
        "93350\t93351\t\t20090101\t*\t1\tx",
    )
    taken = read(file_with(home, rows))
    told, *_ = taken.remarks
    assert told.startswith("2 pairs") and "93306/93307" in told
    keep(taken)
    services = sets.load("a").services
    for a, b in (("93306", "93307"), ("93307", "93306"), ("93308", "93309")):
        found = services.pair(a, b, "2024-01-01")
        assert found is not None and found.indicator == 0


def test_the_option_and_the_name_must_tell_one_quarter(home: Path) -> None:
    path = file_with(home, ROWS, "pairs.txt")
    days = ("2025-02-15", "2025-01-01", "2025-03-31")
    assert {read(path, effective=day).effective for day in days} == {"2025-01-01"}
    for day in ("0001-01-01", "2099-01-01", "1995-12-31"):
        with pytest.raises(InputError, match="--effective"):
            read(path, effective=day)
    named = file_with(home, ROWS)
    assert read(named, effective="2024-08-01").effective == "2024-07-01"
    with pytest.raises(InputError, match="it is of NCCI 2024Q3"):
        read(named, effective="2025-01-01")


def test_files_of_two_quarters_or_one_file_twice_are_refused(home: Path) -> None:
    first, other = file_with(home, ROWS), file_with(home, ROWS, "ccipra-v303r0-f1.TXT")
    with pytest.raises(InputError, match="2024Q4"):
        read(first, other)
    with pytest.raises(InputError, match="twice"):
        read(first, first)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("ccipra-v302r0-f1.TXT", "2024-07-01"),
        ("ccipra-v310r0-f4.txt", "2025-01-01"),
        ("medicare-ncci-2025q4-practitioner-services-mue-table.zip", "2025-10-01"),
        ("MCR_MUE_PractitionerServices_Eff_04-01-2026.csv", "2026-04-01"),
        ("pairs.txt", None),
    ],
)
def test_file_names_tell_the_quarter(text: str, when: str | None) -> None:
    assert quarter_of(text) == when
    assert when is None or edition(when) == f"NCCI {when[:4]}Q{(int(when[5:7]) + 2) // 3}"


def test_a_damaged_file_of_a_set_is_told_in_one_line(home: Path) -> None:
    keep(read(file_with(home, ROWS)))
    part = folders.need("a").parts["ncci"]
    path = folders.home() / "a" / part.stored["since"]
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(TableError, match="damaged"):
        table()
    assert folders.damaged("a", part) == [path.name]


def test_an_interrupted_import_leaves_the_old_set(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(read(file_with(home, ROWS[:2])))
    before = sorted(path.name for path in (folders.home() / "a").iterdir())
    write = folders._write

    def interrupted(path: Path, content: bytes) -> None:
        if path.name == folders.MANIFEST:
            path.with_name(path.name + ".tmp").write_bytes(content[:10])
            raise KeyboardInterrupt
        write(path, content)

    monkeypatch.setattr(folders, "_write", interrupted)
    for name in ("a", "new"):
        with pytest.raises(KeyboardInterrupt):
            keep(read(file_with(home, ROWS)), name)
    assert sorted(path.name for path in (folders.home() / "a").iterdir()) == before
    assert len(table()) == 2
    assert folders.names() == ["a"] and not (folders.home() / "new").exists()


def test_only_what_imports_made_is_removed(home: Path) -> None:
    keep(read(file_with(home, ROWS)))
    folders.remove("a")
    assert folders.names() == [] and not (folders.home() / "a").exists()
    keep(read(file_with(home, ROWS)))
    own = folders.home() / "a" / "thesis.txt"
    own.write_text("mine")
    with pytest.raises(InputError, match=r"thesis\.txt, left there"):
        folders.remove("a")
    assert [path.name for path in own.parent.iterdir()] == ["thesis.txt"]
    with pytest.raises(InputError, match="holds other files"):
        keep(read(file_with(home, ROWS)))
    for name in ("b", "../a", ".", ""):
        with pytest.raises(InputError):
            folders.remove(name)
    assert own.read_text() == "mine"


def test_lookups_agree_with_a_plain_reading_of_a_large_set(home: Path) -> None:
    paths = load_sample().write(home, 2_500_000 if FULL else 60_000)  # type: ignore[attr-defined]
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    keep(read(*map(str, paths)))
    seconds = time.perf_counter() - start
    assert seconds < 60
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_000_000  # kB
    rng = random.Random(1)
    plain: dict[tuple[str, str], set[tuple[str, str, str]]] = {}
    for path in paths:
        for line in path.read_text("cp1252").splitlines():
            fields = line.split("\t")
            if len(fields[0]) == 5 and (not FULL or rng.random() < 0.05):
                key = (fields[0], fields[1])
                plain.setdefault(key, set()).add((fields[3], fields[4], fields[5]))
    found = table()
    if not FULL:
        assert len(found) == sum(map(len, plain.values()))
    keys = rng.sample(sorted(plain), 5_000)
    start = time.perf_counter()
    answers = [found.search(a, b) for a, b in keys]
    each = (time.perf_counter() - start) / len(keys)
    assert each < 100e-6
    for key, rows in zip(keys, answers, strict=True):
        told = {
            (str(r.since), "*" if r.until == ptp.OPEN else str(r.until), str(r.indicator))
            for r in rows
            if (r.column1, r.column2) == key
        }
        assert told == plain[key]


def test_opening_a_set_does_not_load_it(home: Path) -> None:
    paths = load_sample().write(home, 200_000)  # type: ignore[attr-defined]
    keep(read(*map(str, paths)))
    tracemalloc.start()
    try:
        found = table()
        for number in range(1_000):
            found.rows("93306", f"{93000 + number}")
        assert len(found) > 190_000
        assert tracemalloc.get_traced_memory()[1] < 600_000  # bytes
    finally:
        tracemalloc.stop()
