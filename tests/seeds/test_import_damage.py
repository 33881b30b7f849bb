"""Sets whose files or manifests were changed behind casegen's back: told of, never used."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from casegen.schemas import CasegenError, InputError, TableError
from casegen.seeds.imports import checksums, cpt, folders, mue, ncci, sets
from casegen.seeds.imports.model import Taken

ROWS = "93306\t93307\t\t20090101\t*\t9\tx\n93306\t93308\t\t20090101\t*\t1\ty\n"
MUE = "HCPCS/CPT Code,Practitioner Services MUE Values\n93306,9\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CASEGEN_TABLES", str(tmp_path / "tables"))
    monkeypatch.chdir(tmp_path)
    keep(pairs())
    keep(units())
    return tmp_path / "tables" / "a"


def keep(taken: Taken, name: str = "a") -> None:
    with folders.keeping(name) as folder:
        folders.commit(folder, folders.read_manifest(name), taken)


def pairs(rows: str = ROWS, name: str = "ccipra-v310r0-f1.TXT") -> Taken:
    Path(name).write_text(rows)
    return ncci.read([name], None, lambda steps: None)


def units() -> Taken:
    Path("mue-2025q1.csv").write_text(MUE)
    return mue.read(["mue-2025q1.csv"], None)


def stored(home: Path, kind: str, role: str) -> Path:
    return home / folders.need("a").parts[kind].stored[role]


def change(path: Path, old: bytes, new: bytes) -> None:
    """Other content of the same length, under the old time."""
    found = path.stat()
    raw = path.read_bytes()
    assert old in raw and len(old) == len(new)
    path.write_bytes(raw.replace(old, new))
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


@pytest.mark.parametrize("small", [0, 1 << 18])  # read once a change; read each time
def test_other_content_of_the_same_length_is_damage(
    home: Path, monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    monkeypatch.setattr(checksums, "_SMALL", small)
    assert sets.load("a").services.mue("93306") == 9
    sets._load.cache_clear()
    change(stored(home, "mue", "units"), b"9}", b"3}")
    with pytest.raises(TableError, match="damaged"):
        sets.load("a")
    change(stored(home, "mue", "units"), b"3}", b"9}")
    change(stored(home, "ncci", "marks"), b"\x09\x01", b"\x01\x01")
    with pytest.raises(TableError, match=r"damaged.*ccipra-v310r0-f1\.TXT"):
        sets.load("a")


def test_a_large_file_is_read_once_for_each_change(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checksums, "_SMALL", 0)
    part = folders.need("a").parts["ncci"]
    read: list[str] = []
    digest = checksums._digest

    def noted(path: Path) -> str:
        read.append(path.name)
        return digest(path)

    monkeypatch.setattr(checksums, "_digest", noted)
    for _ in range(3):
        folders.file_of("a", part, "keys")
    assert read == [part.stored["keys"]]
    for spoilt in ("", "[]", "{"):
        (home / checksums.REMEMBERED).write_text(spoilt)
        folders.file_of("a", part, "keys")
    assert len(read) == 4
    folders.remove("a")
    assert not home.exists()


@pytest.mark.parametrize("shorter", [False, True])
def test_damaged_pairs_are_replaced_and_never_joined(home: Path, shorter: bool) -> None:
    path = stored(home, "ncci", "keys")
    raw = path.read_bytes()
    path.write_bytes(raw[:-1] if shorter else b"\0" + raw[1:])
    units_path = stored(home, "mue", "units")
    units_path.unlink()
    old = folders.need("a")
    assert folders.damaged("a", old.parts["ncci"]) == [path.name]
    assert sets.sound(old) == {}
    with pytest.raises(TableError, match="damaged"):
        sets.with_pairs("a", old.parts["ncci"], pairs())
    keep(sets.in_place_of(pairs(), old))
    assert list(sets.sound(folders.need("a"))) == ["ncci"]
    keep(units())
    assert len(sets.sound(folders.need("a"))) == 2


def test_a_replacement_names_the_files_that_are_still_to_come(home: Path) -> None:
    keep(
        sets.with_pairs(
            "a", folders.need("a").parts["ncci"], pairs(ROWS[:34], "ccipra-v310r0-f2.TXT")
        )
    )
    old = folders.need("a")
    *_, told = sets.in_place_of(pairs(), old).remarks
    assert "ccipra-v310r0-f2.TXT is gone" in told and "f1" not in told


def broken(good: dict[str, Any]) -> list[Any]:
    part = good["parts"]["ncci"]

    def with_part(**more: Any) -> Any:
        return {**good, "parts": {"ncci": {**part, **more}}}

    name = part["stored"]["keys"]
    return [
        None, [], {}, {**good, "format": 99}, {**good, "parts": []}, {**good, "parts": {"x": part}},
        {**good, "parts": {"ncci": []}}, with_part(stored={}), with_part(stored=[]),
        with_part(files={}), with_part(files=[]), with_part(counts={"pairs": "many"}),
        with_part(counts={"pairs": True}), with_part(sources=[{}]), with_part(sources={}),
        with_part(effective=None), with_part(digest=7), with_part(facts=[]),
        with_part(files={**part["files"], name: {"bytes": "1", "sha256": "x"}}),
        with_part(files={**part["files"], "../x": {"bytes": 1, "sha256": "x"}}),
    ]  # fmt: skip


def test_a_manifest_of_wrong_types_is_told_in_one_line_and_can_be_removed(home: Path) -> None:
    keep(cpt_texts(), "b")
    path = home / folders.MANIFEST
    good = json.loads(path.read_text())
    for bad in broken(good):
        path.write_text(json.dumps(bad))
        with pytest.raises(TableError, match=r"no manifest of an import.*import remove a") as told:
            folders.need("a")
        assert "\n" not in str(told.value)
    assert folders.names() == ["a", "b"]
    folders.remove("a")
    assert folders.names() == ["b"]


def cpt_texts() -> Taken:
    Path("texts.txt").write_text("93306\tOne")
    return cpt.read(["texts.txt"])


def test_a_pipe_in_place_of_a_file_never_hangs(home: Path) -> None:
    path = stored(home, "ncci", "keys")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(TableError, match="no regular file"):
        sets.ptp_of("a", folders.need("a").parts["ncci"])
    (home / folders.MANIFEST).unlink()
    os.mkfifo(home / folders.MANIFEST)
    with pytest.raises(TableError, match="no regular file"):
        folders.need("a")


def test_a_set_that_is_a_link_is_read_and_never_changed(home: Path) -> None:
    home.rename(home.parent / "real")
    home.symlink_to("real", target_is_directory=True)
    assert sets.load("a").services.mue("93306") == 9
    with pytest.raises(InputError, match="symbolic link"):
        keep(units())
    with pytest.raises(InputError, match="symbolic link"):
        folders.remove("a")
    assert folders.names() == ["a", "real"]


def test_a_copied_set_goes_by_the_name_of_its_folder(home: Path) -> None:
    import shutil

    shutil.copytree(home, home.parent / "copy")
    assert folders.need("copy").name == "copy"


@pytest.mark.parametrize("name", ["A", "Bundled", "ICD10CM-2026-04", "con", "NUL.txt", "a."])
def test_a_new_name_is_one_of_its_own_on_every_system(home: Path, name: str) -> None:
    with pytest.raises(InputError):
        keep(units(), name)
    assert folders.names() == ["a"]


def test_a_file_in_place_of_the_folder_of_sets_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CASEGEN_TABLES", str(Path("mue-2025q1.csv")))
    for ask in (folders.names, lambda: folders.need("a"), lambda: keep(units())):
        with pytest.raises(CasegenError, match="CASEGEN_TABLES"):
            ask()


def test_rationales_of_joined_pairs_stay_within_their_numbers(home: Path) -> None:
    def many(start: int, name: str) -> Taken:
        rows = (f"{10000 + n}\t99999\t\t20090101\t*\t1\tr{start + n}\n" for n in range(40_000))
        return pairs("".join(rows), name)

    keep(many(0, "ccipra-v310r0-f1.TXT"), "b")
    new = many(40_000, "ccipra-v310r0-f2.TXT")
    with pytest.raises(InputError, match="rationales"):
        sets.with_pairs("b", folders.need("b").parts["ncci"], new)
