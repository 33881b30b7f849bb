"""The cache of compiled tables: built once, checked, mended, shared, and never required."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from casegen.seeds.icd10cm import Tables, cache, load

ROOT = Path(__file__).parents[2]
SECTIONS = {"core": b"one", "notes": b"two" * 1000}


class Builder:
    """Stands in for the compiler and counts its runs."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self) -> dict[str, bytes]:
        self.runs += 1
        return dict(SECTIONS)


@pytest.fixture
def build() -> Builder:
    return Builder()


def only_file(folder: Path) -> Path:
    (path,) = folder.glob("*.bin")
    return path


def test_the_second_start_reads_what_the_first_compiled(tmp_path: Path, build: Builder) -> None:
    for _ in range(3):
        assert cache.load_or_build("t", tmp_path / "new" / "folder", build) == SECTIONS
    assert build.runs == 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda raw: raw[:-1],
        lambda raw: raw[:10],
        lambda raw: b"",
        lambda raw: raw + b"x",
        lambda raw: raw[:-20] + bytes([raw[-20] ^ 1]) + raw[-19:],
        lambda raw: b"CASEGEN?" + raw[8:],
        lambda raw: b"not a table at all " * 100,
    ],
    ids=["truncated", "head only", "empty", "longer", "one bit", "magic", "rubbish"],
)
def test_a_damaged_file_is_built_anew(tmp_path: Path, build: Builder, spoil) -> None:
    cache.load_or_build("t", tmp_path, build)
    path = only_file(tmp_path)
    path.write_bytes(spoil(path.read_bytes()))
    assert cache.load_or_build("t", tmp_path, build) == SECTIONS
    assert build.runs == 2
    assert cache.load_or_build("t", tmp_path, build) == SECTIONS
    assert build.runs == 2


def test_a_changed_source_makes_the_file_old(
    tmp_path: Path, build: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "edits.csv"
    source.write_text("A00,2015")
    monkeypatch.setattr(cache, "source_paths", lambda: [source])
    cache.load_or_build("t", tmp_path, build)
    source.write_text("A00,2016")
    os.utime(source, ns=(1, 1))
    cache.load_or_build("t", tmp_path, build)
    assert build.runs == 2


def test_a_new_time_alone_costs_a_digest_once_and_no_compilation(
    tmp_path: Path, build: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "edits.csv"
    source.write_text("A00,2015")
    monkeypatch.setattr(cache, "source_paths", lambda: [source])
    cache.load_or_build("t", tmp_path, build)
    os.utime(source, ns=(5, 5))
    digests: list[Path] = []
    real = cache._digest
    monkeypatch.setattr(cache, "_digest", lambda path: digests.append(path) or real(path))
    for _ in range(3):
        cache.load_or_build("t", tmp_path, build)
    assert build.runs == 1
    assert digests == [source]


def test_a_missing_or_added_source_makes_the_file_old(
    tmp_path: Path, build: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("1")
    two.write_text("2")
    for number, paths in enumerate(([one], [one, two], [two], [one, two]), start=1):
        monkeypatch.setattr(cache, "source_paths", lambda paths=paths: paths)
        cache.load_or_build("t", tmp_path, build)
        assert build.runs == number


def test_all_that_shapes_the_tables_is_a_source() -> None:
    names = {path.name for path in cache.source_paths()}
    assert {
        "icd10c-tabular-April-1-2026.xml",
        "icd10cm_edits.csv.gz",
        "age_meaning.csv",
        "compile.py",
        "sides.py",
        "notes.py",
    } <= names


@pytest.mark.skipif(sys.platform == "win32", reason="a file as parent is another error there")
def test_without_a_writable_folder_it_works_from_memory_and_says_so(
    tmp_path: Path, build: Builder, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("")
    assert cache.load_or_build("t", blocked / "cache", build) == SECTIONS
    assert build.runs == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("casegen: warning:")
    assert "CASEGEN_CACHE" in said.err
    assert said.err.count("\n") == 1


def test_a_full_disk_costs_no_second_compilation(
    tmp_path: Path,
    build: Builder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "_write", full)
    assert cache.load_or_build("t", tmp_path, build) == SECTIONS
    assert build.runs == 1
    assert "No space left" in capsys.readouterr().err


def test_no_half_written_file_stays_behind(
    tmp_path: Path, build: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fails)
    cache.load_or_build("t", tmp_path, build)
    assert not list(tmp_path.glob("*.tmp"))
    assert not list(tmp_path.glob("*.bin"))


PARALLEL = """
import sys, time
from pathlib import Path
from casegen.seeds.icd10cm import cache
folder = Path(sys.argv[1])
def build():
    with (folder / "runs").open("a") as file:
        file.write("x")
    time.sleep(0.4)
    return {"core": b"one"}
print(cache.load_or_build("t", folder, build))
"""


def test_processes_that_start_together_compile_once(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PARALLEL, str(tmp_path)],
            env=env,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for process in processes:
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (0, "{'core': b'one'}\n", "")
    assert (tmp_path / "runs").read_text() == "x"


def test_the_lock_of_a_dead_process_holds_nobody_up(tmp_path: Path, build: Builder) -> None:
    cache.load_or_build("t", tmp_path, build)
    path = only_file(tmp_path)
    path.unlink()
    assert path.with_suffix(".lock").exists()
    cache.load_or_build("t", tmp_path, build)
    assert build.runs == 2


def test_the_argument_beats_the_variable_and_that_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CASEGEN_CACHE", str(tmp_path / "variable"))
    assert cache.directory(tmp_path / "argument") == tmp_path / "argument"
    assert cache.directory(None) == tmp_path / "variable"
    monkeypatch.delenv("CASEGEN_CACHE")
    assert "casegen" in str(cache.directory(None))


def test_one_process_loads_once() -> None:
    assert load() is load()
    assert isinstance(load(), Tables)


LIGHT = """
import sys
from casegen.seeds.icd10cm import load
tables = load()
tables.status("E11.9", "2026-05-01"), tables.excludes1("E10.9", "E11.9")
tables.resolve("Sciatica", {"side": "right"})
heavy = {"xml.etree.ElementTree", "csv", "gzip", "yaml", "simple_icd_10_cm"}
heavy |= {"casegen.seeds.icd10cm.compile", "casegen.seeds.icd10cm.xml"}
print(sorted(heavy & set(sys.modules)))
"""


def test_a_warm_start_imports_neither_parser_nor_compiler() -> None:
    load()  # so that the cache is warm
    done = subprocess.run(
        [sys.executable, "-c", LIGHT],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout == "[]\n", done.stdout
