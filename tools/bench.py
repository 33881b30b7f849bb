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
# Linux hands a child the peak of its parent in ru_maxrss; the status file tells its own.
_PEAK = """
import pathlib, re, resource
status = pathlib.Path("/proc/self/status")
own = re.search(r"VmHWM:\\s+(\\d+)", status.read_text()) if status.exists() else None
print(int(own[1]) / 1024 if own else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
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
    script = f"{code}\n{_PEAK}"
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
    coding = casegen.make("coding-v0", seed=11)
    for _ in coding.cases(0, CASES):
        pass

    def code() -> int:
        for _ in coding.cases(CASES, CASES):
            pass
        return CASES

    figures["coding_case_us"] = spread(list(rounds(code)))
    rx = casegen.make("rx-v0", seed=11)
    for _ in rx.cases(0, CASES):
        pass

    def prescribe() -> int:
        for _ in rx.cases(CASES, CASES):
            pass
        return CASES

    figures["rx_case_us"] = spread(list(rounds(prescribe)))
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
    """The figures beside their yardsticks, and whether each bar is met."""

    def us(name: str) -> str:
        one = figures[name]
        return f"{one['median']:8.1f} us   ({one['min']:.1f} to {one['max']:.1f})"

    def bar(value: float, limit: float, text: str, at_least: bool = False) -> str:
        met = value >= limit if at_least else value <= limit
        return f"{text:<12} {'met' if met else 'MISSED'}"

    first, later = figures["first_use"], figures["later_start"]
    small, large = figures["memory_1000"], figures["memory_10000"]
    ratio = figures["profiles_per_case"]
    growth = large["megabytes"] / small["megabytes"]
    return [
        f"Python {figures['machine']['python']}, {figures['machine']['cores']} cores",
        "",
        f"certified audit case, default mix   {us('audit_case_us')}",
        *(
            f"  {level:<33} {one['median']:8.1f} us"
            for level, one in figures["by_difficulty_us"].items()
        ),
        f"the checker's part of it            {us('checker_case_us')}",
        f"certified coding case, default mix  {us('coding_case_us')}",
        f"certified rx case, default mix      {us('rx_case_us')}",
        f"Faker profile(), the yardstick      {us('faker_profile_us')}",
        f"orjson dump of the same cases       {us('orjson_case_us')}",
        f"profile() time per case time        {ratio:8.2f}      {bar(ratio, 6, 'bar 6', True)}",
        f"case time per orjson dump           {figures['orjson_per_case']:8.1f}",
        (
            f"note, median words                  {figures['note_words']:8.0f}      "
            f"{bar(figures['note_words'], 300, 'bar 300', True)}"
        ),
        f"case, median bytes                  {figures['case_bytes']:8.0f}",
        (
            f"first use, tables compiled          {first['seconds']:8.2f} s    "
            f"{bar(first['seconds'], 5, 'bar 5 s')}"
        ),
        (
            f"later start, generate -n 1          {later['seconds']:8.2f} s    "
            f"{bar(later['seconds'], 0.6, 'bar 0.6 s')}"
        ),
        (
            f"  its peak memory                   {later['megabytes']:8.0f} MB   "
            f"{bar(later['megabytes'], 200, 'bar 200 MB')}"
        ),
        f"bare interpreter                    {figures['bare_python']['seconds']:8.2f} s",
        f"peak memory at 1,000 cases          {small['megabytes']:8.0f} MB",
        f"peak memory at 10,000 cases         {large['megabytes']:8.0f} MB",
        f"  growth                            {growth:8.2f}      {bar(growth, 1.5, 'bar 1.5')}",
    ]


def main() -> None:
    """Print the table, or one JSON object with ``--json``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    figures = measure()
    print(json.dumps(figures) if arguments.json else "\n".join(table(figures)))


if __name__ == "__main__":
    main()
