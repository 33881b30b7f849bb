"""Where cases are written to, and what stands there when they are not."""

from __future__ import annotations

import gzip
import os
import shlex
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

import casegen.cli.generate
from casegen.cli.output import UnfinishedError, target
from casegen.cli.source import count_lines
from casegen.schemas import InputError

from .conftest import COMMAND, SEED, Cli

GENERATE = ("generate", "audit", "-n", "5", "--seed", SEED)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices of POSIX")


@pytest.fixture
def five(lines: list[bytes]) -> bytes:
    return b"".join(lines[:5])


def test_a_file_holds_the_cases_and_nothing_lies_beside_it(
    cli: Cli, tmp_path: Path, five: bytes
) -> None:
    path = tmp_path / "cases.jsonl"
    result = cli(*GENERATE, "-o", path)
    assert result.status == 0
    assert path.read_bytes() == five
    assert list(tmp_path.iterdir()) == [path]
    assert result.out == ""
    assert f"5 certified cases in {path}" in result.err


def test_standard_output_holds_only_json(cli: Cli, five: bytes) -> None:
    result = cli(*GENERATE)
    assert result.out.encode() == five
    assert result.err == ""


def test_from_start_the_cases_go_on(cli: Cli, lines: list[bytes]) -> None:
    result = cli("generate", "audit", "-n", "2", "--start", "3", "--seed", SEED)
    assert result.out.encode() == b"".join(lines[3:5])


def test_after_each_case_its_sibling_is_written(cli: Cli) -> None:
    result = cli("generate", "audit", "-n", "2", "--seed", SEED, "--siblings")
    found = [orjson.loads(line)["id"].partition("/train/")[2] for line in result.out.splitlines()]
    assert found == [f"{SEED}/{i}?sibling={which}" for i in (0, 1) for which in ("first", "turned")]


def test_the_family_may_be_named_by_its_id(cli: Cli, five: bytes) -> None:
    assert cli("generate", "audit-v0", *GENERATE[2:]).out.encode() == five


def test_gzip_holds_the_same_in_the_same_bytes(cli: Cli, tmp_path: Path, five: bytes) -> None:
    one, two = tmp_path / "one.jsonl.gz", tmp_path / "two.jsonl.gz"
    cli(*GENERATE, "-o", one)
    cli(*GENERATE, "-o", two)
    assert one.read_bytes() == two.read_bytes()
    assert gzip.decompress(one.read_bytes()) == five
    # No flags, so no name, and no time (RFC 1952).
    assert one.read_bytes()[3:8] == b"\0\0\0\0\0"
    assert cli("validate", one).status == 0


def test_a_device_stays_a_device(cli: Cli) -> None:
    assert cli(*GENERATE, "-o", os.devnull).status == 0
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_a_link_stays_a_link_and_its_target_is_written(
    cli: Cli, tmp_path: Path, five: bytes
) -> None:
    (tmp_path / "far").mkdir()
    real = tmp_path / "far" / "real.jsonl"
    real.write_text("old")
    link = tmp_path / "link.jsonl"
    link.symlink_to(real)
    assert cli(*GENERATE, "-o", link).status == 0
    assert link.is_symlink()
    assert real.read_bytes() == five
    assert list((tmp_path / "far").iterdir()) == [real]


def test_a_link_to_nothing_yet_is_followed(cli: Cli, tmp_path: Path, five: bytes) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to("real.jsonl")
    assert cli(*GENERATE, "-o", link).status == 0
    assert link.is_symlink()
    assert (tmp_path / "real.jsonl").read_bytes() == five


def test_a_link_to_itself_is_refused(cli: Cli, tmp_path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to("link.jsonl")
    assert str(link) in cli(*GENERATE, "-o", link).complaint()


def test_a_named_pipe_is_written_and_stays(cli: Cli, tmp_path: Path, five: bytes) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert cli(*GENERATE, "-o", pipe).status == 0
    reader.join(10)
    assert read == [five]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_an_old_file_keeps_its_mode_and_a_new_one_heeds_the_mask(tmp_path: Path) -> None:
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    old.touch()
    old.chmod(0o640)
    mask = os.umask(0o027)
    try:
        for path in (old, new):
            with target(str(path)) as stream:
                stream.write(b"x")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == 0o640


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, ValueError, InputError])
@pytest.mark.parametrize("name", ["cases.jsonl", "cases.jsonl.gz"])
def test_what_breaks_in_the_middle_leaves_the_old_file(
    trouble: type[BaseException], name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(b"old")
    error = trouble("a", "b", "c") if trouble is InputError else trouble()
    with pytest.raises(trouble), target(str(path)) as stream:
        stream.write(b"half" * 10_000)
        raise error
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def unpacked(path: Path) -> bytes:
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz"])
def test_who_ends_unfinished_keeps_what_is_written_and_no_old_file_is_lost(
    ending: str, tmp_path: Path
) -> None:
    path, beside = tmp_path / f"cases{ending}", tmp_path / f"cases.part{ending}"
    for holds, file in ((b"first\n", path), (b"second\n", beside), (b"third\n", beside)):
        with pytest.raises(UnfinishedError) as end, target(str(path)) as stream:
            stream.write(holds)
            raise UnfinishedError
        assert end.value.name == str(file)
        assert unpacked(file) == holds
    assert unpacked(path) == b"first\n"
    assert sorted(tmp_path.iterdir()) == sorted((path, beside))


def test_of_what_is_unfinished_a_pipe_gets_what_was_written(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with pytest.raises(UnfinishedError) as end, target(str(pipe)) as stream:
        stream.write(b"one\n")
        raise UnfinishedError
    reader.join(10)
    assert read == [b"one\n"]
    assert end.value.name == ""


def test_beside_a_link_the_part_stands_where_the_link_leads(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    real, link = tmp_path / "far" / "real.jsonl", tmp_path / "link.jsonl"
    real.write_bytes(b"old")
    link.symlink_to(real)
    with pytest.raises(UnfinishedError) as end, target(str(link)) as stream:
        stream.write(b"one\n")
        raise UnfinishedError
    assert end.value.name == str(tmp_path / "far" / "real.part.jsonl")
    assert (real.read_bytes(), link.is_symlink()) == (b"old", True)


def test_the_target_is_tried_before_the_work(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import casegen.families

    def never(*_: object, **__: object) -> None:
        raise AssertionError("worked in vain")

    monkeypatch.setattr(casegen.families, "make", never)
    cli(*GENERATE, "-o", tmp_path).complaint()


# --- pipes and terminals, where only a process will do


def piped(command: str) -> subprocess.CompletedProcess[bytes]:
    """A command of the shell; ``{}`` stands for casegen."""
    return subprocess.run(
        ["sh", "-c", command.replace("{}", shlex.join(COMMAND))],
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_a_reader_who_leaves_is_no_trouble(lines: list[bytes]) -> None:
    done = piped("{ {} generate audit -n 400 --seed 7; echo $? >&2; } | head -n 1")
    assert done.stdout == lines[0]
    assert done.stderr == b"0\n"


def test_a_reader_who_leaves_a_page_is_no_trouble(file: Path) -> None:
    text = shlex.quote(str(file))
    done = piped(f"{{ {{}} show {text}; echo $? >&2; }} | true")
    assert done.stderr == b"0\n"


def test_without_standard_output_there_is_a_line() -> None:
    done = piped("{} generate audit -n 1 >&-")
    assert done.returncode == 2
    assert done.stderr == b"casegen: --output: '-': standard output is closed\n"


def test_cases_from_one_command_feed_the_next() -> None:
    done = piped("{} generate audit -n 3 --seed 7 | {} validate -")
    assert done.returncode == 0
    assert done.stdout.startswith(b"standard input: 3 cases valid")
    assert done.stderr == b""


def on_terminal(process: Callable[..., subprocess.Popen[bytes]], *arguments: object) -> bytes:
    """What a terminal shows on standard error, all done."""
    import pty

    ours, theirs = pty.openpty()
    one = process(*arguments, stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # Linux: the other end is closed
            part = b""
        if not part:
            break
        shown += part
    os.close(ours)
    assert one.wait(60) == 0
    return shown


def test_a_terminal_shows_progress_and_a_file_still_gets_the_cases(
    process: Callable[..., subprocess.Popen[bytes]], tmp_path: Path, five: bytes
) -> None:
    path = tmp_path / "cases.jsonl"
    shown = on_terminal(process, *GENERATE, "-o", path)
    assert b"audit cases" in shown
    assert b"5/5" in shown
    assert path.read_bytes() == five


def test_a_terminal_shows_how_many_cases_are_left_to_check(
    process: Callable[..., subprocess.Popen[bytes]], file: Path, lines: list[bytes]
) -> None:
    assert f"{len(lines)}/{len(lines)}".encode() in on_terminal(process, "validate", file)


@pytest.mark.parametrize(
    ("text", "count"),
    [(b"", 0), (b"a\n", 1), (b"a\nb", 2), (b"a\n\n", 2), (gzip.compress(b"a\n", mtime=0), None)],
)
def test_lines_of_a_plain_file_are_counted(text: bytes, count: int | None, tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(text)
    assert count_lines(str(path)) == count
    assert count_lines("-") is None
    assert count_lines(str(tmp_path)) is None


def test_where_cases_go_to_the_terminal_no_bar_stands_between(
    monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    seen: list[bool] = []
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    original = casegen.cli.generate.progress

    def watched(total: int | None, label: str, *, quiet: bool = False) -> object:
        seen.append(quiet)
        return original(total, label, quiet=quiet)

    monkeypatch.setattr(casegen.cli.generate, "progress", watched)
    out = cli(*GENERATE).out
    assert seen == [True]
    assert len([orjson.loads(line) for line in out.splitlines()]) == 5
