"""Rows for training that are made of rx episodes: turns that are right, and worse ones."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import pytest

from casegen.env.families import family
from casegen.env.rx.profiles import strict
from casegen.env.tasks import find_task
from casegen.exports.formats import row_format
from casegen.exports.messages import turn
from casegen.exports.model import Unit
from casegen.exports.replay import acts_of, play_acts
from casegen.exports.rewards import rx_reward
from casegen.exports.rollout import replay, rollout
from casegen.exports.units import episode_seed
from casegen.schemas import InputError
from casegen.schemas.pack import Task
from casegen.schemas.rx_case import RxCase
from casegen.schemas.serial import content_hash

AGENTS = ("expert", "careless", "noisy", "rules", "random")
CASES = 40


@lru_cache
def units() -> tuple[Unit, ...]:
    tasks = [find_task("rx", split="train", seed=3, index=at) for at in range(CASES)]
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


@pytest.mark.parametrize("config", ["sft", "sft_text"])
def test_episodes_to_learn_from_score_one_when_they_are_played_again(config: str) -> None:
    found = rows(config)
    assert len(found) == CASES
    for task, row in found:
        assert play_acts(task, list(acts_of(row["messages"], "rx")))[1] == 1.0
        assert all(
            message["content"] for message in row["messages"] if message["role"] == "assistant"
        )


def test_every_episode_comes_to_its_score_when_it_is_played_again() -> None:
    for one in units():
        for episode in one.episodes.values():
            rewards, score = replay(episode, one.task)
            assert score == episode.score
            assert rewards == [step.reward for step in episode.steps]


def test_a_rejected_answer_stands_after_the_same_record_and_costs() -> None:
    found = rows("preference")
    assert len(found) > CASES / 2
    for task, row in found:
        history = list(acts_of(row["prompt"], "rx"))
        (chosen,), (rejected,) = (acts_of(row[name], "rx") for name in ("chosen", "rejected"))
        same = family("rx").lessons().same
        assert same(chosen) != same(rejected)
        assert row["score_rejected"] < row["score_chosen"] == 1.0
        assert row["why_rejected"]
        assert play_acts(task, [*history, rejected])[1] == pytest.approx(row["score_rejected"])
        assert play_acts(task, [*history, chosen])[1] == 1.0


def test_an_answer_is_rejected_for_what_is_wrong_in_it() -> None:
    told = 0
    for task, row in rows("preference"):
        case = task.case
        assert isinstance(case, RxCase)
        (rejected,) = acts_of(row["rejected"], "rx")
        lists = ("interactions_found", "allergy_conflicts", "contraindications_found")
        named = [name for field in lists for name in rejected.get(field, ())]
        for finding in case.findings:
            if finding.names and f"{finding.names[0]} is missing" in row["why_rejected"]:
                assert finding.names[0] not in named
                told += 1
        for name in named:
            if f"{name} is no finding" in row["why_rejected"]:
                assert not any(name in finding.names for finding in case.findings)
                told += 1
    assert told > 5


def test_single_turns_are_good_and_bad_in_the_voices_of_both_kinds_of_agents() -> None:
    kinds, voices = set(), {True: set(), False: set()}
    for _, row in rows("unpaired"):
        assert row["label"] is (row["mistake"] is None)
        voices[row["label"]].add(row["agent"])
        kinds.add(row["mistake"])
    assert len(kinds) > 3
    assert voices[True] >= {"expert", "rules"}
    assert voices[False] >= {"careless", "noisy"}


def test_neither_label_nor_length_stands_out() -> None:
    labels = [row["label"] for _, row in rows("unpaired")]
    assert 0.3 < sum(labels) / len(labels) < 0.7
    longer = [
        len(row["chosen"][0]["content"]) > len(row["rejected"][0]["content"])
        for _, row in rows("preference")
    ]
    assert 0.3 < sum(longer) / len(longer) < 0.8


def test_a_pair_says_why_the_chosen_turn_is_right() -> None:
    for _, row in rows("preference"):
        assert row["why_chosen"].endswith(".")
        assert "is right" in row["why_chosen"] or "not read before" in row["why_chosen"]


def test_a_labelled_mistake_is_one() -> None:
    lessons = family("rx").lessons()
    for one in units():
        for agent in ("noisy", "careless"):
            for step in one.episodes[agent].steps:
                if step.mistake:
                    act = family("rx").action(step.action)
                    assert strict.answer(one.task.case, act, 1.0) < 1  # type: ignore[arg-type]
                    score, complaint = lessons.outlook(one.task, step.observation, step.action)
                    assert (score < 1, complaint) == (True, None)


def test_the_prompt_shows_no_part_of_the_record() -> None:
    for task, row in rows("prompts"):
        case = task.case
        assert isinstance(case, RxCase)
        text = " ".join(message["content"] for message in row["prompt"])
        for span in (*case.allergies, *case.medications):
            assert span.text not in text
        assert case.rationale not in text


def test_a_completion_earns_what_its_acts_come_to() -> None:
    one = units()[0]
    (row,) = row_format("prompts").rows(one)
    told = {"answer": [row["answer"]], "reset": [row["reset"]]}
    for agent in ("expert", "careless", "rules"):
        episode = one.episodes[agent]
        said = [turn("rx", step) for step in episode.steps]
        assert rx_reward(completions=[said], **told) == [episode.score]
    looks = [turn("rx", step) for step in one.episodes["expert"].steps[:-1]]
    for nothing in (looks, "I would reject it.", '{"action_type": "dispense"}', looks * 9):
        assert rx_reward(completions=[nothing], **told) == [0.0]
    other = {**told, "reset": [{**row["reset"], "index": 1}]}
    with pytest.raises(InputError):
        rx_reward(completions=[""], **other)


def test_of_a_text_the_last_answer_outside_of_thoughts_is_played() -> None:
    one = units()[0]
    (row,) = row_format("prompts").rows(one)
    told = {"answer": [row["answer"]], "reset": [row["reset"]], "family": ["rx"]}
    answer = dict(one.episodes["expert"].steps[-1].action)
    named = json.dumps(answer)
    answer.pop("action_type")
    bare, wrong = json.dumps(answer), '{"dosage_safe": null, "recommendation": "none"}'
    (right,) = rx_reward(completions=[named], **told)
    assert right > 0.9
    for text in (bare, f"<think>{wrong}</think>{bare}", f"Not {wrong}, but {bare}"):
        assert rx_reward(completions=[text], **told) == [right]
