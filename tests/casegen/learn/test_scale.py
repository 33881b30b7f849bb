"""Speed and memory: a quarter of a million rows in minutes, and no more memory than for a few.

``make test`` looks at a part, ``CASEGEN_FULL=1`` at all that is promised.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import orjson
import pytest

from .synthetic import write_csv

FULL = os.environ.get("CASEGEN_FULL") == "1"
SECONDS = 180
ROWS = 275_000
GROWTH = 50  # megabytes at most, for what more rows tell of more codes and words
# The peak of a process itself: to a child Linux counts what its parent held.
SCRIPT = """
import resource, sys
from pathlib import Path
from casegen.cli import main
try:
    main(sys.argv[1:])
finally:
    status = Path("/proc/self/status")
    own = status.read_text().split("VmHWM:")[1].split()[0] if status.exists() else "0"
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(own, usage.ru_utime + usage.ru_stime, file=sys.stderr)
"""


@dataclass(frozen=True)
class Run:
    """What a run printed, its peak in megabytes, and the seconds that it computed."""

    data: dict[str, float]
    megabytes: float
    seconds: float

    def told(self) -> str:
        names = ("accuracy", "top5_accuracy", "majority_accuracy", "codes")
        return ", ".join(f"{name} {self.data[name]:g}" for name in names)


def learned(path: Path) -> Run:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "learn", "--csv", path, "--json"],
        capture_output=True, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    kilobytes, seconds = done.stderr.split()[-2:]
    return Run(orjson.loads(done.stdout), int(kilobytes) / 1024, float(seconds))


def head(path: Path, rows: int) -> Path:
    """The first rows of a file, as a file."""
    part = path.with_name(f"first-{rows}.csv")
    with path.open("rb") as source, part.open("wb") as target:
        for number, line in enumerate(source):
            if number > rows:
                break
            target.write(line)
    return part


def check(path: Path, rows: int, few: int) -> None:
    """The whole file within its share of the time, in the memory of a part of it."""
    small, whole = learned(head(path, few)), learned(path)
    for name, run in ((f"{few:,} rows", small), (f"{rows:,} rows", whole)):
        print(f"\n{name}: {run.seconds:.0f} s, {run.megabytes:.0f} MB", run.told())
    assert whole.data["rows_total"] == rows
    assert whole.data["rows_skipped"] == 0
    assert whole.data["accuracy"] > 10 * whole.data["majority_accuracy"]
    assert whole.data["accuracy"] > small.data["accuracy"]
    assert whole.seconds < SECONDS * max(rows / ROWS, 0.2)
    if small.megabytes:
        assert whole.megabytes < small.megabytes + GROWTH


def test_a_part_of_the_rows_over_all_codes(tmp_path: Path) -> None:
    path = tmp_path / "part.csv"
    write_csv(path, 20_000)
    check(path, 20_000, 5_000)


@pytest.mark.skipif(not FULL, reason="CASEGEN_FULL=1 learns all rows")
@pytest.mark.parametrize("codes", [5_000, 74_719])
def test_275_000_rows_in_under_three_minutes_and_flat_memory(codes: int, tmp_path: Path) -> None:
    path = tmp_path / "full.csv"
    write_csv(path, ROWS, codes)
    check(path, ROWS, 50_000)


@pytest.mark.skipif(not FULL, reason="CASEGEN_FULL=1 generates all rows")
def test_275_000_generated_rows(tmp_path: Path) -> None:
    path = tmp_path / "generated.csv"
    options = ["-n", "66000", "--seed", "7", "--format", "csv", "-o", str(path)]
    subprocess.run([sys.executable, "-m", "casegen", "generate", "coding", *options], check=True)
    check(head(path, ROWS), ROWS, 50_000)
