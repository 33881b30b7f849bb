"""``casegen evaluate`` with models behind an endpoint: failures, threads, and what is kept."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from threading import Event, Lock
from typing import Any

import orjson
import pytest

import casegen.cli
from casegen.env import openai_agent
from casegen.env.openai_endpoint import Patience

from .endpoint import Answer, Heard, Request, call, endpoint, failure, text

QUICK = Patience(attempts=2, first_wait=0.01, call_seconds=1, episode_seconds=20)
PACK = ("--pack", "audit-bench-v1")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``casegen evaluate audit`` within this process: status, output, errors."""
    monkeypatch.setattr(casegen.cli, "_heed_signals", lambda: None)
    monkeypatch.setattr(openai_agent, "Patience", lambda: QUICK)
    for name in ("OPENAI_API_KEY", "HF_TOKEN", "API_BASE_URL", "MODEL_NAME"):
        monkeypatch.delenv(name, raising=False)

    def command(heard: Heard, *arguments: object) -> tuple[int, str, str]:
        monkeypatch.setenv("OPENAI_BASE_URL", heard.url)
        with pytest.raises(SystemExit) as end:
            casegen.cli.main(["evaluate", "audit", *map(str, arguments)])
        told = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, told.out, told.err

    return command


def objects(out: str) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in out.splitlines()]


def number(request: Request) -> int:
    """Which task of the benchmark a request is about."""
    found = re.search(r"Audit audit-bench-v1/(\d+) ", request["messages"][1]["content"])
    assert found is not None
    return int(found[1])


def failing_at(*numbers: int, status: int = 400) -> Callable[[Request], Answer]:
    def answer(request: Request) -> Answer:
        if number(request) in numbers:
            return failure(status, "this prompt is refused")
        return call("submit_audit")

    return answer


@pytest.mark.parametrize("status", [400, 401, 500])
def test_an_episode_in_which_the_endpoint_fails_counts_and_the_next_is_played(
    run: Run, status: int
) -> None:
    with endpoint(failing_at(1, 3, status=status)) as heard:
        came, out, err = run(heard, "--agent", "openai:m", *PACK, "-n", 5, "--json")
    [data] = objects(out)
    assert came == 0
    assert (data["n"], data["failed"], data["unfinished"], data["complete"]) == (5, 2, 0, True)
    assert [task for task, _ in data["scores"]] == [f"audit-bench-v1/{at}" for at in range(5)]
    assert err.startswith("casegen: openai:m: 2 episodes failed (score 0), the last: m: ")
    assert "this prompt is refused" in err


def test_a_call_that_times_out_fails_its_episode_alone(run: Run) -> None:
    def answer(request: Request) -> Answer:
        if number(request) == 0:
            time.sleep(1.3)
        return call("submit_audit")

    with endpoint(answer) as heard:
        came, out, err = run(heard, "--agent", "openai:m", *PACK, "-n", 2, "--json")
    assert (came, objects(out)[0]["failed"]) == (0, 1)
    assert "timed out" in err


def test_three_failures_in_a_row_end_it_with_what_was_played(run: Run) -> None:
    with endpoint(failing_at(2, 4, 5, 6, 7)) as heard:
        asked = ("--agent", "openai:m", "--agent", "noop", *PACK, "-n", 20, "--json")
        came, out, err = run(heard, *asked)
        table = run(heard, *asked[:-1])
    model, noop = objects(out)
    assert came == table[0] == 1
    assert (model["n"], model["failed"], model["complete"]) == (7, 4, False)
    assert (noop["n"], noop["complete"]) == (20, True)
    assert "7 of 20 episodes played" in err
    assert table[1].startswith("Up to 20 episodes each: ")


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_key_that_is_refused_at_the_first_call_ends_it_in_one_line(run: Run, status: int) -> None:
    with endpoint(lambda _: failure(status, "no such key")) as heard:
        came, out, err = run(heard, "--agent", "openai:m", *PACK)
    assert (came, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("casegen: m: ")
    assert len(heard.requests) == 1


def test_an_address_where_nobody_listens_ends_it_in_one_line_and_loses_no_result(run: Run) -> None:
    with endpoint(lambda _: text("")) as heard:
        pass
    begin = time.monotonic()
    came, out, err = run(heard, "--agent", "noop", "--agent", "openai:m", *PACK, "-n", 9, "--json")
    assert time.monotonic() - begin < 20
    assert (came, err.count("\n")) == (2, 1)
    assert "Connection error" in err
    assert [(one["agent"], one["n"]) for one in objects(out)] == [("noop", 9)]


# --- several at a time


def test_several_episodes_are_played_at_a_time_and_told_in_order(run: Run) -> None:
    lock, busy, most = Lock(), 0, 0

    def answer(request: Request) -> Answer:
        nonlocal busy, most
        with lock:
            busy += 1
            most = max(most, busy)
        time.sleep(0.05 + 0.1 * (number(request) % 3 == 0))
        with lock:
            busy -= 1
        return call("submit_audit")

    asked = ("--agent", "openai:m", *PACK, "-n", 12, "--json")
    with endpoint(answer) as heard:
        one = run(heard, *asked)
        assert most == 1
        many = run(heard, *asked, "--jobs", 4)
    assert most == 4
    assert one == many
    assert one[0] == 0


def test_a_refused_key_ends_several_at_a_time_too(run: Run) -> None:
    with endpoint(lambda _: failure(401, "no such key")) as heard:
        came, out, err = run(heard, "--agent", "openai:m", *PACK, "--jobs", 3)
    assert (came, out, err.count("\n")) == (2, "", 1)


def test_threads_do_not_lose_the_tools_when_a_setting_is_refused(run: Run) -> None:
    def answer(request: Request) -> Answer:
        if "temperature" in request:
            time.sleep(0.1)  # so that all are under way with it
            return failure(400, "Unsupported parameter: 'temperature'")
        return call("submit_audit")

    with endpoint(answer) as heard:
        came, out, _ = run(heard, "--agent", "openai:m", *PACK, "-n", 8, "--jobs", 4, "--json")
    assert (came, objects(out)[0]["failed"]) == (0, 0)
    assert all("tools" in request for request in heard.requests)


# --- Ctrl-C


@pytest.fixture
def ears() -> Iterator[None]:
    """A run in the background ignores SIGINT, and its children would, too."""
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_what_was_played_so_far(ears: None, jobs: str) -> None:
    reached, enough = Event(), Event()

    def answer(request: Request) -> Answer:
        if number(request) >= 4:
            reached.set()
            enough.wait(30)
        return call("submit_audit")

    command = [sys.executable, "-m", "casegen", "evaluate", "audit", *PACK, "-n", "9"]
    with endpoint(answer) as heard:
        game = subprocess.Popen(
            [*command, "--agent", "noop", "--agent", "openai:m", "--jobs", jobs, "--json"],
            env={**os.environ, "OPENAI_BASE_URL": heard.url},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert reached.wait(60)
            time.sleep(0.5)
            game.send_signal(signal.SIGINT)
            out, err = game.communicate(timeout=30)
        finally:
            game.kill()
            enough.set()
    assert game.returncode == 130
    noop, model = objects(out)
    assert (noop["n"], model["n"], model["complete"]) == (9, 4, False)
    assert "4 of 9 episodes played" in err
    assert "Traceback" not in err
    assert json.dumps(model["scores"]).count("audit-bench-v1/") == 4
