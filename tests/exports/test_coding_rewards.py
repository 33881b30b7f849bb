"""A coding case as a row of ``prompts``, and what single answers to it earn."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import pytest

from casegen.env.families import family
from casegen.env.tasks import find_task
from casegen.exports.formats.prompts import rows
from casegen.exports.model import Unit
from casegen.exports.rewards import coding_reward
from casegen.schemas import InputError
from casegen.schemas.coding_case import CodingCase
from casegen.schemas.pack import Task
from casegen.schemas.serial import content_hash


@lru_cache
def sample() -> tuple[Task, ...]:
    return tuple(find_task("coding", split="train", seed=3, index=at) for at in range(12))


def row(one: Task) -> dict[str, Any]:
    (found,) = rows(Unit(one, content_hash(one.case), {}))
    return found


def reward(one: Task, completion: Any) -> float:
    found = row(one)
    (score,) = coding_reward(
        completions=[completion], answer=[found["answer"]], reset=[found["reset"]], prompts=[""]
    )
    return score


def draft(one: Task) -> dict[str, Any]:
    case = one.case
    assert isinstance(case, CodingCase)
    return {
        "primary_code": case.primary.code,
        "secondary_codes": [gold.code for gold in case.secondary],
        "needs_review": case.needs_review,
    }


def call(name: str, **arguments: Any) -> list[dict[str, Any]]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    calls = [{"id": "1", "type": "function", "function": function}]
    return [{"role": "assistant", "content": "", "tool_calls": calls}]


def test_reset_recreates_exactly_that_case() -> None:
    for one in sample():
        found = row(one)
        again = find_task(found["family"], **found["reset"])
        assert content_hash(again.case) == found["content_hash"]


def test_the_prompt_holds_the_note_and_the_codes_and_nothing_of_the_answer() -> None:
    for one in sample():
        case = one.case
        assert isinstance(case, CodingCase)
        system, user = (message["content"] for message in row(one)["prompt"])
        assert case.note in user
        assert all(allowed.code in user for allowed in case.allowed)
        for hidden in (*case.hints, *(gold.reason for gold in case.gold())):
            assert hidden not in user
            assert hidden not in system


def test_the_answer_names_the_primary_code_first_and_the_review_flag_last() -> None:
    for one in sample():
        case = one.case
        assert isinstance(case, CodingCase)
        *codes, flag = row(one)["answer"]
        assert [told["code"] for told in codes] == [gold.code for gold in case.gold()]
        assert [told["primary"] for told in codes] == [True] + [False] * len(case.secondary)
        assert flag == {"needs_review": case.needs_review}


def test_a_right_draft_earns_one_as_a_call_in_parts_and_as_json() -> None:
    for one in sample():
        right = draft(one)
        first, rest = {"primary_code": right.pop("primary_code")}, right
        whole = {**first, **rest}
        assert reward(one, call("finalize", **whole)) == 1.0
        assert reward(one, call("submit_draft", **first) + call("finalize", **rest)) == 1.0
        assert reward(one, f"I would say:\n```json\n{json.dumps(whole)}\n```") == 1.0


def test_a_wrong_draft_earns_what_the_environment_pays() -> None:
    for one in sample():
        played = family("coding")
        wrong = {**draft(one), "secondary_codes": []}
        episode = played.episode(one, "x")
        episode.start()
        score = episode.step(played.action({**wrong, "finalize": True})).grader_score
        assert reward(one, call("finalize", **wrong)) == score


@pytest.mark.parametrize(
    "completion",
    [
        "",
        "I10",
        call("request_hint"),
        call("call_a_friend", primary_code="I10"),
        call("finalize"),
        call("finalize", primary_code="NOT.A.CODE"),
        call("finalize", primary_code=7),
        call("finalize", secondary_codes="I10"),
    ],
)
def test_what_holds_no_draft_earns_nothing_and_raises_nothing(completion: Any) -> None:
    for one in sample()[:3]:
        assert reward(one, completion) == 0.0


def test_all_allowed_codes_at_once_earn_next_to_nothing() -> None:
    for one in sample():
        case = one.case
        assert isinstance(case, CodingCase)
        first, *rest = (allowed.code for allowed in case.allowed)
        assert reward(one, call("finalize", primary_code=first, secondary_codes=rest)) <= 0.05


def test_a_row_of_another_case_is_told() -> None:
    one, other = sample()[:2]
    with pytest.raises(InputError, match="answer"):
        coding_reward([""], [row(one)["answer"]], [row(other)["reset"]])
