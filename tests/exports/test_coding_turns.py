"""Rows for training that are made of coding episodes: turns that are right, and worse ones."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest

from casegen.env.families import family
from casegen.env.tasks import find_task
from casegen.exports.formats import row_format
from casegen.exports.model import Unit
from casegen.exports.replay import acts_of, play_acts
from casegen.exports.rollout import rollout
from casegen.exports.units import episode_seed
from casegen.schemas.coding_case import CodingCase
from casegen.schemas.pack import Task
from casegen.schemas.serial import content_hash

AGENTS = ("expert", "noisy", "rules", "random")
CASES = 30


@lru_cache
def units() -> tuple[Unit, ...]:
    tasks = [find_task("coding", split="train", seed=3, index=at) for at in range(CASES)]
    return tuple(
        Unit(
            one,
            content_hash(one.case),
            {name: rollout(one, name, episode_seed(one.case.id, name)) for name in AGENTS},
        )
        for one in tasks
    )


@lru_cache
def rows(config: str) -> tuple[tuple[Task, dict[str, Any]], ...]:
    return tuple((one.task, row) for one in units() for row in row_format(config).rows(one))


def ended(task: Task, acts: list[dict[str, Any]]) -> float:
    """What acts come to if the draft is handed in behind them."""
    last = [] if acts and acts[-1].get("finalize") else [{"finalize": True}]
    return play_acts(task, [*acts, *last])[1]


@pytest.mark.parametrize("config", ["sft", "sft_text"])
def test_episodes_to_learn_from_score_one_when_they_are_played_again(config: str) -> None:
    found = rows(config)
    assert len(found) == CASES
    for task, row in found:
        acts = list(acts_of(row["messages"], "coding"))
        assert play_acts(task, acts)[1] == 1.0
        assert all(
            message["content"] for message in row["messages"] if message["role"] == "assistant"
        )


def test_a_rejected_turn_is_another_after_the_same_history_and_costs() -> None:
    found = rows("preference")
    assert len(found) > CASES
    for task, row in found:
        history = list(acts_of(row["prompt"], "coding"))
        (chosen,), (rejected,) = (acts_of(row[name], "coding") for name in ("chosen", "rejected"))
        same = family("coding").lessons().same
        assert same(chosen) != same(rejected)
        assert row["score_rejected"] < row["score_chosen"] == 1.0
        assert row["why_rejected"]
        if rejected.get("finalize"):
            assert ended(task, [*history, rejected]) == pytest.approx(row["score_rejected"])


def test_a_draft_is_rejected_for_what_is_wrong_in_it() -> None:
    told = 0
    for task, row in rows("preference"):
        case = task.case
        assert isinstance(case, CodingCase)
        (rejected,) = acts_of(row["rejected"], "coding")
        named = {rejected.get("primary_code"), *rejected.get("secondary_codes", ())}
        for wrong in case.wrong:
            if f"{wrong.code} is wrong" in row["why_rejected"]:
                assert wrong.code in named
                told += 1
    assert told > 10


def test_good_turns_are_the_experts_and_bad_ones_labelled_mistakes_of_several_kinds() -> None:
    kinds = set()
    for _, row in rows("unpaired"):
        assert row["label"] is (row["mistake"] is None)
        assert row["agent"] == ("expert" if row["label"] else "noisy")
        kinds.add(row["mistake"])
    assert len(kinds) > 3


def test_a_labelled_mistake_is_one() -> None:
    for one in units():
        case = one.task.case
        assert isinstance(case, CodingCase)
        right = {gold.code for gold in case.gold()}
        right |= {code for gold in case.gold() for code in gold.equivalents}
        for step in one.episodes["noisy"].steps:
            if step.mistake in ("wrong_side", "less_specific", "ruled_out_coded"):
                act = step.action
                named = {act.get("primary_code"), *act.get("secondary_codes", ())} - {None}
                assert named - right
            if step.mistake in ("review_wrong", "review_missed"):
                assert step.action.get("needs_review", False) != case.needs_review
