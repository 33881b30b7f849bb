"""An act is told to a model as a call and taken from it as one, in each family's own way."""

from __future__ import annotations

from typing import Any

import pytest

from casegen.env.families import FAMILIES, family
from casegen.env.prompt import Prompt
from casegen.env.trl import prompt_of
from casegen.schemas import InputError

CODING = [
    ({"primary_code": "I10", "secondary_codes": []}, "submit_draft"),
    ({"needs_review": False}, "submit_draft"),
    ({"request_hint": True}, "request_hint"),
    ({"primary_code": "I10", "finalize": True}, "finalize"),
    ({"finalize": True}, "finalize"),
]
AUDIT = [
    ({"action_type": "query_guideline", "code": "I10"}, "query_guideline"),
    ({"action_type": "submit_audit"}, "submit_audit"),
]
CALLS = [("coding", *one) for one in CODING] + [("audit", *one) for one in AUDIT]


@pytest.mark.parametrize(("name", "action", "act"), CALLS)
def test_an_action_and_its_call_say_the_same(name: str, action: dict[str, Any], act: str) -> None:
    prompt = prompt_of(name)
    called, given = prompt.call_of(action)
    assert called == act
    assert prompt.action_of(called, given) == action
    assert set(given) <= {field for one in prompt.acts if one.name == act for field in one.fields}


def test_an_act_of_audits_begins_with_its_type() -> None:
    action = prompt_of("audit").action_of("query_guideline", {"code": "I10"})
    assert list(action) == ["action_type", "code"]


@pytest.mark.parametrize("name", FAMILIES)
def test_every_act_is_taken_by_the_family(name: str) -> None:
    prompt = prompt_of(name)
    for act in prompt.acts:
        if not act.required:
            family(name).action(prompt.action_of(act.name, {}))


@pytest.mark.parametrize("name", FAMILIES)
def test_an_act_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        family(name).action(prompt_of(name).action_of("call_a_friend", {}))


@pytest.mark.parametrize("name", FAMILIES)
def test_what_a_call_names_is_the_act_whatever_stands_beside_it(name: str) -> None:
    prompt: Prompt = prompt_of(name)
    last = prompt.acts[-1]
    beside = {"action_type": "other", **dict.fromkeys(last.mark, False)}
    action = prompt.action_of(last.name, beside)
    assert {field: action[field] for field in last.mark} == dict(last.mark)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_acts_that_end_an_episode_come_last(name: str) -> None:
    prompt = prompt_of(name)
    ends = [act.ends for act in prompt.acts]
    assert ends == sorted(ends)
    assert prompt.enders() == {act.name for act in prompt.acts if act.ends}


def test_the_acts_of_coding_are_told_to_a_model_without_tools_as_they_are_written() -> None:
    told = prompt_of("coding").as_text()
    assert '{"request_hint": true}' in told
    assert '{"finalize": true, "primary_code"?: ...' in told
    assert "action_type" not in told
