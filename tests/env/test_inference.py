"""The documented inference script: what it prints while a model plays on a server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from casegen.env.audit.agents import AGENTS
from casegen.env.audit.inference import TASKS, act_line, main
from casegen.env.families import family
from casegen.env.packs import pack
from casegen.env.tasks import find_task
from casegen.schemas import InputError
from casegen.schemas.play import AuditAction, AuditObservation

from .endpoint import Answer, Request, call, endpoint, failure, text

AUDIT = family("audit")
START = re.compile(r"\[START\] task=(\S+) env=(\S+) model=(\S+)")
STEP = re.compile(
    r"\[STEP\] step=(\d+) action=(\w+\(.*\)) reward=(-?\d+\.\d\d) done=(true|false) error=(.+)"
)
END = re.compile(
    r"\[END\] success=(true|false) steps=(\d+) score=(\d\.\d\d) rewards=((?:-?\d+\.\d\d,?)*)"
)


@contextmanager
def environment() -> Iterator[str]:
    """The documented HTTP routes around the episodes of the engine."""
    episodes: dict[str, Any] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                seen = self._reset(body) if self.path == "/reset" else self._step(body)
                self._send(200, seen)
            except InputError as error:
                self._send(422, {"detail": str(error)})

        def _reset(self, body: dict[str, Any]) -> dict[str, Any]:
            episode = AUDIT.episode(find_task("audit", task_id=body["task_id"]), "e7")
            episodes["e7"] = episode
            return self._told(episode.start())

        def _step(self, body: dict[str, Any]) -> dict[str, Any]:
            return self._told(episodes[body["episode_id"]].step(AUDIT.action(body["action"])))

        def _told(self, seen: AuditObservation) -> dict[str, Any]:
            told = asdict(seen)
            reward, done = told.pop("reward"), told.pop("done")
            return {"observation": told, "reward": reward, "done": done, "episode_id": "e7"}

        def _send(self, status: int, told: dict[str, Any]) -> None:
            data = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join(5)


def knowing(request: Request) -> Answer:
    """The act of an agent that knows the task which the request is about."""
    task_id = re.search(r"Audit (\S+) ", request["messages"][1]["content"])
    assert task_id is not None
    task = find_task("audit", task_id=task_id[1])
    acts = acts_of(task_id[1]) if task.id in TASKS else []
    act = acts[(len(request["messages"]) - 2) // 2]
    told = {name: getattr(act, name) for name in act.__slots__ if getattr(act, name)}
    return call(told.pop("action_type"), **told)


@pytest.mark.parametrize("name", ["audit", "coding", "rx"])
def test_help_tells_the_variables_and_plays_nothing(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"casegen.env.{name}.inference", "--help"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: python -m casegen.env.{name}.inference")
    for variable in ("HF_TOKEN", "API_BASE_URL", "MODEL_NAME", "ENV_BASE_URL"):
        assert variable in done.stdout


def acts_of(task_id: str) -> list[AuditAction]:
    task = find_task("audit", task_id=task_id)
    agent, episode = AGENTS["expert"](task, 0), AUDIT.episode(task, "s")
    seen, acts = episode.start(), []
    while not seen.done:
        acts.append(agent.act(seen))
        seen = episode.step(acts[-1])
    return acts


Printed = tuple[int, list[str], str]


@pytest.fixture
def infer(capsys: pytest.CaptureFixture[str]) -> Callable[..., Printed]:
    """Runs the script: exit status, lines of standard output, standard error."""

    def run(answer: Callable[[Request], Answer], **changes: str) -> Printed:
        with environment() as server, endpoint(answer) as model:
            env = {
                "HF_TOKEN": "t",
                "API_BASE_URL": model.url,
                "MODEL_NAME": "org/model",
                "ENV_BASE_URL": server,
                **changes,
            }
            status = main(env)
        told = capsys.readouterr()
        return status, told.out.splitlines(), told.err

    return run


def test_the_script_plays_the_five_documented_tasks() -> None:
    assert list(TASKS) == [task.id for task in pack("audit-seed-v1")]


def test_each_task_has_a_start_its_steps_and_an_end(infer: Callable[..., Printed]) -> None:
    status, lines, err = infer(knowing)
    assert (status, err) == (0, "")
    table = lines.index("")
    place = 0
    for task_id in TASKS:
        start = START.fullmatch(lines[place])
        assert start is not None
        assert start.groups() == (task_id, "medical_coding", "org/model")
        acts = acts_of(task_id)
        rewards = []
        for number, act in enumerate(acts, 1):
            step = STEP.fullmatch(lines[place + number])
            assert step is not None
            assert (int(step[1]), step[2], step[5]) == (number, act_line(act), "null")
            assert step[4] == ("true" if number == len(acts) else "false")
            rewards.append(step[3])
        end = END.fullmatch(lines[place + len(acts) + 1])
        assert end is not None
        assert end.groups() == ("true", str(len(acts)), "1.00", ",".join(rewards))
        place += len(acts) + 2
    assert place == table
    assert [line.split()[0] for line in lines[table + 1 :]] == ["task", *TASKS, "mean"]
    assert lines[-1].split()[-1] == "1.00"


def test_an_act_that_fails_is_told_on_its_line(infer: Callable[..., Printed]) -> None:
    answers = iter([call("query_guideline", code="Q1\nQ2"), *[call("submit_audit")] * 20])
    _, lines, _ = infer(lambda _: next(answers))
    step = STEP.fullmatch(lines[1])
    assert step is not None
    assert (step[3], step[4]) == ("-0.50", "false")
    assert "is not on the claim" in step[5]
    end = END.fullmatch(lines[3])
    assert end is not None
    assert end[1] == "false"


def test_a_model_that_says_nothing_useful_still_gets_an_end(infer: Callable[..., Printed]) -> None:
    status, lines, _ = infer(lambda _: text("hm"))
    assert status == 0
    ends = [END.fullmatch(line) for line in lines if line.startswith("[END]")]
    assert [end[1] for end in ends if end] == ["false"] * 5


def test_an_endpoint_that_refuses_gives_an_end_for_each_task_and_status_1(
    infer: Callable[..., Printed],
) -> None:
    status, lines, err = infer(lambda _: failure(401, "bad key"))
    assert status == 1
    assert [line.split()[0] for line in lines[:10]] == ["[START]", "[END]"] * 5
    assert lines[1] == "[END] success=false steps=0 score=0.00 rewards="
    assert err.count("bad key") == 5


def test_a_model_endpoint_that_is_not_there_ends_it_at_the_first_task(
    infer: Callable[..., Printed],
) -> None:
    status, lines, err = infer(knowing, API_BASE_URL="http://127.0.0.1:9/v1")
    assert status == 1
    assert [line.split()[0] for line in lines] == ["[START]", "[END]"]
    assert (err.count("Connection error"), err.count("\n")) == (1, 1)


def test_a_server_that_is_not_there_is_named(infer: Callable[..., Printed]) -> None:
    status, lines, err = infer(knowing, ENV_BASE_URL="http://127.0.0.1:9")
    assert status == 1
    assert sum(line.startswith("[END] success=false") for line in lines) == 5
    assert "http://127.0.0.1:9/reset: " in err


def test_without_a_key_or_with_a_wrong_address_it_says_so_in_one_line(
    infer: Callable[..., Printed],
) -> None:
    for changes, told in (
        ({"HF_TOKEN": "", "API_BASE_URL": ""}, "inference: HF_TOKEN: "),
        ({"ENV_BASE_URL": "file:///etc"}, "inference: ENV_BASE_URL: "),
    ):
        status, lines, err = infer(knowing, **changes)
        assert (status, lines) == (2, [])
        assert err.startswith(told)
        assert err.count("\n") == 1


def test_it_runs_as_a_module_and_flushes_each_line() -> None:
    with environment() as server, endpoint(knowing) as model:
        env = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("OPENAI", "HF_"))},
            "OPENAI_API_KEY": "k",
            "API_BASE_URL": model.url,
            "ENV_BASE_URL": server,
        }
        done = subprocess.run(
            [sys.executable, "-m", "casegen.env.audit.inference"],
            env=env, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("[END] success=true") == 5
    assert "model=Qwen/Qwen2.5-72B-Instruct" in done.stdout
