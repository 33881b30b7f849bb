"""Tasks by name: which task an agent gets, and what it is told beforehand."""

from __future__ import annotations

import re
from typing import Any

import orjson
import pytest

import casegen
from casegen.env.packs import pack
from casegen.env.tasks import count, find_task, spec, splits
from casegen.schemas import InputError


@pytest.mark.parametrize("task_id", [task.id for task in pack("audit-seed-v1")])
def test_a_documented_task_brings_its_pack_and_the_dense_rewards(task_id: str) -> None:
    task = find_task("audit", task_id=task_id)
    assert (task.id, task.pack, task.profile) == (task_id, "audit-seed-v1", "seed")


def test_a_task_of_a_generated_pack_is_found_by_its_id() -> None:
    task = find_task("audit", task_id="audit-bench-v1/17")
    assert task == pack("audit-bench-v1").task(17)
    assert task.profile == "strict"


def test_a_pack_is_asked_by_index_by_seed_or_afresh() -> None:
    bench = pack("audit-bench-v1")
    assert find_task("audit", pack="audit-bench-v1", index=5) == bench.task(5)
    assert find_task("audit", split="audit-bench-v1", index=5) == bench.task(5)
    assert find_task("audit", pack=bench, index=5) == bench.task(5)
    by_seed = [find_task("audit", pack="audit-bench-v1", seed=seed).id for seed in range(60)]
    again = [find_task("audit", pack="audit-bench-v1", seed=seed).id for seed in range(60)]
    assert by_seed == again
    assert len(set(by_seed)) > 40
    fresh = {find_task("audit", pack="audit-bench-v1").id for _ in range(12)}
    assert len(fresh) > 1


def test_a_pack_is_asked_for_one_difficulty() -> None:
    for seed in range(8):
        task = find_task("audit", pack="audit-bench-v1", seed=seed, difficulty="hard")
        assert task.case.difficulty == "hard"
    assert find_task("audit", pack="audit-seed-v1", difficulty="easy").id == "easy_demographic"


def test_without_a_pack_a_case_is_generated_for_training() -> None:
    task = find_task("audit", seed=3)
    assert task.case == casegen.make("audit-v0", seed=3, split="train")[0]
    assert (task.profile, task.pack, task.own_rules) == ("strict", None, {})


def test_split_seed_index_and_difficulty_name_the_generated_case() -> None:
    task = find_task("audit", split="validation", seed=3, index=9, difficulty="expert")
    made = casegen.make("audit-v0", seed=3, split="validation", difficulty="expert")
    assert task.case == made[9]
    assert find_task("audit", index=4).case == casegen.make("audit-v0", seed=0)[4]


def test_the_same_seed_gives_the_same_task_and_other_seeds_share_nothing() -> None:
    same = [find_task("audit", seed=1234) for _ in range(6)]
    assert all(task == same[0] for task in same)
    here = {find_task("audit", seed=42, index=i).case.note for i in range(20)}
    there = {find_task("audit", seed=43, index=i).case.note for i in range(20)}
    assert len(here) == len(there) == 20
    assert here.isdisjoint(there)


def test_without_seed_and_index_each_task_is_fresh() -> None:
    assert len({find_task("audit").id for _ in range(8)}) == 8


def test_the_id_of_a_generated_case_does_not_spell_out_its_recipe() -> None:
    task = find_task("audit", split="test", seed=987654321, index=31)
    assert re.fullmatch("audit-v0/test/[0-9a-f]{12}", task.id)
    assert "987654321" not in task.id


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"task_id": "easy_demographic", "pack": "audit-bench-v1"}, "task_id"),
        ({"task_id": "hard_task"}, "task_id"),
        ({"task_id": "audit-bench-v1/200"}, "task_id"),
        ({"task_id": 7}, "task_id"),
        ({"task_id": "easy_demographic", "split": "train"}, "split"),
        ({"task_id": "easy_demographic", "index": 3}, "index"),
        ({"task_id": "easy_demographic", "difficulty": "hard"}, "difficulty"),
        ({"pack": "audit-bench-v1", "index": 200}, "index"),
        ({"pack": "audit-bench-v1", "index": "2"}, "index"),
        ({"pack": "audit-bench-v1", "split": "test"}, "split"),
        ({"pack": "audit-bench-v9"}, "pack"),
        ({"pack": "packs/mine.json"}, "pack"),
        ({"pack": 5}, "pack"),
        ({"pack": "audit-seed-v1", "index": 0, "difficulty": "hard"}, "difficulty"),
        ({"split": "exam"}, "split"),
        ({"split": 3}, "split"),
        ({"index": -1}, "index"),
        ({"index": 1_000_000_000}, "index"),
        ({"index": True}, "index"),
        ({"difficulty": "odd"}, "difficulty"),
        ({"seed": -1}, "seed"),
        ({"seed": 1 << 64}, "seed"),
        ({"seed": "7"}, "seed"),
        ({"seed": True}, "seed"),
    ],
)
def test_what_can_not_be_met_is_refused_by_its_field(asked: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as told:
        find_task("audit", **asked)
    assert told.value.field == field


def test_there_is_no_other_family() -> None:
    for name in ("surgery", "", None):
        with pytest.raises(InputError, match="family"):
            find_task(name)  # type: ignore[arg-type]


def test_a_seed_and_a_documented_id_do_not_contradict_each_other() -> None:
    assert find_task("audit", task_id="easy_demographic", seed=7).id == "easy_demographic"
    assert find_task("audit", task_id="audit-bench-v1/3", pack="audit-bench-v1", index=3)


def test_the_splits_are_streams_and_packs_with_their_sizes() -> None:
    assert splits("audit") == ["train", "validation", "test", "audit-seed-v1", "audit-bench-v1"]
    assert [count("audit", split) for split in splits("audit")] == [
        1_000_000_000, 1_000_000_000, 1_000_000_000, 5, 200,
    ]  # fmt: skip
    with pytest.raises(InputError, match="split"):
        count("audit", "exam")


@pytest.mark.parametrize("split", ["train", "test", "audit-seed-v1", "audit-bench-v1"])
def test_a_spec_tells_the_frame_and_nothing_of_the_answer(split: str) -> None:
    told = spec("audit", split, 3)
    task = find_task("audit", split=split, index=3)
    case = task.case
    assert told == {
        "id": task.id,
        "index": 3,
        "split": split,
        "difficulty": case.difficulty,
        "max_steps": case.max_steps,
        "codes": len(case.claim),
        "setting": case.encounter.setting,
    }
    text = orjson.dumps(told).decode()
    assert case.id not in text
    assert not any(finding.error_type in text for finding in case.findings)


def test_a_spec_outside_of_its_split_is_refused() -> None:
    with pytest.raises(InputError, match="index"):
        spec("audit", "audit-seed-v1", 5)
