"""Measures speed and memory beside their yardsticks, in one run: ``make bench``.

The machine may be busy, so what counts are the ratios between figures of the same run. Each
figure is the median of several rounds, with the spread in brackets.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

ROUNDS = 5
CASES = 400


def rounds(work: Callable[[], int]) -> tuple[float, float, float]:
    """Median, least and most microseconds of one item; ``work`` returns how many it did."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        count = work()
        times.append((time.perf_counter() - start) / count * 1e6)
    return median(times), min(times), max(times)


def child(code: str, cache: str | None = None) -> dict[str, float]:
    """Wall seconds and peak megabytes of a fresh interpreter running ``code``."""
    env = dict(os.environ)
    if cache is not None:
        env["CASEGEN_CACHE"] = cache
    start = time.perf_counter()
    script = (
        f"{code}\nimport resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=env, check=True, capture_output=True, text=True
    )
    return {
        "seconds": time.perf_counter() - start,
        "megabytes": float(done.stdout.strip().splitlines()[-1]),
    }


def measure() -> dict[str, Any]:
    """All figures."""
    import orjson
    from faker import Faker

    import casegen
    from casegen.certify import view_of
    from casegen.checker import check
    from casegen.knowledge import reference
    from casegen.schemas.serial import case_bytes

    fake = Faker()
    fake.seed_instance(1)
    fake.profile()
    figures: dict[str, Any] = {
        "machine": {
            "python": platform.python_version(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
        }
    }
    generator = casegen.make("audit-v0", seed=11)
    cases = [generator[i] for i in range(CASES)]
    at = CASES

    def generate() -> int:
        nonlocal at
        for case in generator.cases(at, CASES):
            cases[at % CASES] = case
            at += 1
        return CASES

    def profiles() -> int:
        for _ in range(100):
            fake.profile()
        return 100

    def serialise() -> int:
        for case in cases:
            orjson.dumps(case)
        return len(cases)

    tables, services = reference()
    views = [view_of(case) for case in cases]

    def scrub() -> int:
        for view in views:
            check(view, tables, services)
        return len(views)

    for _ in range(4):
        generate()
    # The yardstick and the work take turns, so that a drift of the machine hits both.
    audit, faker = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        generate()
        audit.append((time.perf_counter() - start) / CASES * 1e6)
        start = time.perf_counter()
        profiles()
        faker.append((time.perf_counter() - start) / 100 * 1e6)
    figures["audit_case_us"] = spread(audit)
    figures["faker_profile_us"] = spread(faker)
    figures["orjson_case_us"] = spread(list(rounds(serialise)))
    figures["checker_case_us"] = spread(list(rounds(scrub)))
    figures["case_bytes"] = median(len(case_bytes(case)) for case in cases)
    figures["note_words"] = median(len(case.note.split()) for case in cases)
    figures["profiles_per_case"] = median(faker) / median(audit)
    figures["orjson_per_case"] = median(audit) / figures["orjson_case_us"]["median"]
    figures["by_difficulty_us"] = {}
    for level in ("easy", "medium", "hard", "expert"):
        one = casegen.make("audit-v0", seed=11, difficulty=level)
        for _ in one.cases(0, 100):
            pass

        def work(one: Any = one) -> int:
            for _ in one.cases(100, 200):
                pass
            return 200

        figures["by_difficulty_us"][level] = spread(list(rounds(work)))
    figures["peak_megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    run = (
        "from casegen.cli import main\nimport sys\n"
        "try:\n    main(['generate', 'audit', '-n', '{n}', '-o', '{o}'])\n"
        "except SystemExit as end:\n    assert not end.code"
    )
    first = run.format(n=1, o=os.devnull)
    with tempfile.TemporaryDirectory() as cache:
        figures["first_use"] = child(first, cache)
        starts = [child(first, cache) for _ in range(ROUNDS)]
        figures["later_start"] = {
            "seconds": median(s["seconds"] for s in starts),
            "megabytes": median(s["megabytes"] for s in starts),
        }
        figures["bare_python"] = child("pass")
        figures["memory_1000"] = child(run.format(n=1000, o=os.devnull), cache)
        figures["memory_10000"] = child(run.format(n=10000, o=os.devnull), cache)
    return figures


def spread(values: list[float]) -> dict[str, float]:
    """Median, least and most."""
    return {"median": median(values), "min": min(values), "max": max(values)}


def table(figures: dict[str, Any]) -> list[str]:
    """The figures beside their yardsticks and bars."""

    def us(name: str) -> str:
        one = figures[name]
        return f"{one['median']:8.1f} us  ({one['min']:.1f} to {one['max']:.1f})"

    out = [f"Python {figures['machine']['python']}, {figures['machine']['cores']} cores", ""]
    out.append(f"certified audit case, default mix   {us('audit_case_us')}")
    out.append(f"Faker profile()                     {us('faker_profile_us')}")
    out.append(f"orjson, the same cases              {us('orjson_case_us')}")
    out.append(f"checker alone                       {us('checker_case_us')}")
    for level, one in figures["by_difficulty_us"].items():
        out.append(f"  {level:<33} {one['median']:8.1f} us")
    ratio = figures["profiles_per_case"]
    out.append(f"cases per Faker profile             {ratio:8.1f}     bar 6, goal 10")
    out.append(f"orjson dumps per case               {figures['orjson_per_case']:8.1f}")
    out.append(f"note, median words                  {figures['note_words']:8.0f}     bar 300")
    out.append(f"case, median bytes                  {figures['case_bytes']:8.0f}")
    first, later = figures["first_use"], figures["later_start"]
    out.append(f"first use, tables compiled          {first['seconds']:8.2f} s   bar 5")
    out.append(
        f"later start, generate -n 1          {later['seconds']:8.2f} s   bar 0.6   "
        f"({later['megabytes']:.0f} MB, bar 200)"
    )
    out.append(f"bare interpreter                    {figures['bare_python']['seconds']:8.2f} s")
    small, large = figures["memory_1000"], figures["memory_10000"]
    out.append(
        f"peak memory, 1,000 / 10,000 cases   {small['megabytes']:8.0f} / "
        f"{large['megabytes']:.0f} MB"
    )
    return out


def main() -> None:
    """Print the table, or one JSON object with ``--json``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    figures = measure()
    print(json.dumps(figures) if arguments.json else "\n".join(table(figures)))


if __name__ == "__main__":
    main()
