"""A completion of any shape is paid, and one without an act earns 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from casegen.env.tasks import find_task
from casegen.exports.formats.prompts import answer_of
from casegen.exports.rewards import audit_reward, coding_reward, rx_reward

ROW = {"split": "train", "seed": 7, "index": 2}
REWARDS = {"audit": audit_reward, "coding": coding_reward, "rx": rx_reward}
Reward = Callable[[Any], float]


def said(content: Any, **more: Any) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": content, **more}]


def called(*calls: Any) -> list[dict[str, Any]]:
    return said("", tool_calls=list(calls))


ODD = [
    None, 5, 1.5, True, b"text", {"role": "assistant"}, [], [5], [None], [[]], [{}],
    [{"content": "text"}], [{"role": "assistant"}], [{"role": ["assistant"], "content": "text"}],
    said(None), said(5), said([]), said([5, None, {"type": "image"}, {"type": "text", "text": 5}]),
    said("", tool_calls=5), said("", tool_calls="text"), said("", tool_calls={"function": None}),
    called(None), called("text"), called(5), called([]), called({}), called({"function": None}),
    called({"function": "submit_report"}), called({"function": 5}), called({"function": {}}),
    called({"function": {"name": None}}), called({"function": {"name": ["submit"]}}),
    called({"function": {"name": "submit", "arguments": 5}}),
    called({"function": {"name": "submit_report", "arguments": [5]}}),
    called({"function": {"name": "finalize", "arguments": "[5"}}),
]  # fmt: skip


@pytest.fixture(scope="module", params=REWARDS)
def family(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def reward(family: str) -> Reward:
    answer = answer_of(find_task(family, **ROW).case)
    return lambda completion: REWARDS[family]([completion], [answer], [ROW])[0]


@pytest.mark.parametrize("completion", ODD, ids=lambda one: repr(one)[:60])
def test_what_holds_no_act_earns_nothing_and_stops_no_training(
    reward: Reward, completion: Any
) -> None:
    assert reward(completion) == 0.0


@pytest.fixture(scope="module")
def right(family: str) -> dict[str, Any]:
    """An act that earns something."""
    answer = answer_of(find_task(family, **ROW).case)
    if family == "audit":
        report = [{name: one[name] for name in ("code", "error_type")} for one in answer]
        return {"action_type": "submit_report", "report": report}
    if family == "coding":
        first, *others = [one["code"] for one in answer if "code" in one]
        return {"primary_code": first, "secondary_codes": others, "finalize": True}
    told = {name: answer[0][name] for name in ("dosage_safe", "recommendation")}
    found = [name for one in answer[1:] for name in one["names"]]
    lists = {"interactions_found": found, "allergy_conflicts": []}
    return {"action_type": "submit", **told, **lists}


def test_content_in_parts_is_paid_as_one_text(reward: Reward, right: dict[str, Any]) -> None:
    text = orjson.dumps(right).decode()
    paid = reward(said(text))
    assert paid > 0
    half = len(text) // 2
    parts = [{"type": "text", "text": text[:half]}, {"type": "image"}, text[half:]]
    assert reward(said(parts)) == paid
    assert reward([5, None, *said(text)]) == paid
