"""Files that are not the export's own stay, and what stands in its way is named first."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from casegen.exports.card import NAME as CARD
from casegen.exports.croissant import NAME as METADATA
from casegen.exports.manifest import NAME
from casegen.exports.shard import WORK

from .conftest import Cli, Exported

SMALL = ("--cases", 20, "--seed", 7, "--config", "cases", "--family", "audit")
SHARD = "data/cases/train-00000-of-00001.parquet"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small export, not to be changed."""
    from casegen.exports.recipe import Recipe
    from casegen.exports.writer import export

    folder = tmp_path_factory.mktemp("small") / "out"
    export(Recipe(20, 7, families=("audit",), configs=("cases",)), folder)
    return folder


@pytest.fixture
def out(small: Path, tmp_path: Path) -> Path:
    return shutil.copytree(small, tmp_path / "out")


def held(folder: Path) -> dict[str, bytes]:
    """What a folder holds, by name; what is no file with its kind."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else b"-"
        for path in folder.rglob("*")
    }


def test_overwriting_removes_what_has_the_name_of_a_shard_and_nothing_else(
    cli: Cli, out: Path
) -> None:
    own = ("data/cases/mine.parquet", "data/mine/train-00000-of-00001.parquet", "data/notes.txt")
    (out / "data" / "mine").mkdir()
    (out / "data" / "empty").mkdir()
    for name in own:
        (out / name).write_text("years of work")
    (out / "data/cases/train-00003-of-00007.parquet").write_text("of an older export")
    assert cli("export", out, *SMALL, "--overwrite").status == 0
    for name in own:
        assert (out / name).read_text() == "years of work"
    assert (out / "data" / "empty").is_dir()
    assert not (out / "data/cases/train-00003-of-00007.parquet").exists()


@pytest.mark.parametrize("name", ["data", "data/cases", "data/steps", WORK])
def test_no_export_writes_or_removes_through_a_linked_folder(
    cli: Cli, out: Path, tmp_path: Path, name: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    if (out / name).exists():
        (out / name).rename(elsewhere)
    else:
        elsewhere.mkdir()
        (elsewhere / "train-00000-of-00001.parquet").write_text("of another export")
    (out / name).symlink_to(elsewhere)
    before = held(out), held(elsewhere)
    for how in ("--overwrite", "--resume"):
        if (name, how) == ("data/steps", "--resume"):
            continue  # this export has no rows there
        told = cli("export", out, *SMALL, how).complaint()
        assert f"DIR: '{out / name}': is a link, and an export keeps its files" in told
        assert (held(out), held(elsewhere)) == before
    (out / name).unlink()
    assert cli("export", out, *SMALL, "--overwrite").status == 0


def test_a_linked_shard_is_replaced_and_what_it_led_to_stays(
    cli: Cli, out: Path, tmp_path: Path
) -> None:
    (tmp_path / "far").write_text("kept")
    (out / SHARD).unlink()
    (out / SHARD).symlink_to(tmp_path / "far")
    assert cli("export", out, *SMALL, "--resume").status == 0
    assert not (out / SHARD).is_symlink()
    assert (tmp_path / "far").read_text() == "kept"


@pytest.mark.parametrize(
    "name", [SHARD, "data/steps/test-00000-of-00003.parquet", CARD, METADATA, f"{WORK}/lock"]
)
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_stands_in_the_place_of_a_file_is_named_before_anything_is_removed(
    cli: Cli, out: Path, name: str, make: Callable[[Path], None]
) -> None:
    place = out / name
    place.unlink(missing_ok=True)
    place.parent.mkdir(exist_ok=True)
    make(place)
    before = held(out)
    for how in ("--overwrite", "--resume"):
        if (name.startswith("data/steps"), how) == (True, "--resume"):
            continue  # this export has no rows there
        told = cli("export", out, *SMALL, how).complaint()
        assert f"DIR: '{place}': is " in told
        assert "move it away" in told
        assert held(out) == before
    place.rmdir() if place.is_dir() else place.unlink()
    assert cli("export", out, *SMALL, "--overwrite").status == 0


def test_a_file_in_the_place_of_a_folder_is_named(cli: Cli, out: Path, tmp_path: Path) -> None:
    (out / WORK).write_text("x")
    for command in (
        ("export", out, *SMALL, "--resume"),
        ("export", out, *SMALL, "--overwrite"),
        ("report", out),
        ("push", out, "a/b"),
    ):
        told = cli(*command).complaint()
        assert f"'{out / WORK}': is no folder, and one of the export goes there; move it" in told
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / WORK).write_text("x")
    told = cli("export", tmp_path / "new", *SMALL).complaint()
    assert f"'{tmp_path / 'new' / WORK}': is no folder" in told


def test_a_lock_that_is_a_link_empties_no_file(cli: Cli, out: Path, tmp_path: Path) -> None:
    (tmp_path / "far").write_text("kept")
    (out / WORK).mkdir()
    (out / WORK / "lock").symlink_to(tmp_path / "far")
    told = cli("export", out, *SMALL, "--overwrite").complaint()
    assert f"'{out / WORK / 'lock'}': is no file" in told
    assert (tmp_path / "far").read_text() == "kept"


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_under_the_name_of_the_manifest_is_told_at_once(
    cli: Cli, out: Path, make: Callable[[Path], None]
) -> None:
    (out / NAME).unlink()
    make(out / NAME)
    for command in (("report", out), ("push", out, "a/b", "--dry-run")):
        told = cli(*command).complaint()
        assert f"{out / NAME}: manifest: is " in told
        assert "move it away" in told


@pytest.mark.parametrize("text", [b"", b'{"recipe": {"ca'])
def test_a_torn_manifest_is_told_with_the_way_on(cli: Cli, out: Path, text: bytes) -> None:
    (out / NAME).write_bytes(text)
    for command in (("export", out, *SMALL, "--resume"), ("report", out), ("push", out, "a/b")):
        told = cli(*command).complaint()
        assert told.startswith(f"casegen: {out / NAME}: ")
        assert "; casegen export --overwrite makes the export anew" in told
    assert cli("export", out, *SMALL, "--overwrite").status == 0


def test_a_manifest_torn_at_the_very_end_of_an_export_costs_no_rows(cli: Cli, out: Path) -> None:
    whole = held(out)
    (out / WORK).mkdir()
    (out / WORK / "export.json").write_bytes(whole[NAME])
    (out / NAME).write_bytes(b"")
    assert cli("export", out, *SMALL, "--resume").status == 0
    assert held(out) == whole


# --- what a manifest tells


def _put(value: object, *place: Any) -> Callable[[Any], None]:
    """A change: the value at a place."""

    def change(data: Any) -> None:
        for key in place[:-1]:
            data = data[key]
        data[place[-1]] = value

    return change


def _twice(data: Any) -> None:
    data["pieces"][1] = data["pieces"][0]


EPISODES = ("pieces", 0, "scores", "noisy")
CHANGES = [
    (_put(5, "pieces", 0, "files", "cases", "rows"), "rows, and the manifest tells of 5"),
    (_put(-1, "pieces", 0, "files", "cases", "rows"), "pieces[0].files.cases.rows: -1: must be 0"),
    (_put(-1, "pieces", 0, "files", "cases", "memory"), "pieces[0].files.cases.memory: -1"),
    (_put({}, *EPISODES), "pieces[0].scores.noisy: 0: must be of "),
    (_put({"easy": {"episodes": 0, "score": 0.0}}, *EPISODES), "noisy.easy.episodes: 0: must be 1"),
    (_put({"easy": {"episodes": 9, "score": 99.0}}, *EPISODES), "noisy.easy.score: 99.0: must be"),
    (_put({"easy": {"episodes": 9, "score": -1.0}}, *EPISODES), "noisy.easy.score: -1.0: must be"),
    (_put({"odd": {"episodes": 9, "score": 1.0}}, *EPISODES), "noisy.odd: no such difficulty"),
    (_put({}, "pieces", 0, "scores"), "pieces[0].scores: "),
    (_put({}, "pieces", 0, "files"), "pieces[0].files: "),
    (_put(3, "pieces", 0, "hi"), "pieces[0]: 'train-00000-of-"),
    (_put([], "pieces"), "pieces: 0: its recipe makes "),
    (_put({}, "tables"), "tables: "),
    (_twice, "pieces[1]: 'train-00000-of-"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "told"), CHANGES)
def test_a_manifest_that_tells_what_can_not_be_is_refused(
    cli: Cli, exported: Exported, tmp_path: Path, change: Callable[[Any], None], told: str
) -> None:
    folder = shutil.copytree(exported.folder, tmp_path / "out")
    data = orjson.loads((folder / NAME).read_bytes())
    change(data)
    (folder / NAME).write_bytes(orjson.dumps(data))
    for command in (("report", folder), ("push", folder, "a/b", "--dry-run")):
        assert told in cli(*command).complaint()
    assert not (folder / "report.html").exists()


@pytest.mark.parametrize("number", [b"NaN", b"1e999"])
def test_a_score_that_is_no_number_is_refused(
    cli: Cli, exported: Exported, tmp_path: Path, number: bytes
) -> None:
    folder = shutil.copytree(exported.folder, tmp_path / "out")
    data = (folder / NAME).read_bytes()
    assert b'"score": ' in data
    head, _, rest = data.partition(b'"score": ')
    (folder / NAME).write_bytes(head + b'"score": ' + number + rest[rest.index(b"\n") :])
    assert "score: " in cli("report", folder).complaint()


def test_resuming_makes_again_what_a_manifest_tells_wrongly(
    exported: Exported, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from casegen.exports.writer import export

    from .conftest import ROLLOUT

    folder = shutil.copytree(exported.folder, tmp_path / "out")
    data = orjson.loads((folder / NAME).read_bytes())
    data["pieces"][0]["files"]["cases"]["rows"] += 1
    data["pieces"][1]["scores"]["noisy"] = {"easy": {"episodes": 0, "score": 0.0}}
    (folder / NAME).write_bytes(orjson.dumps(data))
    manifest = export(exported.recipe, folder, resume=True, rollout=ROLLOUT)
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert all(line.endswith("; its cases are made again") for line in told)
    assert manifest == exported.manifest
    assert held(folder) == held(exported.folder)


# --- push


@pytest.mark.parametrize("name", [CARD, METADATA, NAME, SHARD, "data", "data/cases"])
def test_nothing_is_sent_through_a_link(cli: Cli, out: Path, tmp_path: Path, name: str) -> None:
    (out / name).rename(tmp_path / "far")
    (out / name).symlink_to(tmp_path / "far")
    told = cli("push", out, "a/b", "--dry-run").complaint()
    assert "is a link" in told
    assert name in told


def test_a_stranger_deep_among_the_shards_is_refused(cli: Cli, out: Path) -> None:
    (out / "data" / "cases" / "deep").mkdir()
    (out / "data" / "cases" / "deep" / "x.parquet").write_text("x")
    told = cli("push", out, "a/b", "--dry-run").complaint()
    assert "'data/cases/deep/x.parquet': is not of this export" in told


def test_changed_metadata_are_refused_and_a_card_may_be_edited(cli: Cli, out: Path) -> None:
    with (out / CARD).open("a") as stream:
        stream.write("\nMade for our course.\n")
    assert cli("push", out, "a/b", "--dry-run").status == 0
    (out / METADATA).write_text("{}")
    told = cli("push", out, "a/b", "--dry-run").complaint()
    assert f"{METADATA}': is not as it was written; casegen export --resume writes it" in told
    assert cli("export", out, *SMALL, "--resume").status == 0
    assert cli("push", out, "a/b", "--dry-run").status == 0
