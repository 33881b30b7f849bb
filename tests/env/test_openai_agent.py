"""A language model as an agent, against an endpoint on loopback that speaks the protocol."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from casegen.env.agents import Outcome, play
from casegen.env.audit.agents import AGENTS
from casegen.env.audit.prompt import prompt
from casegen.env.families import family
from casegen.env.openai_agent import MOST_GARBAGE, ModelAgent, first_object, model_maker
from casegen.env.openai_endpoint import (
    Chat,
    Endpoint,
    EndpointError,
    Patience,
    UnreachableError,
)
from casegen.env.tasks import find_task
from casegen.schemas.case import ErrorType
from casegen.schemas.pack import Task
from casegen.schemas.play import ActionType

from .endpoint import Answer, Heard, Request, call, endpoint, failure, message, text

AUDIT = family("audit")
QUICK = Patience(attempts=4, first_wait=0.01, call_seconds=5, episode_seconds=20)
NAMES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HF_TOKEN", "API_BASE_URL", "MODEL_NAME")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment of the run names is none of these tests' business."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def task() -> Task:
    return find_task("audit", task_id="audit-bench-v1/3")


class Script:
    """Answers with the acts of an agent that knows, as a model would."""

    def __init__(self, task: Task) -> None:
        self._agent = AGENTS["expert"](task, 0)
        self._episode = AUDIT.episode(task, "script")
        self._seen = self._episode.start()

    def act(self) -> dict[str, Any]:
        act = self._agent.act(self._seen)
        self._seen = self._episode.step(act)
        return {name: getattr(act, name) for name in act.__slots__ if getattr(act, name)}

    def with_tools(self, request: Request) -> Answer:
        act = self.act()
        return call(act.pop("action_type"), **act)

    def in_words(self, request: Request) -> Answer:
        return text(f"I think this is next:\n```json\n{json.dumps(self.act())}\n```\nDone.")


def run(task: Task, heard: Heard, patience: Patience = QUICK, **env: str) -> Outcome:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"OPENAI_BASE_URL": heard.url, **env}.items():
            patch.setenv(name, value)
        maker = model_maker(AUDIT, "some/model", patience)
    return play(AUDIT.episode(task, "e"), maker(task, 0))


# --- acts


def test_a_model_with_tools_plays_to_the_end(task: Task) -> None:
    with endpoint(Script(task).with_tools) as heard:
        outcome = run(task, heard, OPENAI_API_KEY="secret")
    assert (outcome.score, outcome.done, outcome.refused) == (1.0, True, 0)
    assert len(heard.requests) == outcome.steps
    assert set(heard.keys) == {"Bearer secret"}
    for request in heard.requests:
        assert (request["model"], request["temperature"]) == ("some/model", 0.2)
        assert {tool["function"]["name"] for tool in request["tools"]} == set(get_args(ActionType))
    first, last = heard.requests[0]["messages"], heard.requests[-1]["messages"]
    assert [one["role"] for one in first] == ["system", "user"]
    assert task.case.note.split("\n")[0] in first[1]["content"]
    assert last[3]["role"] == "tool"
    assert last[3]["tool_call_id"] == last[2]["tool_calls"][0]["id"]
    assert "ICD-10-CM" in last[3]["content"]


def test_what_a_model_is_told_holds_nothing_of_the_answer(task: Task) -> None:
    with endpoint(lambda _: call("submit_audit")) as heard:
        run(task, heard)
    told = json.dumps(heard.requests[0])
    for finding in task.case.findings:
        assert finding.explanation not in told
        if finding.correction.action == "replace":  # a modifier is a number like any other
            assert str(finding.correction.replacement) not in told
    assert task.case.id not in told


def test_a_model_without_tools_writes_json_and_is_not_offered_tools_again(task: Task) -> None:
    script = Script(task)

    def answer(request: Request) -> Answer:
        if "tools" in request:
            return failure(400, "this model does not support function calling")
        return script.in_words(request)

    with endpoint(answer) as heard:
        outcome = run(task, heard)
    assert (outcome.score, outcome.refused) == (1.0, 0)
    assert ["tools" in request for request in heard.requests] == [True] + [False] * outcome.steps
    assert '"action_type": "query_guideline"' in heard.requests[1]["messages"][0]["content"]


def test_a_model_may_write_json_though_it_was_offered_tools(task: Task) -> None:
    with endpoint(Script(task).in_words) as heard:
        assert run(task, heard).score == 1.0


def test_what_an_endpoint_does_not_know_is_left_out(task: Task) -> None:
    script = Script(task)

    def answer(request: Request) -> Answer:
        for name in ("temperature", "max_tokens"):
            if name in request:
                return failure(400, f"Unsupported parameter: '{name}' with this model.")
        return script.with_tools(request)

    with endpoint(answer) as heard:
        outcome = run(task, heard)
    assert outcome.score == 1.0
    assert len(heard.requests) == outcome.steps + 2


# --- patience


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_endpoint_is_asked_again(task: Task, status: int) -> None:
    script, busy = Script(task), [True, True]

    def answer(request: Request) -> Answer:
        if busy:
            busy.pop()
            return failure(status, "later")
        return script.with_tools(request)

    with endpoint(answer) as heard:
        outcome = run(task, heard)
    assert outcome.score == 1.0
    assert len(heard.requests) == outcome.steps + 2


def test_waits_double(task: Task) -> None:
    with endpoint(lambda _: failure(500, "broken")) as heard:
        begin = time.monotonic()
        with pytest.raises(EndpointError, match="broken"):
            run(task, heard, Patience(attempts=4, first_wait=0.1))
        # 0.1 + 0.2 + 0.4 between four attempts.
        assert 0.7 <= time.monotonic() - begin < 5
    assert len(heard.requests) == 4


def test_a_refusal_that_time_does_not_mend_ends_at_once(task: Task) -> None:
    with (
        endpoint(lambda _: failure(401, "no such key")) as heard,
        pytest.raises(EndpointError, match=r"some/model: .*no such key"),
    ):
        run(task, heard)
    assert len(heard.requests) == 1


@pytest.mark.parametrize("url", [None, "htp://127.0.0.1/v1"])
def test_an_address_where_nobody_listens_is_named_at_once(task: Task, url: str | None) -> None:
    with endpoint(lambda _: text("")) as heard:
        pass
    heard.url = url or heard.url
    begin = time.monotonic()
    with pytest.raises(UnreachableError, match="some/model: Connection error"):
        run(task, heard, Patience(first_wait=10))
    assert time.monotonic() - begin < 5


def test_an_endpoint_that_never_answers_is_given_up(task: Task) -> None:
    def answer(request: Request) -> Answer:
        time.sleep(0.5)
        return call("submit_audit")

    patience = Patience(attempts=2, first_wait=0.01, call_seconds=0.1)
    with endpoint(answer) as heard:
        begin = time.monotonic()
        with pytest.raises(EndpointError, match="timed out"):
            run(task, heard, patience)
        assert time.monotonic() - begin < 3


def test_when_the_time_of_an_episode_is_over_the_draft_is_handed_in(task: Task) -> None:
    script = Script(task)

    def answer(request: Request) -> Answer:
        time.sleep(0.12)
        return script.with_tools(request)

    with endpoint(answer) as heard:
        outcome = run(task, heard, Patience(episode_seconds=0.5))
    assert outcome.done
    assert outcome.steps <= 6


# --- garbage


def test_a_model_that_talks_nonsense_is_told_so_and_then_hands_in(task: Task) -> None:
    with endpoint(lambda _: text("I am not sure what to do.")) as heard:
        outcome = run(task, heard)
    assert (outcome.done, outcome.score, outcome.steps) == (True, 0.0, 1)
    assert outcome.refused == len(heard.requests) == MOST_GARBAGE
    assert (
        "one act, as a tool call or a JSON object" in heard.requests[1]["messages"][-1]["content"]
    )


@pytest.mark.parametrize(
    "answer",
    [
        call("query_guideline"),
        call("dance"),
        call("query_guideline", code=7),
        text('{"action_type": "flag_error", "code": ["O80"]}'),
        text("[1, 2]"),
        text('{"action_type": ' * 5_000),
        (200, {"choices": [{"index": 0, "message": {"role": "assistant", "tool_calls": []}}]}),
    ],
)
def test_no_answer_breaks_an_episode(task: Task, answer: Answer) -> None:
    with endpoint(lambda _: answer) as heard:
        outcome = run(task, heard)
    assert outcome.done
    assert outcome.score == 0.0


@pytest.mark.parametrize("answer", [(200, {}), (200, {"choices": []})])
def test_an_answer_without_a_choice_is_no_answer(task: Task, answer: Answer) -> None:
    with (
        endpoint(lambda _: answer) as heard,
        pytest.raises(EndpointError, match="without a choice"),
    ):
        run(task, heard)
    assert len(heard.requests) == QUICK.attempts


def test_of_several_calls_the_first_is_taken_and_the_model_is_told_so(task: Task) -> None:
    code = task.case.claim[0].code

    def called(name: str, arguments: str, number: int) -> dict[str, Any]:
        function = {"name": name, "arguments": arguments}
        return {"id": f"t{number}", "type": "function", "function": function}

    look = called("query_guideline", json.dumps({"code": code}), 0)
    answers = iter(
        [message(tool_calls=[look, called("submit_audit", "{}", 1)]), call("submit_audit")]
    )
    with endpoint(lambda _: next(answers)) as heard:
        outcome = run(task, heard)
    assert (outcome.done, outcome.steps) == (True, 2)
    assistant, tool = heard.requests[1]["messages"][2:]
    assert len(assistant["tool_calls"]) == 1
    assert tool["content"].startswith("Only the first of your 2 calls was taken: one act a step.")
    assert heard.requests[0]["parallel_tool_calls"] is False


@pytest.mark.parametrize(
    "complaint", ["Unknown parameter: parallel_tool_calls", "Extra inputs are not permitted"]
)
def test_an_endpoint_that_knows_no_parallel_calls_keeps_its_tools(
    task: Task, complaint: str
) -> None:
    script = Script(task)

    def answer(request: Request) -> Answer:
        if "parallel_tool_calls" in request:
            return failure(400, complaint)
        return script.with_tools(request)

    with endpoint(answer) as heard:
        outcome = run(task, heard)
    assert outcome.score == 1.0
    assert len(heard.requests) == outcome.steps + 1
    assert all("tools" in request for request in heard.requests)


def test_a_call_that_is_no_json_is_shown_to_the_model(task: Task) -> None:
    function = {"name": "query_guideline", "arguments": '{"code": "E11.9'}
    broken = message(tool_calls=[{"id": "t", "type": "function", "function": function}])
    answers = iter([broken, call("submit_audit")])
    with endpoint(lambda _: next(answers)) as heard:
        outcome = run(task, heard)
    assert outcome.refused == 1
    told = heard.requests[1]["messages"][-1]["content"]
    assert """query_guideline: '{"code": "E11.9': the arguments""" in told


def test_a_model_is_shown_the_last_turns_and_always_the_case() -> None:
    task = find_task("audit", task_id="audit-bench-v1/3")
    codes = [line.code for line in task.case.claim]

    def looks() -> Iterator[Answer]:
        while True:
            yield from (call("query_guideline", code=code) for code in codes)

    answers = looks()
    with endpoint(lambda _: next(answers)) as heard:
        chat = Chat("m", Endpoint(heard.url, "k"), QUICK)
        agent = ModelAgent(chat, prompt(), AUDIT.action, history=6_000)
        play(AUDIT.episode(task, "e"), agent)
        chat.close()
    assert len(heard.requests) == task.case.max_steps
    for request in heard.requests:
        said = request["messages"]
        assert said[0]["role"] == "system"
        assert task.case.note.strip()[:40] in said[1]["content"]
        kept = sum(len(json.dumps(one)) for one in said[2:])
        assert kept < 6_000 * 1.3 or len(said) == 4
        # Each call stands with its result.
        roles = [one["role"] for one in said[2:]]
        assert roles == ["assistant", "tool"] * (len(roles) // 2)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ('Sure! {"a": {"b": "}"}} and {"c": 2}', {"a": {"b": "}"}}),
        ('maybe {not json} but\n```json\n{"a": 1}\n```', {"a": 1}),
        ('{"x": 0} in words, then\n```\n{"a": 1}\n```', {"a": 1}),
        ('<think>{"half": </think>{"a": 1}', {"a": 1}),
        ("[1, 2]", None),
        ("", None),
        ("{" * 3_000, None),
    ],
)
def test_the_first_object_of_a_text_is_found(words: str, found: dict[str, Any] | None) -> None:
    assert first_object(words) == found


# --- tools


def test_each_act_is_a_tool_with_its_fields() -> None:
    tools = {tool["function"]["name"]: tool["function"] for tool in prompt().tools()}
    assert set(tools) == set(get_args(ActionType))
    flag = tools["flag_error"]["parameters"]
    assert flag["required"] == ["code", "error_type", "justification"]
    assert flag["properties"]["error_type"]["enum"] == list(get_args(ErrorType))
    assert flag["properties"]["code"]["type"] == "string"
    entry = tools["submit_report"]["parameters"]["properties"]["report"]["items"]
    assert {"code", "error_type"} <= set(entry["properties"])
    assert "$ref" not in json.dumps(list(tools.values()))
