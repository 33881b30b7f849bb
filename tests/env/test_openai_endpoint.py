"""One chat completion from an endpoint: what it remembers, and where its key goes."""

from __future__ import annotations

import sys
import time

import pytest

from casegen.env.agents import agent_maker
from casegen.env.audit.prompt import prompt
from casegen.env.families import family
from casegen.env.openai_endpoint import ROUTER, Chat, Endpoint, EndpointError, Patience
from casegen.env.openai_endpoint import endpoint as place_of
from casegen.schemas import InputError

from .endpoint import Answer, Request, call, endpoint, failure

AUDIT = family("audit")
QUICK = Patience(attempts=4, first_wait=0.01, call_seconds=5)
NAMES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HF_TOKEN", "API_BASE_URL", "MODEL_NAME")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment of the run names is none of these tests' business."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def test_an_endpoint_that_once_answered_is_waited_for() -> None:
    def answer(request: Request) -> Answer:
        return call("query_guideline", code="O80")

    with endpoint(answer) as heard:
        chat = Chat("m", Endpoint(heard.url, "k"), QUICK)
        assert chat.complete([], [], time.monotonic() + 5).content is None
    begin = time.monotonic()
    with pytest.raises(EndpointError) as told:
        chat.complete([], [], time.monotonic() + 5)
    assert type(told.value) is EndpointError
    assert time.monotonic() - begin > 0.06  # 0.01 + 0.02 + 0.04


def test_one_refused_prompt_does_not_take_the_tools_from_the_next() -> None:
    answers = iter([call("submit_audit"), failure(400, "too long"), call("submit_audit")])
    with endpoint(lambda _: next(answers)) as heard:
        chat = Chat("m", Endpoint(heard.url, "k"), QUICK)
        tools = prompt().tools()
        assert chat.complete([], tools, time.monotonic() + 5) is not None
        with pytest.raises(EndpointError, match="too long"):
            chat.complete([], tools, time.monotonic() + 5)
        assert chat.complete([], tools, time.monotonic() + 5) is not None
        chat.close()
    assert all("tools" in request for request in heard.requests)


# --- keys and addresses


@pytest.mark.parametrize(
    ("env", "url", "key"),
    [
        ({"OPENAI_API_KEY": "k"}, None, "k"),
        ({"HF_TOKEN": "t"}, ROUTER, "t"),
        ({"HF_TOKEN": "t", "API_BASE_URL": "u"}, "u", "t"),
        ({"OPENAI_API_KEY": "k", "HF_TOKEN": "t"}, None, "k"),
        ({"OPENAI_API_KEY": "k", "HF_TOKEN": "t", "API_BASE_URL": "u"}, "u", "t"),
        ({"OPENAI_API_KEY": "k", "HF_TOKEN": "t", "OPENAI_BASE_URL": "o"}, "o", "k"),
        ({"OPENAI_API_KEY": "k", "API_BASE_URL": "u"}, "u", "k"),
        ({"OPENAI_BASE_URL": "o"}, "o", "unset"),
        ({"OPENAI_BASE_URL": "", "HF_TOKEN": "t"}, ROUTER, "t"),
    ],
)
def test_a_key_goes_to_the_address_that_it_belongs_to(
    env: dict[str, str], url: str | None, key: str
) -> None:
    found = place_of(env)
    assert (found.base_url, found.key) == (url, key)


def test_without_key_and_address_the_user_is_told_which_to_set() -> None:
    with pytest.raises(InputError, match="set OPENAI_API_KEY or HF_TOKEN"):
        agent_maker(AUDIT, "openai:some/model")


def test_a_model_needs_a_name() -> None:
    with pytest.raises(InputError, match="MODEL_NAME"):
        agent_maker(AUDIT, "openai:")


def test_without_the_package_the_user_is_told_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(InputError, match=r"pip install '\.\[openai\]'"):
        agent_maker(AUDIT, "openai:some/model")
