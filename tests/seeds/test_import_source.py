"""Files as users give them: archives, pipes, and what is too large."""

from __future__ import annotations

import gzip
import os
import zipfile
from pathlib import Path

import pytest

from casegen.schemas import InputError
from casegen.seeds.imports import ncci, source

NAME = "ccipra-v302r0-f1.TXT"


def read(path: str, effective: str | None = None) -> None:
    ncci.read([path], effective, lambda steps: None)


def test_archives_that_python_cannot_read_are_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "ccipra-v302r0-f1.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "93306\t93307\t\t20090101\t*\t1\tx\n")
    good = path.read_bytes()
    entry = good.rfind(b"PK\1\2")
    later, name = bytearray(good), bytearray(good)
    later[entry + 6] = 99  # the version that is needed to unpack it
    name[entry + 9] |= 8  # the name is said to be UTF-8
    name[entry + 46] = 0xFF
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.txt", "x" * 5000)
    packed = bytearray(path.read_bytes())
    packed[50:60] = bytes(byte ^ 0xFF for byte in packed[50:60])
    for content in (later, name, packed):
        path.write_bytes(content)
        with pytest.raises(InputError, match="damaged"):
            read(str(path))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_in_an_archive_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "ccipra-v302r0-f1.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for _ in range(2):
            archive.writestr("a.txt", "x")
    with pytest.raises(InputError, match=r"two files of the name a\.txt"):
        read(str(path))


def test_what_can_be_read_only_once_is_refused(tmp_path: Path) -> None:
    path = tmp_path / NAME
    os.mkfifo(path)
    for one in (str(path), "/dev/zero"):
        with pytest.raises(InputError, match="pipe or a device"):
            read(one, effective="2024-07-01")


def test_an_archive_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "MOST_LINES", 10_000)
    path = tmp_path / "ccipra-v302r0-f1.txt.gz"
    path.write_bytes(gzip.compress(b"\0" * 1_000_000))
    with pytest.raises(InputError, match="10,000 bytes when unpacked"):
        read(str(path))


def test_workbooks_and_strange_archives_are_refused(tmp_path: Path) -> None:
    for inside, told in (
        ("xl/workbook.xml", "Excel"),
        ("a.xlsx", "only workbooks"),
        ("a.xlsx", "save the sheet in the spreadsheet program as Text"),
        ("readme.pdf", "holds no .txt"),
    ):
        path = tmp_path / "ccipra-v302r0-f1.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(inside, b"x")
        with pytest.raises(InputError, match=told):
            read(str(path))
