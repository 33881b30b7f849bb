"""A killed export goes on and ends with the same rows; shards appear only whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from casegen.exports.manifest import NAME, read_manifest
from casegen.exports.shard import WORK
from casegen.exports.writer import export
from casegen.schemas import InputError

from .conftest import CASES, CONFIGS, HERE, ROLLOUT, Exported

SCRIPT = f"""
import sys
from pathlib import Path
from casegen.exports.recipe import Recipe
from casegen.exports.writer import export
recipe = Recipe({CASES}, 7, configs={CONFIGS!r}, shard=16)
export(recipe, Path(sys.argv[1]), jobs=int(sys.argv[2]), resume=True, rollout={ROLLOUT!r})
"""
Start = Callable[[Path, int], "subprocess.Popen[bytes]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Begin or go on with the export of the recipe in a process, which ends with the test."""
    begun: list[subprocess.Popen[bytes]] = []
    path = os.pathsep.join([HERE, *filter(None, [os.environ.get("PYTHONPATH")])])

    def run(folder: Path, jobs: int) -> subprocess.Popen[bytes]:
        one = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(folder), str(jobs)],
            env={**os.environ, "PYTHONPATH": path},
            stderr=subprocess.PIPE,
        )
        begun.append(one)
        return one

    yield run
    for one in begun:
        if one.poll() is None:
            one.kill()
        one.communicate()


def shards(folder: Path) -> list[Path]:
    return sorted((folder / "data").glob("*/*.parquet"))


def wait_for(told: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Look often, so that the kill comes close behind; give up after a minute."""
    end = time.monotonic() + 60
    while not told() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.001)


def same(folder: Path, whole: Exported) -> None:
    """Fail unless the folder holds the export of one that was never killed."""
    there = {p.relative_to(folder) for p in folder.rglob("*") if p.is_file()}
    assert there == {p.relative_to(whole.folder) for p in whole.folder.rglob("*") if p.is_file()}
    for name in there:
        assert (folder / name).read_bytes() == (whole.folder / name).read_bytes(), name


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_kills_at_many_moments_lose_nothing(
    exported: Exported, tmp_path: Path, start: Start, jobs: int
) -> None:
    folder = tmp_path / "out"
    begun = [
        lambda: (folder / WORK).is_dir(),
        lambda: any((folder / WORK).glob("*.part")),
    ]
    more = [lambda n=n: len(shards(folder)) >= n for n in (1, 4, 8, 11, 15)]
    for moment in (*begun, *more):
        process = start(folder, jobs)
        wait_for(moment, process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        for path in shards(folder):
            assert pq.read_table(path).num_rows > 0
        assert not (folder / NAME).exists()
    process = start(folder, jobs)
    assert process.wait() == 0, process.communicate()[1]
    same(folder, exported)


def test_what_is_whole_is_not_made_again(exported: Exported, tmp_path: Path) -> None:
    folder = copied(exported, tmp_path)
    before = {path: path.stat().st_mtime_ns for path in shards(folder)}
    gone = shards(folder)[0]
    gone.unlink()
    assert export(exported.recipe, folder, resume=True, rollout=ROLLOUT) == exported.manifest
    after = {path: path.stat().st_mtime_ns for path in shards(folder)}
    remade = {path.name for path in after if after[path] != before[path]}
    assert remade == {gone.name}
    same(folder, exported)


@pytest.mark.parametrize("damage", [b"", b"PAR1", None])
def test_a_damaged_shard_is_told_in_one_line_and_made_again(
    exported: Exported, tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: bytes | None
) -> None:
    folder = copied(exported, tmp_path)
    path = shards(folder)[3]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data) if damage is None else damage)
    export(exported.recipe, folder, resume=True, rollout=ROLLOUT)
    told = capsys.readouterr().err
    assert told == f"casegen: {path}: missing or damaged; its cases are made again\n"
    same(folder, exported)


def test_a_torn_entry_of_a_piece_costs_only_that_piece(
    exported: Exported, tmp_path: Path, start: Start
) -> None:
    folder = tmp_path / "out"
    process = start(folder, 1)
    wait_for(lambda: any((folder / WORK).glob("*-of-*.json")), process)
    process.kill()
    process.wait()
    next((folder / WORK).glob("*-of-*.json")).write_bytes(b'{"family":"au')
    export(exported.recipe, folder, resume=True, rollout=ROLLOUT)
    same(folder, exported)


def test_workers_end_with_the_process_that_began_them(tmp_path: Path, start: Start) -> None:
    folder = tmp_path / "out"
    process = start(folder, 2)
    wait_for(lambda: len(list((folder / WORK).glob("*.part"))) >= len(CONFIGS), process)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        pytest.skip("needs Linux")
    workers = [Path("/proc") / pid for pid in children.read_text().split()]
    assert workers
    process.kill()
    process.wait()
    end = time.monotonic() + 30
    while any(map(alive, workers)) and time.monotonic() < end:
        time.sleep(0.05)
    left = [worker for worker in workers if alive(worker)]
    for worker in left:  # they would hold the pipe, and this test with it
        os.kill(int(worker.name), signal.SIGKILL)
    assert left == []


def alive(process: Path) -> bool:
    try:
        state = (process / "stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"  # nobody may be there to bury it


def test_an_interrupt_leaves_whole_shards_and_no_other_file(tmp_path: Path, start: Start) -> None:
    folder = tmp_path / "out"
    process = start(folder, 2)
    wait_for(lambda: len(shards(folder)) > 2, process)
    process.send_signal(signal.SIGINT)
    process.wait()
    assert list((folder / WORK).glob("*.part")) == []
    for path in shards(folder):
        assert pq.read_table(path).num_rows > 0


def test_two_exports_do_not_write_into_one_folder(
    exported: Exported, tmp_path: Path, start: Start
) -> None:
    folder = tmp_path / "out"
    process = start(folder, 1)
    wait_for(lambda: any((folder / WORK).glob("*.part")), process)
    os.kill(process.pid, signal.SIGSTOP)
    with pytest.raises(InputError, match="another export is writing there"):
        export(exported.recipe, folder, resume=True, rollout=ROLLOUT)
    os.kill(process.pid, signal.SIGCONT)
    assert process.wait() == 0
    same(folder, exported)


def test_a_manifest_comes_back_from_its_file(exported: Exported) -> None:
    assert read_manifest(exported.folder / NAME) == exported.manifest


def copied(exported: Exported, tmp_path: Path) -> Path:
    import shutil

    return shutil.copytree(exported.folder, tmp_path / "copy")
