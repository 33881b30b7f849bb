"""Packs: what they hold, their hashes, their files."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest

import casegen
from casegen.env import recipes
from casegen.env.packfile import file_bytes, file_of_cases, parsed, read_file
from casegen.env.packs import build, confirm, digest, pack, verify
from casegen.schemas import InputError
from casegen.schemas.packs import Pack
from casegen.schemas.serial import content_hash
from casegen.seeds.packs import PACKS, path_of

SMALL: dict[str, Any] = {
    "name": "small",
    "family": "audit",
    "profile": "strict",
    "recipe": {
        "generator": "audit-v0",
        "split": "validation",
        "parts": [
            {"seed": 5, "difficulty": "easy", "clean": 0, "count": 3},
            {"seed": 6, "difficulty": "hard", "clean": 1, "count": 2},
        ],
    },
}


@pytest.fixture(scope="module")
def bench() -> Pack:
    return pack("audit-bench-v1")


@pytest.fixture(scope="module")
def cases(bench: Pack) -> list[casegen.schemas.Case]:
    return [task.case for task in bench]


def write(tmp_path: Path, data: object, name: str = "pack.json") -> str:
    path = tmp_path / name
    path.write_bytes(orjson.dumps(data))
    return str(path)


def small_file(tmp_path: Path, *, whole: bool = False) -> dict[str, Any]:
    made = build(parsed(orjson.loads(orjson.dumps(SMALL)), "small"), whole=whole)
    stored: dict[str, Any] = orjson.loads(file_bytes(made))
    return stored


# --- the benchmark


def test_the_benchmark_holds_fifty_cases_a_difficulty_of_which_five_are_clean(
    bench: Pack, cases: list[casegen.schemas.Case]
) -> None:
    assert len(bench) == len(cases) == 200
    assert Counter(case.difficulty for case in cases) == dict.fromkeys(
        ("easy", "medium", "hard", "expert"), 50
    )
    clean = Counter(case.difficulty for case in cases if not case.findings)
    assert clean == dict.fromkeys(("easy", "medium", "hard", "expert"), 5)
    assert {case.split for case in cases} == {"test"}
    assert bench.profile == "strict"


def test_no_case_of_the_benchmark_stands_there_twice(cases: list[casegen.schemas.Case]) -> None:
    assert len({content_hash(case) for case in cases}) == 200
    assert len({case.structural_key for case in cases}) == 200
    assert len({case.note for case in cases}) == 200


def test_the_index_tells_neither_difficulty_nor_whether_a_case_is_clean(
    cases: list[casegen.schemas.Case],
) -> None:
    """In each quarter of the indices every difficulty and some clean case stand."""
    for start in range(0, 200, 50):
        quarter = cases[start : start + 50]
        assert len({case.difficulty for case in quarter}) == 4
        assert 1 <= sum(not case.findings for case in quarter) <= 12
    runs = sum(a.difficulty != b.difficulty for a, b in pairwise(cases))
    assert runs > 120  # of 199 steps, three in four change by chance


def test_an_id_names_pack_and_index_alone(bench: Pack) -> None:
    assert [task.id for task in bench] == [f"audit-bench-v1/{i}" for i in range(200)]
    assert bench.task_by_id("audit-bench-v1/17") == bench.task(17)
    for wrong in ("audit-bench-v1/200", "audit-bench-v1/017", "audit-bench-v1/-1", "", "x"):
        with pytest.raises(InputError, match="task_id"):
            bench.task_by_id(wrong)


@pytest.mark.parametrize("wrong", [-1, 200, True, "3", 1.0, None])
def test_an_index_outside_of_the_pack_is_refused(bench: Pack, wrong: Any) -> None:
    with pytest.raises(InputError, match=r"index: .*from 0 to 199"):
        bench.task(wrong)


def test_a_task_costs_one_case_and_is_kept_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = pack(str(path_of("audit-bench-v1")))
    made: list[int] = []
    real = recipes.generator_of

    class Counting:
        def __init__(self, *recipe: Any, **shares: float) -> None:
            self.generator = real(*recipe, **shares)

        def __getitem__(self, index: int) -> Any:
            made.append(index)
            return self.generator[index]

    monkeypatch.setattr(recipes, "generator_of", Counting)
    first = fresh.task(123)
    assert len(made) == 1
    assert fresh.task(123) is first
    assert len(made) == 1
    assert fresh.tasks.difficulty_of(7) in ("easy", "medium", "hard", "expert")
    assert len(made) == 1


def test_tasks_that_many_threads_ask_for_are_the_same(cases: list[casegen.schemas.Case]) -> None:
    fresh = pack(str(path_of("audit-bench-v1")))
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda index: fresh.task(index).case, range(100)))
    assert made == cases[:100]


# --- the hash


def test_a_hash_can_be_taken_again_from_the_description_alone() -> None:
    found = pack("audit-seed-v1")

    def line(data: dict[str, Any]) -> bytes:
        text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return text.encode() + b"\n"

    head = {"name": "audit-seed-v1", "version": "1", "family": "audit", "profile": "seed"}
    tables = {"name": found.tables.name, "digest": found.tables.digest}
    text = line({**head, "tables": tables})
    for task in found:
        text += line(
            {
                "id": task.id,
                "case": content_hash(task.case),
                "own_rules": task.own_rules,
                "reference_note": task.reference_note,
            }
        )
    assert sha256(text).hexdigest() == found.sha256


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_builds_to_its_recorded_hash_anywhere(name: str) -> None:
    program = (
        "from casegen.env.packs import digest, pack;"
        f"found = pack({name!r}); print(digest(found), digest(found))"
    )
    told = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "77", "TZ": "Pacific/Kiritimati"},
        capture_output=True,
        text=True,
        check=True,
    )
    recorded = pack(name).sha256
    assert told.stdout.split() == [recorded, recorded]


@pytest.mark.parametrize("change", ["name", "version", "profile"])
def test_what_the_head_says_is_hashed_too(change: str) -> None:
    found = pack("audit-seed-v1")
    other: Any = {"name": "other", "version": "2", "profile": "strict"}
    assert digest(replace(found, **{change: other[change]})) != digest(found)


def test_a_rule_or_a_note_of_a_task_is_hashed_too(tmp_path: Path) -> None:
    data = small_file(tmp_path, whole=True)
    hashes = {data["sha256"]}
    for field, value in (("own_rules", {"E11.9": "a rule"}), ("reference_note", "a note")):
        changed = orjson.loads(orjson.dumps(data))
        changed["cases"][1][field] = value
        file = build(parsed(changed, "small"))
        hashes.add(str(file.sha256))
    assert len(hashes) == 3


# --- verification


@pytest.mark.parametrize(("name", "certified"), [("audit-seed-v1", 0), ("audit-bench-v1", 200)])
def test_a_shipped_pack_is_verified_case_by_case(name: str, certified: int) -> None:
    assert verify(pack(name)) == certified


def test_a_pack_whose_recipe_was_touched_is_no_longer_verified(tmp_path: Path) -> None:
    data = small_file(tmp_path)
    assert verify(pack(write(tmp_path, data))) == 5
    data["recipe"]["parts"][0]["seed"] = 7
    with pytest.raises(InputError, match=r"pack\.json: sha256: "):
        verify(pack(write(tmp_path, data)))


def test_a_case_with_a_false_answer_is_not_verified_though_the_hashes_fit(tmp_path: Path) -> None:
    data = small_file(tmp_path, whole=True)
    task = next(one for one in data["cases"] if one["case"]["findings"])
    task["case"]["findings"] = []
    del task["case"]["content_hash"]
    forged = build(parsed(data, "small"))
    path = tmp_path / "forged.json"
    path.write_bytes(file_bytes(forged))
    with pytest.raises(InputError, match=rf"task {task['id']}: findings: .*not certified"):
        verify(pack(str(path)))


def test_other_tables_than_those_of_the_pack_are_named(tmp_path: Path) -> None:
    data = small_file(tmp_path)
    data["tables"]["digest"] = "0" * 64
    found = pack(write(tmp_path, data))
    with pytest.raises(InputError, match=r"tables\.digest: .*other tables"):
        found.task(0)


# --- files


def test_a_recipe_and_its_cases_whole_are_one_pack(tmp_path: Path) -> None:
    thin, thick = small_file(tmp_path), small_file(tmp_path, whole=True)
    assert "cases" not in thin and "recipe" not in thick
    assert thin["sha256"] == thick["sha256"]
    one = pack(write(tmp_path, thin, "thin.json"))
    other = pack(write(tmp_path, thick, "thick.json"))
    assert list(one) == list(other)
    assert other.task_by_id("small/4") == one.task(4)
    assert verify(other) == 5


def test_a_packed_file_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "small.json.gz"
    path.write_bytes(gzip.compress(orjson.dumps(small_file(tmp_path))))
    assert len(pack(str(path))) == 5


def test_a_pack_of_own_cases_is_built_and_read(tmp_path: Path) -> None:
    made = list(casegen.make("audit-v0", seed=11).cases(0, 4))
    file = build(file_of_cases(made, name="mine", profile="seed"))
    path = tmp_path / "mine.json"
    path.write_bytes(file_bytes(file))
    found = pack(str(path))
    assert [task.case for task in found] == made
    assert [task.id for task in found] == ["mine/0", "mine/1", "mine/2", "mine/3"]
    assert {task.profile for task in found} == {"seed"}
    assert verify(found) == 4


def test_a_shipped_recipe_is_stored_as_it_is_built() -> None:
    path = path_of("audit-bench-v1")
    assert file_bytes(build(read_file(str(path)))) == path.read_bytes()


def broken(place: tuple[Any, ...], value: Any) -> dict[str, Any]:
    data: Any = orjson.loads(orjson.dumps(SMALL))
    inner = data
    for part in place[:-1]:
        inner = inner[part]
    if value is None:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return data  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ([], "pack"),
        (broken(("name",), None), "name"),
        (broken(("name",), "a b"), "name"),
        (broken(("name",), "train"), "name"),
        (broken(("family",), "surgery"), "family"),
        (broken(("profile",), "kind"), "profile"),
        (broken(("colour",), "red"), "colour"),
        (broken(("format",), "zip"), "format"),
        (broken(("recipe",), None), "recipe"),
        (broken(("cases",), []), "recipe"),
        (broken(("recipe", "generator"), "audit-v9"), "recipe.generator"),
        (broken(("recipe", "split"), "exam"), "recipe.split"),
        (broken(("recipe", "parts"), []), "recipe.parts"),
        (broken(("recipe", "parts", 0, "seed"), -1), r"recipe.parts\[0\].seed"),
        (broken(("recipe", "parts", 0, "seed"), 1 << 64), r"recipe.parts\[0\].seed"),
        (broken(("recipe", "parts", 0, "clean"), 0.5), r"recipe.parts\[0\].clean"),
        (broken(("recipe", "parts", 1, "count"), 0), r"recipe.parts\[1\].count"),
        (broken(("recipe", "parts", 1, "count"), 10**9), r"recipe.parts"),
        (broken(("recipe", "parts", 0, "difficulty"), "odd"), r"recipe.parts\[0\].difficulty"),
        (broken(("recipe", "parts", 1), SMALL["recipe"]["parts"][0]), r"recipe.parts\[1\]"),
        (SMALL, "tables"),
        ({**SMALL, "tables": {"name": "a", "digest": "b"}}, "sha256"),
        ({**SMALL, "sha256": "abc"}, "sha256"),
    ],
)
def test_a_bad_file_is_told_with_path_and_field(tmp_path: Path, data: Any, field: str) -> None:
    path = tmp_path / "pack.json"
    path.write_text(json.dumps(data), encoding="utf-8")  # orjson writes no such large number
    with pytest.raises(InputError, match=rf"^[^ ]*pack\.json: {field}: ") as told:
        pack(str(path))
    assert "\n" not in str(told.value)


def test_a_case_that_was_touched_is_told_by_its_place(tmp_path: Path) -> None:
    data = small_file(tmp_path, whole=True)
    data["cases"][2]["case"]["note"] += " "
    with pytest.raises(InputError, match=r"cases\[2\]\.case\.content_hash: "):
        pack(write(tmp_path, data))
    del data["cases"][2]["case"]["content_hash"]
    with pytest.raises(InputError, match=r"sha256: .*does not fit"):
        pack(write(tmp_path, data))
    data["cases"][2]["case"]["patient"]["sex"] = 3
    with pytest.raises(InputError, match=r"cases\[2\]\.case\.patient\.sex: "):
        pack(write(tmp_path, data))


@pytest.mark.parametrize("content", [b"", b"{", b"\x1f\x8b\x00", b'{"name": ' + b"[" * 5000])
def test_what_is_no_json_is_told_with_its_path(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "pack.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"pack\.json"):
        pack(str(path))


@pytest.mark.parametrize("name", ["audit-seed-v2", "", "missing.json", "pack.yaml", 3])
def test_a_pack_that_is_not_there_is_told(name: Any) -> None:
    with pytest.raises(InputError):
        pack(name)


@pytest.mark.parametrize("name", PACKS)
def test_a_file_may_not_take_the_name_of_a_shipped_pack(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"pack\.json: name: .*ships with casegen"):
        pack(write(tmp_path, {**small_file(tmp_path), "name": name}))
    made = casegen.make("audit-v0", seed=11).cases(0, 1)
    with pytest.raises(InputError, match=r"name: .*ships with casegen"):
        file_of_cases(made, name=name, profile="strict")


@pytest.mark.parametrize(
    "wrong", ["easy_demographic", "audit-bench-v1/17", "audit-seed-v1/9", "a\x1b[2J", "a\nb", " a"]
)
def test_a_task_of_a_file_has_an_id_that_can_be_shown_and_names_no_shipped_one(
    tmp_path: Path, wrong: str
) -> None:
    data = small_file(tmp_path, whole=True)
    data["cases"][2]["id"] = wrong
    with pytest.raises(InputError, match=r"pack\.json: cases\[2\]\.id: ") as told:
        pack(write(tmp_path, data))
    assert str(told.value).isprintable()


def test_a_complaint_keeps_the_case_of_what_it_quotes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"name: 'a b': string .*\[A-Za-z0-9\]"):
        pack(write(tmp_path, {**SMALL, "name": "a b"}))


def test_the_recorded_hash_of_a_recipe_is_confirmed_when_asked(tmp_path: Path) -> None:
    data = small_file(tmp_path)
    confirm(pack(write(tmp_path, data)))
    data["recipe"]["parts"][0]["count"] = 2
    with pytest.raises(InputError, match=r"pack\.json: sha256: "):
        confirm(pack(write(tmp_path, data)))
