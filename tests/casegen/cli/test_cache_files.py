"""The cache that every command reads: what lies there in place of its files, and old sources."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from casegen.seeds import filecache
from casegen.seeds.icd10cm import cache

SECTIONS = {"core": b"one"}


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


@pytest.mark.skipif(sys.platform == "win32", reason="ctime is the birth of a file there")
def test_a_source_with_its_old_size_and_time_is_noticed(
    tmp_path: Path, build: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "edits.csv"
    source.write_text("A00,2015")
    monkeypatch.setattr(cache, "source_paths", lambda: [source])
    cache.load_or_build("t", tmp_path, build)
    before = source.stat()
    time.sleep(0.02)
    source.write_text("A00,2016")
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    cache.load_or_build("t", tmp_path, build)
    assert build.runs == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_place_of_the_file_holds_nobody_up(tmp_path: Path, build: Builder) -> None:
    cache.load_or_build("t", tmp_path, build)
    (path,) = tmp_path.glob("*.bin")
    path.unlink()
    os.mkfifo(path)
    assert cache.load_or_build("t", tmp_path, build) == SECTIONS
    assert path.is_file()
    other = filecache.path_for(str(tmp_path), "other", "0" * 64)
    os.mkfifo(other)
    assert filecache.read(other) is None
    filecache.write(other, [1])
    assert filecache.read(other) == [1]
