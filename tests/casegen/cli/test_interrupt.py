"""Ctrl-C, SIGTERM and a closed terminal: one line, status 2, nothing half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import casegen
from casegen.schemas.serial import case_line

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

LINE = b"casegen: interrupted; no half-written file is left\n"
Process = Callable[..., "subprocess.Popen[bytes]"]


def appears(folder: Path, pattern: str) -> bool:
    """Wait until a file of that name is there and holds something."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if any(path.stat().st_size for path in folder.glob(pattern)):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (signal.SIGINT, "cases.jsonl"),
        (signal.SIGTERM, "cases.jsonl.gz"),
        (signal.SIGHUP, "cases.jsonl"),
    ],
)
def test_in_the_middle_of_the_work(
    number: signal.Signals, name: str, process: Process, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(b"old")
    one = process("generate", "audit", "-n", 10**6, "-o", path)
    assert appears(tmp_path, ".casegen-*.part")
    one.send_signal(number)
    one.send_signal(number)  # as an impatient user does
    _, told = one.communicate(timeout=30)
    assert (one.returncode, told) == (2, LINE)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("delay", [0.05, 0.2, 0.5])
def test_at_any_moment_after_the_start_no_file_is_left(
    delay: float, process: Process, tmp_path: Path
) -> None:
    one = process("generate", "audit", "-n", 10**6, "-o", tmp_path / "cases.jsonl")
    time.sleep(delay)
    one.send_signal(signal.SIGINT)
    _, told = one.communicate(timeout=30)
    assert one.returncode != 0
    assert list(tmp_path.iterdir()) == []
    # Before our first line runs, the interpreter itself is interrupted, in its own words.
    assert told == LINE or one.returncode != 2, told


@pytest.mark.parametrize(
    ("number", "module"), [(signal.SIGINT, "click"), (signal.SIGTERM, "numpy")]
)
def test_while_a_module_is_imported(number: int, module: str, tmp_path: Path) -> None:
    script = f"""
import os, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {int(number)})
        return None
sys.meta_path.insert(0, Interrupting())
from casegen.cli import main
main(["generate", "audit", "-n", "1", "-o", {str(tmp_path / "cases.jsonl")!r}])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (2, LINE)
    assert list(tmp_path.iterdir()) == []


EXTENSIONS = ["orjson", "numpy._core._multiarray_umath", "pydantic_core._pydantic_core"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("module", EXTENSIONS)
def test_an_extension_is_loaded_to_its_end_first(
    number: signal.Signals, module: str, tmp_path: Path
) -> None:
    """A signal as its import begins, and at the first imports that it makes itself."""
    path = tmp_path / "cases.jsonl"
    script = f"""
import os, sys
seen = []
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r} or 0 < len(seen) < 5:
            seen.append(name)
            os.kill(os.getpid(), {int(number)})
            sum(range(10000))
        return None
sys.meta_path.insert(0, Interrupting())
real = os._exit
def told(status):
    print(sys.modules[{module!r}].__name__, file=sys.stderr, flush=True)
    real(status)
os._exit = told
from casegen.cli import main
if {module!r}.startswith("pydantic"):
    main(["stats", {str(path)!r}])
main(["generate", "audit", "-n", "100000", "-o", {str(path)!r}])
"""
    case = next(iter(casegen.make("audit-v0", seed=7).cases(0, 1)))
    if module.startswith("pydantic"):
        # So many that the command is not done before a signal that had to wait comes back.
        path.write_bytes(case_line(case) * 500)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(LINE)
    # Nothing was cut off: the module is there, whole.
    assert done.stderr.endswith(f"{module}\n".encode())
    assert [one for one in tmp_path.iterdir() if one != path] == []


@pytest.mark.slow
def test_whenever_a_signal_comes_the_status_is_2(tmp_path: Path) -> None:
    script = """
import sys
from casegen.cli import main
print("on", flush=True)
main(sys.argv[1:])
"""
    for number in range(24):
        one = subprocess.Popen(
            [sys.executable, "-c", script, "generate", "audit", "-n", "1000000", "-o",
             str(tmp_path / "cases.jsonl")],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert one.stdout is not None
        one.stdout.readline()
        time.sleep(0.004 + number * 0.02)
        one.send_signal((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[number % 3])
        _, told = one.communicate(timeout=60)
        assert (one.returncode, told) == (2, LINE), number
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_after_the_work_changes_nothing(number: signal.Signals) -> None:
    script = f"""
import atexit, os
from casegen.cli import main
atexit.register(lambda: os.kill(os.getpid(), {int(number)}))
main(["code", "E11.9"])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"E11.9")


def test_waiting_for_the_reader_of_a_pipe(process: Process, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    one = process("generate", "audit", "-n", 10**6, "-o", pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        end = time.monotonic() + 30
        got = b""
        while not got and time.monotonic() < end:
            time.sleep(0.05)
            try:
                got = os.read(reader, 100)
            except BlockingIOError:
                pass
        assert got
        time.sleep(0.3)  # the pipe is full, and nobody reads on
        one.send_signal(signal.SIGINT)
        _, told = one.communicate(timeout=30)
    finally:
        os.close(reader)
    assert (one.returncode, told) == (2, LINE)


def test_what_shall_be_ignored_stays_ignored(process: Process, tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    one = process(
        "generate", "audit", "-n", 400, "-o", path,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    assert appears(tmp_path, ".casegen-*.part")
    one.send_signal(signal.SIGHUP)
    one.communicate(timeout=60)
    assert one.returncode == 0
    assert path.read_bytes().count(b"\n") == 400
