"""The environment of a GRPO rollout plays on a server as it does in process."""

from __future__ import annotations

import gc
import subprocess
import sys
from typing import Any

import httpx
import pytest

from casegen.env.tasks import find_task
from casegen.env.trl import environment_factory

Served = Any  # see conftest.py
ROW = {"split": "train", "seed": 7, "index": 3}


@pytest.fixture
def here() -> Any:
    return environment_factory("audit")()


def test_the_same_acts_have_the_same_results_and_reward(server: Served, here: Any) -> None:
    there: Any = environment_factory("audit", url=server.url)()
    case = find_task("audit", **ROW).case
    assert there.reset(**ROW) == here.reset(**ROW)
    code = case.claim[0].code
    assert there.query_guideline(code) == here.query_guideline(code)
    assert there.query_guideline("Q99.99") == here.query_guideline("Q99.99")
    report = [{"code": f.code, "error_type": f.error_type} for f in case.findings]
    assert there.submit_report(report) == here.submit_report(report)
    assert 0.9 < there.get_reward() == here.get_reward() < 1.0  # one act was invalid


def test_environments_play_side_by_side_and_one_after_the_other(server: Served) -> None:
    factory = environment_factory("audit", url=server.url)
    one, other = factory(), factory()
    first: Any = one.reset(seed=1)
    assert other.reset(seed=2) != first
    assert one.reset(seed=2) == other.reset(seed=2)


def test_what_the_server_refuses_is_told(server: Served) -> None:
    there = environment_factory("audit", url=server.url)()
    with pytest.raises(Exception, match="difficulty"):
        there.reset(seed=1, difficulty="absurd")
    assert there.get_reward() == 0.0
    assert there.reset(seed=1)


def test_an_environment_that_is_dropped_gives_its_session_back(run: Any) -> None:
    with run("--max-sessions", "1") as served:
        factory = environment_factory("audit", url=served.url)
        for seed in range(3):
            environment = factory()
            assert environment.reset(seed=seed)
            del environment
            gc.collect()
        assert httpx.get(served.url + "/health", timeout=20).status_code == 200


def test_a_script_that_plays_on_a_server_comes_to_its_end(server: Served) -> None:
    script = (
        "from casegen.env.trl import environment_factory\n"
        f"environment = environment_factory('audit', url={server.url!r})()\n"
        "print(len(environment.reset(seed=1)) > 100)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")
