"""Runs the command line: within the process where that is enough, else as a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

import casegen
import casegen.cli
from casegen.schemas import InputError
from casegen.schemas.serial import HASH, case_from, case_line, content_hash

SEED = 7
COMMAND = (sys.executable, "-m", "casegen")


@dataclass
class Result:
    """What a command came to."""

    status: int
    out: str
    err: str

    def complaint(self) -> str:
        """The one line that the user sees, after a check that it is one and all there is."""
        assert self.status == 2, (self.status, self.out[:300], self.err)
        assert self.out == ""
        assert self.err.startswith("casegen: ")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1, self.err
        return self.err


Cli = Callable[..., Result]
Data = dict[str, Any]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run a command within this process."""
    # The signals of the process belong to pytest.
    monkeypatch.setattr(casegen.cli, "_heed_signals", lambda: None)

    def run(*arguments: object) -> Result:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            casegen.cli.main([str(one) for one in arguments])
        told = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Result(end.value.code, told.out, told.err)

    return run


@pytest.fixture(scope="session")
def lines() -> list[bytes]:
    """Some cases as lines of JSON, with and without findings."""
    generator = casegen.make("audit-v0", seed=SEED)
    return [case_line(case) for case in generator.cases(0, 24)]


@pytest.fixture
def file(lines: list[bytes], tmp_path: Path) -> Path:
    """A file of cases."""
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b"".join(lines))
    return path


@pytest.fixture
def broken_case(lines: list[bytes]) -> Data:
    """A case with a finding that rests on the note, and a decoy."""
    for line in lines:
        case: Data = orjson.loads(line)
        if case["decoys"] and any(finding["evidence"] for finding in case["findings"]):
            return case
    raise LookupError("no such case among the first")


def again(case: Data) -> Data:
    """The case with a fresh content hash, as a forger would store it."""
    try:
        return {**case, HASH: content_hash(case_from(case))}
    except InputError:
        return case  # no longer a case at all


@pytest.fixture(scope="session", autouse=True)
def children_take_signals() -> Iterator[None]:
    """Start children with signals not ignored, even where the test run ignores them.

    A run in the background inherits SIGINT and SIGHUP as ignored and would pass that on;
    a handler of Python's is forgotten in a new program, so this run is as deaf as before.
    """
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    ignored = [n for n in numbers if signal.getsignal(n) == signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, lambda *_: None)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


@pytest.fixture
def process() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start a command as a process of its own, which ends with the test."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        one: subprocess.Popen[bytes] = subprocess.Popen(
            [*COMMAND, *map(str, arguments)], env={**os.environ, "COLUMNS": "80"}, **pipes
        )  # type: ignore[call-overload]
        started.append(one)
        return one

    yield start
    for one in started:
        if one.poll() is None:
            one.kill()
        one.communicate()
