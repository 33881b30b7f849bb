"""What the document on RxSafe prints runs as printed: its curl lines, its client, its server."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from starlette.testclient import TestClient

from casegen.env.families import family
from casegen.env.packs import pack
from casegen.env.serve.app import build_app
from casegen.env.tasks import find_task
from casegen.schemas import InputError

from .conftest import case

ROOT = Path(__file__).resolve().parents[3]
SPACE = ROOT / "env" / "rx" / "space"
SUBMITTED = (
    '{"action": {"action_type": "submit", "dosage_safe": true, "interactions_found": '
    '["warfarin-aspirin"], "allergy_conflicts": [], "recommendation": "reject"}}'
)
CURL = [
    ("reset", '{"task": "interaction_check", "seed": 42}'),
    ("step", '{"action": {"action_type": "request_info", "info_requested": "allergies"}}'),
    ("step", SUBMITTED),
]
OBSERVED = {
    "prescription_id", "patient_name", "patient_age", "drug_name", "drug_dose", "drug_frequency",
    "steps_remaining", "known_allergies", "current_medications", "medical_conditions", "feedback",
    "score_breakdown", "issues_found_correctly", "issues_missed",
}  # fmt: skip
TASKS = ("dosage_check", "interaction_check", "full_validation")


@pytest.fixture
def client() -> TestClient:
    return TestClient(build_app(family("rx"), web=True))


def run(*arguments: str, cwd: Path = ROOT, **more: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_the_curl_lines_play_an_episode_as_printed(rx_server: Any) -> None:
    """curl keeps no cookie: the episode is the only live one of its address."""
    answers = []
    for route, body in CURL:
        told = httpx.post(
            f"{rx_server.url}/{route}",
            content=body,
            headers={"Content-Type": "application/json"},
            timeout=20,
        )
        assert told.status_code == 200, told.text
        answers.append(told.json())
    first, looked, last = (one["observation"] for one in answers)
    assert set(first) >= OBSERVED
    assert first["task"] == "interaction_check"
    assert first["known_allergies"] is first["feedback"] is first["score_breakdown"] is None
    assert looked["known_allergies"] and looked["current_medications"] is None
    assert (answers[1]["reward"], answers[1]["done"]) == (0.05, False)
    assert answers[2]["done"] is True
    assert last["feedback"] and set(last["score_breakdown"]) == {
        "dosage", "interactions", "allergies", "recommendation",
    }  # fmt: skip
    assert answers[2]["reward"] == last["grader_score"]


@pytest.mark.parametrize("folder", [SPACE, ROOT])
def test_the_readme_of_the_folder_and_of_the_project_print_the_same_lines(folder: Path) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    for route, body in CURL:
        assert f"curl -X POST http://localhost:8000/{route} \\\n" in text
        assert f"-d '{body}'" in text


def test_task_and_seed_draw_one_scenario_of_the_documented_pack_each_time() -> None:
    drawn: dict[str, set[str]] = {task: set() for task in TASKS}
    for task in TASKS:
        for seed in range(60):
            found = find_task("rx", task=task, seed=seed)
            assert found.id == find_task("rx", task=task, seed=seed).id
            assert (found.pack, case(found.id).task) == ("rx-seed-v1", task)
            drawn[task].add(found.id)
    held = {task: {one.id for one in pack("rx-seed-v1") if case(one.id).task == task}
            for task in TASKS}  # fmt: skip
    assert drawn == held
    by_kind = [find_task("rx", task=task, seed=7).id for task in TASKS]
    assert len(set(by_kind)) == 3


def test_a_task_without_a_seed_is_drawn_afresh() -> None:
    found = {find_task("rx", task="dosage_check").id for _ in range(60)}
    assert len(found) > 2


def test_a_task_may_be_drawn_from_another_pack() -> None:
    found = find_task("rx", task="full_validation", pack="rx-bench-v1", seed=3)
    assert found.id.startswith("rx-bench-v1/")
    assert found.case.task == "full_validation"  # type: ignore[union-attr]
    assert found.profile == "strict"


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"task": "dosage"}, "task"),
        ({"task": ""}, "task"),
        ({"task": "dosage_check", "task_id": "dosage_check_5"}, "task_id"),
        ({"task": "dosage_check", "index": 1}, "index"),
        ({"task": "dosage_check", "split": "train"}, "split"),
        ({"task": "dosage_check", "seed": -1}, "seed"),
        ({"task": "dosage_check", "pack": "audit-seed-v1"}, "pack"),
        ({"task": "dosage_check", "difficulty": "hard"}, "task"),
        ({"task": "dosage_check", "tables": "mine"}, "tables"),
    ],
)
def test_what_can_not_be_drawn_is_refused(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as told:
        find_task("rx", **settings)
    assert told.value.field == field


def test_a_family_of_one_kind_knows_no_task() -> None:
    with pytest.raises(InputError, match="no such setting"):
        find_task("coding", task="dosage_check", seed=1)


def test_bad_requests_are_one_line_with_their_status(client: TestClient) -> None:
    for body, told in (
        ({"task": 7}, "task: 7: text"),
        ({"task": "lab"}, "task: 'lab': one of dosage_check"),
        ({"job": "lab"}, "job: 'lab': no such setting"),
    ):
        answer = client.post("/reset", json=body)
        assert answer.status_code == 422
        assert told in answer.json()["detail"]
    client.post("/reset", json={"task": "dosage_check", "seed": 1})
    for act, field in (
        ({"action_type": "approve"}, "action_type"),
        ({}, "action_type"),
        ({"action_type": "submit", "dosage_safe": "yes"}, "dosage_safe"),
        ({"action_type": "submit", "interactions_found": "a-b"}, "interactions_found"),
        ({"action_type": "submit", "drug": "x"}, "drug"),
    ):
        answer = client.post("/step", json={"action": act})
        assert answer.status_code == 422, act
        assert answer.json()["detail"].startswith(field)
    assert client.get("/state").json()["step_count"] == 0


def test_the_client_plays_to_full_score(rx_server: Any) -> None:
    code = """
from casegen.env.rx import RxSafeAction, RxSafeEnv
with RxSafeEnv(base_url="URL").sync() as env:
    seen = env.reset(task_id="full_validation_1").observation
    print(seen.drug_name, seen.patient_age, seen.new_prescription)
    for what in ("allergies", "medications", "conditions"):
        print(env.step(RxSafeAction(action_type="request_info", info_requested=what)).reward)
    result = env.step(RxSafeAction(
        action_type="submit", dosage_safe=True, interactions_found=["Cipro-Coumadin"],
        allergy_conflicts=[], contraindications_found=["myasthenia gravis-ciprofloxacin"],
        recommendation="reject", reasoning="boxed warning"))
    print(result.reward, result.done, result.observation.grader_score)
    print(env.state().info_requested)
"""
    done = run("-c", code.replace("URL", rx_server.url))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "Cipro 66 True", "0.05", "0.05", "0.05", "1.0 True 1.0",
        "['allergies', 'medications', 'conditions']",
    ]  # fmt: skip


def test_thirty_two_clients_play_side_by_side(rx_server: Any) -> None:
    code = """
from concurrent.futures import ThreadPoolExecutor
from casegen.env.rx import RxSafeAction, RxSafeEnv
from casegen.env.rx.agents import AGENTS
from casegen.env.rx.inference import spelled
from casegen.env.tasks import find_task
def played(seed):
    agent = AGENTS["oracle"](find_task("rx", seed=seed), 0)
    with RxSafeEnv(base_url="URL").sync() as client:
        seen = client.reset(seed=seed).observation
        while not seen.done:
            seen = client.step(RxSafeAction(**spelled(agent.act(seen)))).observation
        return seen.reward, seen.grader_score
with ThreadPoolExecutor(32) as pool:
    print(set(pool.map(played, range(32))))
"""
    done = run("-c", code.replace("URL", rx_server.url))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "{(1.0, 1.0)}\n"


def test_the_documented_command_of_uvicorn_serves_the_folder(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = ("-m", "uvicorn", "server.app:app", "--host", "127.0.0.1", "--port", port)
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=SPACE,
        env={**os.environ, "PYTHONPATH": str(ROOT), "ENABLE_WEB_INTERFACE": "true"},
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
        told = httpx.post(f"http://127.0.0.1:{port}/reset", json={"seed": 3}, timeout=30).json()
        assert told["metadata"]["profile"] == "strict"
        page = httpx.get(f"http://127.0.0.1:{port}/web", follow_redirects=True)
        assert page.status_code == 200
    finally:
        process.terminate()
        process.wait(20)


def test_the_manifest_names_port_and_pack() -> None:
    told = yaml.safe_load((SPACE / "openenv.yaml").read_text(encoding="utf-8"))
    assert (told["name"], told["port"], told["app"]) == ("rx_safe_env", 8000, "server.app:app")


def test_no_answer_leaks_over_http(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another answer is hidden, every response before the end is the same."""
    from dataclasses import replace

    from casegen.env.openenv import environment

    def turned(family_name: str, **settings: Any) -> Any:
        task = find_task(family_name, **settings)
        other = replace(task.case, findings=[], decoys=[], record=[], kinds=[], dosage_safe=True,
                        recommendation="approve", rationale="x", structural_key="x")  # type: ignore[call-arg]  # fmt: skip
        return replace(task, case=other)

    def played(finder: Any) -> list[bytes]:
        monkeypatch.setattr(environment, "find_task", finder)
        told = []
        for seed in range(40, 60):
            episode = {"episode_id": f"e{seed}"}
            told.append(client.post("/reset", json={"seed": seed, **episode}).content)
            act = {"action_type": "request_info", "info_requested": "full_profile"}
            told.append(client.post("/step", json={"action": act, **episode}).content)
            told.append(client.get("/state", params=episode).content)
            told.append(client.get("/web/view", params=episode).content)
            client.post("/close", json=episode)
        return told

    assert played(find_task) == played(turned)
    assert all(b'"done":false' in one for one in played(find_task))


def test_a_spec_of_a_task_tells_nothing_of_the_answer(client: TestClient) -> None:
    for split in ("rx-seed-v1", "train"):
        told = client.post("/rx/tasks", json={"split": split}).text
        assert json.loads(told)
        assert not re.search(r"overdose|warfarin|reject|approve|modify|finding", told)
