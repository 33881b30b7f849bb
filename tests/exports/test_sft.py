"""Episodes as messages, for fine-tuning."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from casegen.exports.formats import row_format
from casegen.exports.messages import prompt_of
from casegen.exports.model import Unit
from casegen.exports.openai_rows import openai_line, openai_row
from casegen.exports.replay import acts_of, play_acts
from casegen.schemas.pack import Task

from .played import documented, played, task, tasks, unit

CASES = 40


def row(config: str, one: Task) -> dict[str, Any]:
    (found,) = row_format(config).rows(unit(one))
    return found


@pytest.mark.parametrize("config", ["sft", "sft_text"])
def test_the_messages_replayed_through_the_parser_give_rewards_and_score(config: str) -> None:
    for one in (*tasks()[:CASES], *documented()):
        episode = played(one, "expert")
        rewards, score = play_acts(one, acts_of(row(config, one)["messages"]))
        assert rewards == [step.reward for step in episode.steps]
        assert score == episode.score == 1.0


def test_turns_alternate_between_a_call_and_its_result_and_the_last_hands_in() -> None:
    for one in tasks()[:CASES]:
        system, user, *turns = row("sft", one)["messages"]
        assert (system["role"], user["role"]) == ("system", "user")
        assert one.case.note in user["content"]
        for at, message in enumerate(turns):
            if at % 2 == 0:
                assert message["role"] == "assistant"
                assert message["content"]
                (call,) = message["tool_calls"]
                assert call["type"] == "function"
                assert isinstance(call["function"]["arguments"], dict)
                name = call["function"]["name"]
            else:
                assert (message["role"], message["name"]) == ("tool", name)
        assert name == "submit_audit"
        assert turns[-1]["role"] == "assistant"


def test_every_call_is_one_of_the_tools_and_has_what_that_needs() -> None:
    for one in tasks()[:CASES]:
        found = row("sft", one)
        tools = {
            tool["function"]["name"]: tool["function"]["parameters"] for tool in found["tools"]
        }
        for message in found["messages"]:
            for call in message.get("tool_calls", ()):
                schema = tools[call["function"]["name"]]
                given = set(call["function"]["arguments"])
                assert set(schema["required"]) <= given <= set(schema["properties"])


def test_an_episode_that_did_not_score_one_is_left_out() -> None:
    whole = unit(task(0))
    low = replace(played(task(0), "expert"), score=0.9)
    for config in ("sft", "sft_text"):
        assert not list(row_format(config).rows(Unit(whole.task, "", {"expert": low})))
        assert not list(row_format(config).rows(Unit(whole.task, "", {})))


def test_text_messages_have_role_and_text_alone_and_take_turns() -> None:
    for one in tasks()[:CASES]:
        messages = row("sft_text", one)["messages"]
        assert all(set(message) == {"role", "content"} for message in messages)
        roles = [message["role"] for message in messages]
        assert roles[0] == "system"
        assert roles[1:] == ["user", "assistant"] * (len(roles) // 2)
        assert all(act.name in messages[0]["content"] for act in prompt_of("audit").acts)


def test_openai_rows_number_their_calls_and_write_arguments_as_text() -> None:
    for one in tasks()[:CASES]:
        told = openai_row(row("sft", one))
        assert set(told) == {"messages", "tools", "parallel_tool_calls"}
        called = None
        ids = []
        for message in told["messages"]:
            if message["role"] == "tool":
                assert message["tool_call_id"] == called
                assert set(message) == {"role", "tool_call_id", "content"}
            for call in message.get("tool_calls", ()):
                called = call["id"]
                ids.append(called)
                assert isinstance(orjson.loads(call["function"]["arguments"]), dict)
        assert len(ids) == len(set(ids))
        _, score = play_acts(one, acts_of(told["messages"]))
        assert score == played(one, "expert").score
        assert orjson.loads(openai_line(row("sft", one))) == told


@pytest.mark.parametrize("config", ["sft", "sft_text", "preference", "unpaired", "prompts"])
def test_rows_pass_through_datasets_unchanged(config: str) -> None:
    datasets = pytest.importorskip("datasets")
    made = row_format(config)
    rows = [row for one in tasks()[:6] for row in made.rows(unit(one))]
    assert rows
    assert made.name == config
    held = datasets.Dataset.from_list(rows, features=made.features())
    assert held.features == made.features()
    assert {"id", "family", "case_id", "split", "difficulty"} <= set(held.column_names)
    assert list(held) == rows


@pytest.mark.parametrize("config", ["sft", "sft_text", "preference", "unpaired", "prompts"])
def test_ids_of_rows_are_unique(config: str) -> None:
    ids = [row["id"] for one in tasks()[:CASES] for row in row_format(config).rows(unit(one))]
    assert len(ids) == len(set(ids))
