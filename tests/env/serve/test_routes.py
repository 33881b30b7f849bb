"""What the server tells beside play: schemas, tasks without their answers, and no tools."""

from __future__ import annotations

import re
from typing import Any

import pytest

Served = Any  # see conftest.py


def test_no_route_of_openenv_that_keeps_no_episode_is_left() -> None:
    from casegen.env.families import family
    from casegen.env.serve.app import build_app

    stock = [
        route.path
        for route in build_app(family("audit")).router.routes
        if getattr(getattr(route, "endpoint", None), "__module__", "").startswith("openenv.")
    ]
    assert {"/schema", "/health", "/metadata"} <= set(stock)
    assert not {"/reset", "/step", "/state", "/ws", "/mcp"} & set(stock)


@pytest.mark.parametrize(
    ("body", "code", "number"),
    [
        ({"jsonrpc": "2.0", "method": "openenv/session/create", "id": 7}, -32601, 7),
        ({"jsonrpc": "2.0", "method": "tools/list", "id": "a"}, -32601, "a"),
        ({}, -32600, None),
        ([], -32600, None),
    ],
)
def test_there_are_no_tools_and_no_sessions_for_them(
    server: Served, body: object, code: int, number: object
) -> None:
    response = server.post("/mcp", json=body)
    told = response.json()
    assert (response.status_code, told["jsonrpc"], told["id"]) == (200, "2.0", number)
    assert told["error"]["code"] == code
    assert server.post("/mcp", content=b"{").json()["error"]["code"] == -32700


def test_openenv_accepts_the_server(server: Served) -> None:
    from openenv.cli._validation import validate_running_environment

    told = validate_running_environment(server.url)
    assert told["passed"], told


def test_schemas_describe_every_field(server: Served) -> None:
    told = server.get("/schema").json()
    assert {"action_type", "report", "evidence_text"} <= set(told["action"]["properties"])
    assert {"clinical_note", "grader_score"} <= set(told["observation"]["properties"])
    assert {"profile", "total_reward"} <= set(told["state"]["properties"])
    for name in ("action", "observation", "state"):
        for field, about in told[name]["properties"].items():
            assert about.get("description"), f"{name}.{field}"


def test_tasks_are_listed_without_their_answers(server: Served) -> None:
    assert server.get("/list_environments").json() == ["audit"]
    splits = {told["name"]: told["type"] for told in server.get("/audit/splits").json()}
    assert splits == {
        "train": "train",
        "validation": "validation",
        "test": "test",
        "audit-seed-v1": "test",
        "audit-bench-v1": "test",
    }
    assert server.post("/audit/num_tasks", json={"split": "audit-seed-v1"}).json() == {
        "num_tasks": 5
    }
    tasks = server.post("/audit/tasks", json={"split": "audit-seed-v1"}).json()["tasks"]
    assert tasks[0]["id"] == "easy_demographic"
    listed = server.post("/audit/tasks", json={"split": "train"}).json()["tasks"]
    assert len(listed) == 100
    assert not re.search(r"finding|answer|error_type|decoy|evidence|record", str(listed))
    one = server.post("/audit/task", json={"split": "train", "index": 12}).json()["task"]
    assert one == listed[12]
    slice_ = server.post("/audit/task_range", json={"split": "train", "start": 10, "stop": 13})
    assert slice_.json()["tasks"] == listed[10:13]


def test_a_task_that_there_isn_t_is_told_in_one_line(server: Served) -> None:
    beyond = server.post("/audit/task", json={"split": "audit-seed-v1", "index": 5})
    assert (beyond.status_code, beyond.json()["detail"]) == (400, "Invalid task index")
    before = server.post("/audit/task", json={"split": "audit-seed-v1", "index": -1})
    assert before.status_code == 400
    assert server.post("/audit/tasks", json={"split": "holdout"}).status_code == 422
    assert server.post("/audit/tasks", json={}).status_code == 422
    assert server.post("/audit/tasks", json={}).json()["detail"].startswith("split: ")
    assert server.post("/rx/num_tasks", json={"split": "train"}).status_code == 404


def test_a_listed_task_is_the_one_that_reset_begins(server: Served) -> None:
    task = server.post("/audit/task", json={"split": "validation", "index": 3}).json()["task"]
    begun = server.reset(split="validation", index=3)
    server.post("/close", json={"episode_id": begun["episode_id"]})
    told = begun["observation"]
    assert told["task_id"] == task["id"]
    assert told["difficulty"] == task["difficulty"]
