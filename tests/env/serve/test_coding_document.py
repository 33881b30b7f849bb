"""The code of the document on the Medical Coding Assistant runs, with only its import root and the
port changed."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

Served = Any  # see conftest.py
ROOT = Path(__file__).resolve().parents[3]
SPACE = ROOT / "env" / "coding" / "space"
USAGE = """\
from medical_coding_assistant import MedicalCodingAction, MedicalCodingAssistantEnv

client = MedicalCodingAssistantEnv(base_url="http://localhost:8000").sync()

with client:
    reset_result = client.reset(task_id="easy_t2dm_followup")
    print(reset_result.observation.encounter_text)

    result = client.step(
        MedicalCodingAction(
            primary_code="E11.9",
            secondary_codes=["Z79.84"],
            finalize=True,
        )
    )
    print(result.reward, result.done, result.observation.progress_score)
"""
OBSERVED = {
    "task_id", "difficulty", "objective", "encounter_text", "allowed_codes", "revealed_hints",
    "current_primary_code", "current_secondary_codes", "current_needs_review",
    "attempts_remaining", "progress_score", "grader_feedback", "reward_breakdown",
}  # fmt: skip


def run(*arguments: str, cwd: Path = ROOT, **more: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_the_usage_example_plays_to_full_score(coding_server: Served) -> None:
    code = USAGE.replace("medical_coding_assistant", "casegen.env.coding")
    done = run("-c", code.replace("http://localhost:8000", coding_server.url))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Office visit")
    assert done.stdout.splitlines()[-1] == "1.0 True 1.0"


def test_observation_state_and_info_hold_the_documented_fields(coding_server: Served) -> None:
    code = """
import json
from casegen.env.coding import MedicalCodingAction, MedicalCodingAssistantEnv, RewardBreakdown
with MedicalCodingAssistantEnv(base_url="URL").sync() as client:
    client.reset(task_id="hard_chest_pain_review")
    hinted = client.step(MedicalCodingAction(request_hint=True))
    seen = hinted.observation
    assert isinstance(seen.reward_breakdown, RewardBreakdown)
    drafted = client.step(MedicalCodingAction(primary_code="r079", needs_review=True))
    cleared = client.step(MedicalCodingAction(secondary_codes=[], needs_review=False))
    state = client.state()
    ended = client.step(MedicalCodingAction(secondary_codes=["R94.31"], needs_review=True,
                                            finalize=True))
    print(json.dumps({
        "fields": sorted(type(seen).model_fields), "rewards": [hinted.reward, drafted.reward,
        cleared.reward, ended.reward], "hint": seen.revealed_hints, "state": state.model_dump(),
        "info": [seen.metadata["info"], ended.observation.metadata["info"]],
        "inside": ended.observation.reward == ended.reward, "done": ended.done,
    }))
"""
    done = run("-c", code.replace("URL", coding_server.url))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert set(told["fields"]) >= OBSERVED
    assert told["rewards"] == pytest.approx([-0.05, 0.75, 0.0, 0.25])
    assert len(told["hint"]) == 1
    assert told["inside"] is told["done"] is True
    state = told["state"]
    assert (state["task_id"], state["step_count"], state["hints_used"]) == (
        "hard_chest_pain_review", 3, 1,
    )  # fmt: skip
    assert (state["current_primary_code"], state["current_needs_review"]) == ("R07.9", False)
    assert (state["best_score"], state["repeated_actions"]) == (0.75, 0)
    first, last = told["info"]
    assert (first["difficulty"], first["hints_remaining"]) == ("hard", 2)
    assert (first["grader_score"], last["grader_score"]) == (None, 1.0)
    assert first["reward_breakdown"]["hint_penalty"] == -0.05
    assert last["reward_breakdown"]["score_delta"] == pytest.approx(0.25)


def test_http_tells_the_same_as_the_client(coding_server: Served) -> None:
    told = coding_server.reset(task_id="easy_t2dm_followup")
    action = {"primary_code": "E11.9", "secondary_codes": ["Z79.84"], "finalize": True}
    body = {"action": action, "episode_id": told["episode_id"]}
    ended = coding_server.post("/step", json=body).json()
    assert (ended["reward"], ended["done"]) == (1.0, True)
    assert ended["observation"]["progress_score"] == 1.0
    assert ended["observation"]["metadata"] == ended["metadata"]
    assert ended["metadata"]["info"]["reward_breakdown"]["total"] == 1.0


def test_the_reference_baseline_scores_one_on_each_task() -> None:
    done = run("baseline_inference.py", "--mode", "heuristic", cwd=SPACE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "easy: 1.00\nmedium: 1.00\nhard: 1.00\nmacro average: 1.00\n"


def test_the_simulation_of_learning_runs_where_the_document_has_it(tmp_path: Path) -> None:
    path = tmp_path / "diagnoses.csv"
    command = f"generate coding -n 60 --seed 7 --format csv -o {path}"
    assert run("-m", "casegen", *command.split()).returncode == 0
    for arguments, cwd in (
        (("-m", "casegen.env.coding.simulate_learning"), ROOT),
        (("simulate_learning.py",), SPACE),
    ):
        done = run(*arguments, "--csv", str(path), "--warmup", "20", cwd=cwd)
        assert done.returncode == 0, done.stderr
        for name in ("rows_total", "rows_warmup", "rows_evaluated", "accuracy"):
            assert f"{name}:" in done.stdout


def test_the_documented_command_of_uvicorn_serves_the_folder(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = ("-m", "uvicorn", "server.app:app", "--host", "127.0.0.1", "--port", port)
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=SPACE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=(tmp_path / "said").open("w"),
    )
    try:
        until = time.monotonic() + 90
        while time.monotonic() < until and process.poll() is None:
            try:
                if httpx.get(f"http://127.0.0.1:{port}/health").status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.2)
        told = httpx.post(f"http://127.0.0.1:{port}/reset", json={"seed": 3}, timeout=20).json()
        assert told["metadata"]["profile"] == "strict"
        assert told["observation"]["progress_score"] is None
    finally:
        process.terminate()
        process.wait(20)


def test_thirty_two_clients_play_side_by_side(coding_server: Served) -> None:
    """Each its own case to its own score, while the others play theirs."""
    code = """
from concurrent.futures import ThreadPoolExecutor
from casegen.env.coding import MedicalCodingAction, MedicalCodingAssistantEnv
from casegen.env.tasks import find_task
def played(seed):
    case = find_task("coding", seed=seed).case
    rest = [one.code for one in case.secondary]
    with MedicalCodingAssistantEnv(base_url="URL").sync() as client:
        first = client.reset(seed=seed).observation
        client.step(MedicalCodingAction(primary_code=case.primary.code))
        last = client.step(MedicalCodingAction(
            secondary_codes=rest, needs_review=case.needs_review, finalize=True))
        return first.encounter_text == case.note, last.reward, last.observation.grader_score
with ThreadPoolExecutor(32) as pool:
    print(set(pool.map(played, range(32))))
"""
    done = run("-c", code.replace("URL", coding_server.url))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "{(True, 1.0, 1.0)}\n"
