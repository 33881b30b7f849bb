"""A case is a pure function of family, version, split, seed and index: the same bytes in any
process, order, thread, Python, hash seed, time zone, year or place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

import casegen
from casegen.schemas import InputError
from casegen.schemas.anycase import AnyCase
from casegen.schemas.serial import case_line, content_hash

from . import golden, interpreters

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = ("audit-v0", "coding-v0", "rx-v0")
SEED = 42
COUNT = 30
FULL = os.environ.get("CASEGEN_FULL") == "1"

SCRIPT = """
import json, sys
import casegen
from casegen.schemas.serial import content_hash
family, seed, count, *splits = sys.argv[1:]
print(json.dumps([
    content_hash(case)
    for split in splits
    for case in casegen.make(family, seed=int(seed), split=split).cases(0, int(count))
]))
"""
# Another clock for all that asks in Python or through the time module.
CLOCK = """
import datetime, time
_shift = {shift}
_time, _time_ns = time.time, time.time_ns
time.time = lambda: _time() + _shift
time.time_ns = lambda: _time_ns() + _shift * 10**9
_gm, _lt, _st = time.gmtime, time.localtime, time.strftime
time.gmtime = lambda s=None: _gm(time.time() if s is None else s)
time.localtime = lambda s=None: _lt(time.time() if s is None else s)
time.strftime = lambda f, t=None: _st(f, time.localtime() if t is None else t)
_delta = datetime.timedelta(seconds=_shift)
class _Date(datetime.date):
    @classmethod
    def today(cls):
        return super().today() + _delta
class _Datetime(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + _delta
    @classmethod
    def utcnow(cls):
        return cls.now(datetime.timezone.utc).replace(tzinfo=None)
datetime.date, datetime.datetime = _Date, _Datetime
assert abs(datetime.datetime.now().year - {year}) > 2
"""
YEAR = 31_557_600


def here(*splits: str, count: int = COUNT, family: str = "audit-v0") -> list[str]:
    """The hashes that this process comes to."""
    return [
        content_hash(case)
        for split in splits or ("train",)
        for case in casegen.make(family, seed=SEED, split=split).cases(0, count)
    ]


def there(
    *splits: str,
    family: str = "audit-v0",
    python: str = sys.executable,
    before: str = "",
    folder: Path | None = None,
    **environment: str,
) -> list[str]:
    """The hashes that another process comes to."""
    done = subprocess.run(
        [python, "-c", before + SCRIPT, family, str(SEED), str(COUNT), *(splits or ("train",))],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[str] = json.loads(done.stdout)
    return found


def lines(cases: object) -> list[bytes]:
    return [case_line(case) for case in cases]  # type: ignore[attr-defined]


every_family = pytest.mark.parametrize("family", FAMILIES)


# --- within one process


@every_family
def test_twice_the_same(family: str) -> None:
    assert here(family=family) == here(family=family)


@pytest.mark.parametrize("chunk", [1, 7, 30])
def test_in_chunks_of_any_size(chunk: int) -> None:
    whole = lines(casegen.make("audit-v0", seed=SEED).cases(0, COUNT))
    parts: list[bytes] = []
    for start in range(0, COUNT, chunk):
        generator = casegen.make("audit-v0", seed=SEED)
        parts += lines(generator.cases(start, min(chunk, COUNT - start)))
    assert parts == whole


@every_family
def test_in_any_order(family: str) -> None:
    generator = casegen.make(family, seed=SEED)
    order = [*range(0, COUNT, 2), *range(COUNT - 1, 0, -2), 5, 5, 0]
    found = [content_hash(generator[i]) for i in order]
    expected = here(family=family)
    assert found == [expected[i] for i in order]


@every_family
def test_beside_other_generators(family: str) -> None:
    ours = casegen.make(family, seed=SEED).cases()
    others = [
        casegen.make("coding-v0", seed=SEED + 1).cases(),
        casegen.make("coding-v0", seed=SEED, split="test").cases(),
        casegen.make("audit-v0", seed=SEED + 1).cases(),
        casegen.make("audit-v0", seed=SEED, split="test").cases(),
        casegen.make("audit-v0", seed=SEED, difficulty="expert").cases(),
    ]
    found = []
    for case in islice(ours, COUNT):
        found.append(content_hash(case))
        for other in others:
            next(other)
    assert found == here(family=family)


@every_family
def test_in_any_number_of_threads(family: str) -> None:
    shared = casegen.make(family, seed=SEED)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda i: content_hash(shared[i]), range(COUNT)))
    assert found == here(family=family)


def test_a_stream_without_end_starts_with_the_same_cases() -> None:
    stream = casegen.make("audit-v0", seed=SEED).cases()
    assert [content_hash(case) for case in islice(stream, 5)] == here(count=5)


def test_what_a_caller_does_to_a_case_does_not_reach_the_next() -> None:
    generator = casegen.make("audit-v0", seed=SEED)
    for index in range(10):
        case = generator[index]
        for items in (case.claim, case.record, case.findings, case.decoys, case.conditions):
            items.clear()
        case.patient.name = "Nobody"
        case.encounter.setting = "office"
    assert [content_hash(generator[index]) for index in range(10)] == here(count=10)


def test_what_a_caller_does_to_a_coding_case_does_not_reach_the_next() -> None:
    generator = casegen.make("coding-v0", seed=SEED)
    for index in range(10):
        case = generator[index]
        for items in (case.allowed, case.record, case.wrong, case.secondary, case.hints):
            items.clear()
        case.primary.authority.reference = "nobody"
        case.primary.alternates.append("R69")
        case.encounter.setting = "office"
    found = [content_hash(generator[index]) for index in range(10)]
    assert found == here(count=10, family="coding-v0")


# --- six times, and other seeds


def test_six_times_the_same_seed_gives_six_identical_cases() -> None:
    found = {content_hash(casegen.make("audit-v0", seed=1234)[0]) for _ in range(6)}
    generator = casegen.make("audit-v0", seed=1234)
    found |= {content_hash(generator[0]) for _ in range(6)}
    assert len(found) == 1


def test_other_seeds_give_other_cases() -> None:
    seeds = [*range(40), (1 << 32) + 1, (1 << 63), (1 << 64) - 1]
    notes = {casegen.make("audit-v0", seed=seed)[0].note for seed in seeds}
    assert len(notes) == len(seeds)


def identities(case: AnyCase) -> set[tuple[str, str]]:
    """What tells a case from others, wherever it stands."""
    return {
        ("note", case.note),
        ("key", case.structural_key),
        ("mrn", case.patient.mrn),
        ("person", f"{case.patient.name} {case.patient.birth_date}"),
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((42, "train"), (43, "train")),
        ((42, "train"), (42, "test")),
        ((1, "train"), (1 << 32, "train")),
    ],
)
@every_family
def test_two_seeds_or_splits_share_nothing(
    family: str, one: tuple[int, str], other: tuple[int, str]
) -> None:
    found = []
    for seed, split in (one, other):
        cases = casegen.make(family, seed=seed, split=split).cases(0, 150)
        found.append(set().union(*map(identities, cases)))
    assert len(found[0]) > 500
    shared = found[0] & found[1]
    if family == "coding-v0" and one[1] == other[1]:
        # Two problems make a small coding case, and may meet again in other words.
        shared = {(kind, text) for kind, text in shared if kind != "key"}
    assert shared == set()


@pytest.mark.parametrize("index", [-1, 1.0, True, "0", None])
def test_an_index_is_a_whole_number(index: object) -> None:
    with pytest.raises(InputError):
        casegen.make("audit-v0", seed=1)[index]  # type: ignore[index]


@pytest.mark.parametrize("seed", [-1, 1 << 64, 7.0, True, "7", None])
def test_a_seed_is_a_whole_number_of_64_bits(seed: object) -> None:
    with pytest.raises(InputError):
        casegen.make("audit-v0", seed=seed)  # type: ignore[arg-type]


# --- in other processes


@pytest.mark.parametrize(
    ("environment", "before"),
    [
        ({"PYTHONHASHSEED": "0"}, ""),
        (
            {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
            CLOCK.format(shift=40 * YEAR, year="2026"),
        ),
        (
            {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "PYTHONOPTIMIZE": "1"},
            CLOCK.format(shift=-20 * YEAR, year="2026"),
        ),
    ],
    ids=["hash seed 0", "hash seed 1, 40 years on", "hash seed 4242, 20 years ago"],
)
@every_family
def test_under_another_hash_seed_time_zone_and_year(
    family: str, environment: dict[str, str], before: str, tmp_path: Path
) -> None:
    found = there(family=family, before=before, folder=tmp_path, **environment)
    assert found == here(family=family)


@pytest.mark.slow
def test_with_tables_compiled_anew_under_another_hash_seed(tmp_path: Path) -> None:
    found = there(
        PYTHONHASHSEED="99", XDG_CACHE_HOME=str(tmp_path), CASEGEN_CACHE=str(tmp_path / "casegen")
    )
    assert found == here()


def on(version: str, folder: Path) -> tuple[str, list[str] | None]:
    """What a Python is called, and its hashes; None where it can't be had, with the reason."""
    one = interpreters.found().get(version)
    if one is None:
        return f"{version} (not on this machine)", None
    try:
        python = interpreters.equipped(one, folder, patience=300 if FULL else 30)
    except (OSError, subprocess.SubprocessError) as error:
        told = getattr(error, "stderr", None) or str(error)
        return f"{one.full} ({str(told).strip().splitlines()[-1][:200]})", None
    found = [h for f in FAMILIES for h in there("train", "test", family=f, python=python)]
    return one.full, found


@pytest.mark.slow
def test_on_every_python(pytestconfig: pytest.Config, capsys: pytest.CaptureFixture[str]) -> None:
    """Runs wherever it soon can; with CASEGEN_FULL=1 no supported version may be missing.

    A Python without the dependencies gets them once, in a folder of pytest's cache.
    """
    cache = pytestconfig.cache
    assert cache is not None
    folder = Path(cache.mkdir("interpreters"))
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(lambda version: on(version, folder), interpreters.VERSIONS))
    ran = [name for name, hashes in found if hashes is not None]
    missed = [name for name, hashes in found if hashes is None]
    with capsys.disabled():
        also = f"; could not be set up: {', '.join(missed)}" if missed else ""
        print(f"\nsame bytes on Python {', '.join(ran)}{also}")
    expected = [one for family in FAMILIES for one in here("train", "test", family=family)]
    assert {name: hashes == expected for name, hashes in found if hashes} == dict.fromkeys(
        ran, True
    )
    assert ran
    assert not (FULL and missed)


# --- and tomorrow


def test_the_golden_hashes_stand() -> None:
    told = "if cases were meant to change: python tests/guards/golden.py, and the change log"
    assert json.loads(golden.FILE.read_text("utf-8")) == golden.hashes(), told


def test_the_golden_hashes_cover_every_split_and_differ() -> None:
    stored = json.loads(golden.FILE.read_text("utf-8"))
    every = [one for recipe in stored.values() for one in recipe.values()]
    assert len(every) == len(golden.RECIPES) * len(golden.INDICES)
    # A case that narrower settings allow may be the very case of the mix.
    assert len(set(every)) > 0.9 * len(every)
    assert {recipe[3] for recipe in golden.RECIPES} == {"train", "validation", "test"}
