"""Bad input is one clear line, and nothing is lost."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from casegen.exports.manifest import NAME
from casegen.exports.recipe import Recipe
from casegen.exports.shard import WORK
from casegen.exports.writer import export
from casegen.schemas import InputError

from .conftest import ROLLOUT, Cli, Exported

SMALL = ("--cases", 20, "--seed", 7, "--config", "cases", "--family", "audit")


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_command_tells_what_it_wrote(cli: Cli, tmp_path: Path) -> None:
    told = cli("export", tmp_path / "out", *SMALL)
    assert (told.status, told.err) == (0, "")
    lines = told.out.splitlines()
    assert lines[0].split() == ["configuration", "split", "rows", "shards", "MB"]
    assert lines[1].split()[:4] == ["cases", "train", "16", "1"]
    again = cli("export", tmp_path / "out", *SMALL, "--resume", "--json")
    data = orjson.loads(again.out)
    assert {split: found["rows"] for split, found in data["configs"]["cases"].items()} == {
        "train": 16,
        "validation": 2,
        "test": 2,
    }


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--config", "nonsense"), "--config: 'nonsense': one of cases, trajectories"),
        (("--family", "nonsense"), "--family: 'nonsense': one of audit"),
        (("--cases", 0), "--cases: 0"),
        (("--cases", -5), "--cases: -5"),
        (("--seed", -1), "seed: -1"),
        (("--seed", 2**64), "seed: "),
        (("--jobs", 0), "--jobs: 0"),
        (("--shard-cases", 0), "--shard-cases: 0"),
        (("--difficulty", "nonsense"), "difficulty: 'nonsense'"),
        (("--tables", "nonsense"), "nonsense"),
        (("--resume", "--overwrite"), "--overwrite"),
    ],
)
def test_what_can_not_be_taken_is_named_and_nothing_is_written(
    cli: Cli, tmp_path: Path, arguments: tuple[object, ...], told: str
) -> None:
    assert told in cli("export", tmp_path / "out", *SMALL, *arguments).complaint()
    assert not (tmp_path / "out").exists()


def test_a_seed_must_be_named(cli: Cli, tmp_path: Path) -> None:
    assert "--seed" in cli("export", tmp_path / "out").complaint()


def test_a_folder_with_other_files_is_left_alone(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    for more in ((), ("--overwrite",), ("--resume",)):
        assert str(tmp_path) in cli("export", tmp_path, *SMALL, *more).complaint()
    assert contents(tmp_path) == {tmp_path / "thesis.txt": b"years of work"}


def test_a_file_is_no_folder(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert "is no folder" in cli("export", tmp_path / "file", *SMALL).complaint()
    assert "is no folder" in cli("push", tmp_path / "file", "a/b").complaint()


def test_an_export_is_kept_unless_it_is_to_be_replaced(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert cli("export", out, *SMALL).status == 0
    before = contents(out)
    assert "--resume goes on with it" in cli("export", out, *SMALL).complaint()
    assert contents(out) == before
    (out / "mine.txt").write_text("kept")
    told = cli("export", out, "--cases", 10, "--seed", 7, "--config", "cases", "--overwrite")
    assert told.status == 0
    assert (out / "mine.txt").read_text() == "kept"
    assert orjson.loads((out / NAME).read_bytes())["recipe"]["cases"] == 10


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--seed", 8), "--seed: 8: the export in "),
        (("--cases", 21), "--cases: 21"),
        (("--config", "cases", "--config", "steps"), "--config: 'cases, steps': the export in "),
        (("--difficulty", "hard"), "--difficulty: 'hard': the export in "),
    ],
)
def test_another_recipe_does_not_go_on_with_an_export(
    cli: Cli, tmp_path: Path, arguments: tuple[object, ...], told: str
) -> None:
    out = tmp_path / "out"
    assert cli("export", out, *SMALL).status == 0
    before = contents(out)
    assert told in cli("export", out, *SMALL, *arguments, "--resume").complaint()
    assert contents(out) == before


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"format": "other"}', b"\xff"])
def test_a_damaged_manifest_is_told_and_kept(cli: Cli, tmp_path: Path, text: bytes) -> None:
    out = tmp_path / "out"
    assert cli("export", out, *SMALL).status == 0
    (out / NAME).write_bytes(text)
    before = contents(out)
    assert NAME in cli("export", out, *SMALL, "--resume").complaint()
    assert NAME in cli("push", out, "a/b").complaint()
    assert contents(out) == before


def test_a_path_in_a_manifest_does_not_lead_out_of_the_export(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert cli("export", out, *SMALL).status == 0
    (tmp_path / "secret").write_bytes(b"x")
    data = orjson.loads((out / NAME).read_bytes())
    data["pieces"][0]["files"]["cases"]["path"] = "../secret"
    (out / NAME).write_bytes(orjson.dumps(data))
    assert "../secret" in cli("push", out, "a/b", "--dry-run").complaint()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_is_one_line_and_what_is_whole_stays(tmp_path: Path, jobs: int) -> None:
    def no_file_above_100_kb() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    command = [sys.executable, "-m", "casegen", "export", tmp_path / "out", "--config", "cases"]
    command += ["--seed", "7", "--cases", "400", "--shard-cases", "200"]
    full = subprocess.run(
        [*map(str, command), "--jobs", str(jobs)],
        preexec_fn=no_file_above_100_kb,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (full.returncode, full.stdout) == (2, "")
    assert full.stderr.count("\n") == 1, full.stderr
    assert "too large" in full.stderr
    assert "--resume goes on" in full.stderr
    assert list((tmp_path / "out" / WORK).glob("*.part")) == []
    again = subprocess.run([*map(str, command), "--resume"], capture_output=True, check=False)
    assert (again.returncode, again.stderr) == (0, b"")


def test_a_link_is_followed_and_one_to_nowhere_is_told(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert cli("export", tmp_path / "link", *SMALL).status == 0
    assert (tmp_path / "real" / NAME).is_file()
    (tmp_path / "dangling").symlink_to("nowhere")
    assert (
        "is a link that leads nowhere" in cli("export", tmp_path / "dangling", *SMALL).complaint()
    )
    assert not (tmp_path / "nowhere").exists()


def test_what_never_began_does_not_promise_to_go_on(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    told = cli("export", tmp_path / "file" / "out", *SMALL).complaint()
    assert told == f"casegen: DIR: '{tmp_path}/file/out': Not a directory\n"


def test_a_name_given_twice_counts_once(cli: Cli, tmp_path: Path) -> None:
    twice = ("--config", "cases", "--family", "audit", "--family", "audit")
    assert cli("export", tmp_path / "out", *SMALL, *twice).status == 0
    recipe = orjson.loads((tmp_path / "out" / NAME).read_bytes())["recipe"]
    assert (recipe["configs"], recipe["families"]) == (["cases"], ["audit"])


def test_more_shards_than_a_manifest_can_name_are_refused_with_the_mend(
    cli: Cli, tmp_path: Path
) -> None:
    many = ("--cases", 10**9, "--seed", 7)
    told = cli("export", tmp_path / "out", *many).complaint()
    assert "--shard-cases: 500: " in told
    assert "take 50000 or more" in told
    assert not (tmp_path / "out").exists()


def test_an_export_that_was_killed_while_it_cleared_another_is_replaced(
    cli: Cli, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert cli("export", out, *SMALL).status == 0
    (out / NAME).unlink()
    (out / WORK).mkdir()
    (out / WORK / "lock").touch()
    assert "is not empty; --overwrite replaces it" in cli("export", out, *SMALL).complaint()
    assert "is half cleared" in cli("export", out, *SMALL, "--resume").complaint()
    assert cli("export", out, *SMALL, "--overwrite").status == 0


def test_an_export_of_another_version_is_told(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert cli("export", out, *SMALL).status == 0
    data = orjson.loads((out / NAME).read_bytes())
    (out / NAME).write_bytes(orjson.dumps({**data, "casegen": "0.0.9"}))
    told = cli("export", out, *SMALL, "--resume").complaint()
    assert "begun by version 0.0.9; go on with that, or name another folder" in told
    (out / NAME).write_bytes(orjson.dumps({**data, "format": "casegen-export-v9"}))
    for command in (("export", out, *SMALL, "--resume"), ("report", out), ("push", out, "a/b")):
        assert "'casegen-export-v9': written by another version" in cli(*command).complaint()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_can_not_be_written_is_named(cli: Cli, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert str(tmp_path) in cli("export", tmp_path / "out", *SMALL).complaint()


def test_a_defect_in_a_worker_is_told_by_its_words(tmp_path: Path) -> None:
    recipe = Recipe(20, 7, configs=("steps",), shard=5)
    with pytest.raises(Exception, match="no_such_module"):
        export(recipe, tmp_path / "out", jobs=2, rollout="no_such_module:rollout")


def test_no_finished_export_can_not_be_pushed(cli: Cli, tmp_path: Path, exported: Exported) -> None:
    assert "holds no manifest.json" in cli("push", tmp_path, "a/b").complaint()
    out = shutil.copytree(exported.folder, tmp_path / "out")
    (out / WORK).mkdir()
    assert "is not finished" in cli("push", out, "a/b").complaint()


def test_a_worker_that_is_killed_is_told(tmp_path: Path) -> None:
    recipe = Recipe(20, 7, configs=("steps",), shard=5)
    with pytest.raises(Exception, match="--resume goes on"):
        export(recipe, tmp_path / "out", jobs=2, rollout="playing:dies")
    assert list((tmp_path / "out" / WORK).glob("*.part")) == []
    with pytest.raises(InputError, match="--resume goes on with it"):
        export(recipe, tmp_path / "out", rollout=ROLLOUT)
    export(recipe, tmp_path / "out", resume=True, rollout=ROLLOUT)


def test_schemas_that_are_not_of_an_export_stay(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = ("export", out, "--cases", "2", "--seed", "7", "--config", "cases")
    assert cli(*options).status == 0
    (out / "schemas" / "mine.schema.json").write_text("{}", encoding="utf-8")
    assert cli(*options, "--overwrite").status == 0
    assert (out / "schemas" / "mine.schema.json").read_text(encoding="utf-8") == "{}"
    elsewhere = tmp_path / "elsewhere"
    (out / "schemas").rename(elsewhere)
    (out / "schemas").symlink_to(elsewhere)
    assert "schemas" in cli(*options, "--overwrite").complaint()
    assert len(list(elsewhere.iterdir())) == 4
