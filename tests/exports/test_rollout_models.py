"""``casegen rollout`` with a model whose endpoint fails: what was played stays."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import orjson
import pytest

from casegen.env import openai_agent
from casegen.env.openai_endpoint import Patience

from ..env.endpoint import Answer, Heard, Request, call, endpoint, failure
from .conftest import Cli, Result

QUICK = Patience(attempts=2, first_wait=0.01, call_seconds=1, episode_seconds=20)
Run = Callable[..., Result]


@pytest.fixture
def run(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Roll four cases out with a model at an endpoint."""
    monkeypatch.setattr(openai_agent, "Patience", lambda: QUICK)
    for name in ("OPENAI_API_KEY", "HF_TOKEN", "API_BASE_URL", "MODEL_NAME"):
        monkeypatch.delenv(name, raising=False)

    def command(heard: Heard, *arguments: object) -> Result:
        monkeypatch.setenv("OPENAI_BASE_URL", heard.url)
        # Another model each time, so that none is remembered with an earlier address.
        agent = f"openai:{heard.url.rpartition(':')[2]}"
        return cli("rollout", "audit", "--agent", agent, "-n", 4, *arguments)

    return command


def after(good: int, then: Answer) -> Callable[[Request], Answer]:
    """An endpoint that hands in so many audits, and then gives another answer."""
    asked = 0

    def answer(_: Request) -> Answer:
        nonlocal asked
        asked += 1
        return call("submit_audit") if asked <= good else then

    return answer


def episodes(content: bytes) -> list[dict[str, Any]]:
    assert content.endswith(b"\n")
    return [orjson.loads(line) for line in content.splitlines()]


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz"])
@pytest.mark.parametrize("status", [401, 500])
def test_what_was_played_stays_in_the_file_with_one_line_that_says_how_many(
    ending: str, status: int, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / f"episodes.{ending}"
    with endpoint(after(2, failure(status, "out of order"))) as heard:
        result = run(heard, "-o", path)
    content = path.read_bytes()
    found = episodes(gzip.decompress(content) if ending.endswith("gz") else content)
    assert [episode["steps"][-1]["done"] for episode in found] == [True, True]
    assert (result.status, result.out, result.err.count("\n")) == (1, "", 1)
    assert "out of order" in result.err
    assert "; 2 of 4 episodes of openai:" in result.err
    assert result.err.endswith(f" are in {path}\n")
    assert list(tmp_path.iterdir()) == [path]


def test_an_older_file_stays_and_the_episodes_lie_beside_it(run: Run, tmp_path: Path) -> None:
    path, beside = tmp_path / "episodes.jsonl", tmp_path / "episodes.part.jsonl"
    path.write_bytes(b"whole\n")
    with endpoint(after(3, failure(500, "out of order"))) as heard:
        result = run(heard, "-o", path)
    assert path.read_bytes() == b"whole\n"
    assert len(episodes(beside.read_bytes())) == 3
    assert result.status == 1
    assert result.err.endswith(f"3 of 4 episodes of openai:{_port(heard)} are in {beside}, "
                               f"and {path} is as it was\n")  # fmt: skip


def test_without_an_episode_there_is_no_file_and_an_older_one_stays(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "episodes.jsonl"
    for old in (None, b"whole\n"):
        if old is not None:
            path.write_bytes(old)
        with endpoint(after(0, failure(401, "no such key"))) as heard:
            assert "no such key" in run(heard, "-o", path).complaint()
        assert list(tmp_path.iterdir()) == ([] if old is None else [path])


def test_a_stream_has_the_episodes_and_the_line_says_how_many(run: Run) -> None:
    with endpoint(after(1, failure(500, "out of order"))) as heard:
        result = run(heard)
    assert len(episodes(result.out.encode())) == 1
    assert result.status == 1
    assert result.err.endswith("1 of 4 episodes of openai:" + _port(heard) + " were written\n")


def test_where_nothing_fails_the_file_is_whole(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "episodes.jsonl"
    path.write_bytes(b"older\n")
    with endpoint(lambda _: call("submit_audit")) as heard:
        result = run(heard, "-o", path)
    assert result.status == 0
    assert len(episodes(path.read_bytes())) == 4
    assert list(tmp_path.iterdir()) == [path]


def _port(heard: Heard) -> str:
    return heard.url.rpartition(":")[2]


# --- Ctrl-C


@pytest.fixture
def ears() -> Iterator[None]:
    """A run in the background ignores SIGINT, and its children would, too."""
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_keeps_what_a_model_has_played(ears: None, tmp_path: Path) -> None:
    reached, enough = Event(), Event()
    asked = 0

    def answer(_: Request) -> Answer:
        nonlocal asked
        asked += 1
        if asked > 2:
            reached.set()
            enough.wait(30)
        return call("submit_audit")

    path = tmp_path / "episodes.jsonl"
    command = [sys.executable, "-m", "casegen", "rollout", "audit", "--agent", "openai:m"]
    with endpoint(answer) as heard:
        game = subprocess.Popen(
            [*command, "-n", "9", "-o", str(path)],
            env={**os.environ, "OPENAI_BASE_URL": heard.url},
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert reached.wait(60)
            time.sleep(0.5)
            game.send_signal(signal.SIGINT)
            _, err = game.communicate(timeout=30)
        finally:
            game.kill()
            enough.set()
    assert game.returncode == 130
    assert err == f"casegen: interrupted; 2 of 9 episodes of openai:m are in {path}\n"
    assert len(episodes(path.read_bytes())) == 2
