"""No answer leaks: where another answer is hidden, every response before the end is the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from casegen.env import families
from casegen.env.openenv import environment
from casegen.env.serve.app import build_app
from casegen.env.tasks import find_task
from casegen.schemas.pack import Task

CASES = 25
SEED = 40


def swapped(**settings: Any) -> Task:
    """The task that was asked for, with the answer of the case after it."""
    task = find_task("audit", **settings)
    other = find_task("audit", seed=(settings.get("seed") or 0) + 1000).case
    case = replace(task.case, findings=other.findings, decoys=other.decoys, conditions=[])
    return replace(task, case=case)


def bare(**settings: Any) -> Task:
    """... and with no answer at all. What the note says of its problems stays: by these words
    the physician tells what an answer is about."""
    task = find_task("audit", **settings)
    asked = {question.fact for question in task.case.questions}
    record = [
        replace(fact, term=fact.term if fact.id in asked else "-", status="active", attributes={})
        for fact in task.case.record
        if fact.kind == "problem"
    ]
    return replace(task, case=replace(task.case, findings=[], decoys=[], record=record))


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[TestClient]]:
    """Three servers: with the answer, with another, with none."""
    monkeypatch.setattr("secrets.randbits", lambda bits: SEED)
    yield [TestClient(build_app(families.family("audit"), web=True)) for _ in range(3)]


def use(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    finders = [
        find_task,
        lambda family, **settings: swapped(**settings),
        lambda family, **settings: bare(**settings),
    ]
    monkeypatch.setattr(environment, "find_task", finders[number])


def acts(first: dict[str, Any]) -> list[dict[str, Any]]:
    """Acts of every kind but the last; as many as leave a step."""
    codes = list(first["proposed_codes"])
    told: list[dict[str, Any]] = []
    for code in codes:
        told.append({"action_type": "query_guideline", "code": code})
    told.append({"action_type": "check_ncci_edits", "code1": codes[-1], "code2": codes[-2]})
    told.append({"action_type": "ask_clarifying_question", "question": "Which side was it?"})
    told.append({"action_type": "extract_evidence", "evidence_text": first["clinical_note"][:40]})
    for kind in ("specificity_error", "untraceable_code", "demographic_mismatch"):
        for code in codes:
            flag = {"action_type": "flag_error", "code": code, "error_type": kind}
            told.append({**flag, "justification": "It does not fit the note."})
    return told[: first["max_steps"] - 1]


def test_over_http(clients: list[TestClient], monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(SEED, SEED + CASES):
        told = []
        for number, client in enumerate(clients):
            use(monkeypatch, number)
            episode = {"episode_id": f"e{seed}"}
            responses = [client.post("/reset", json={"seed": seed, **episode})]
            first = responses[0].json()["observation"]
            for act in acts(first):
                responses.append(client.post("/step", json={"action": act, **episode}))
                responses.append(client.get("/state", params=episode))
            told.append([one.content for one in responses])
            client.post("/close", json=episode)
        assert all(b'"done":false' in content for content in told[0])
        assert told[0] == told[1] == told[2]


def test_over_a_socket(clients: list[TestClient], monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(SEED, SEED + CASES):
        told = []
        for number, client in enumerate(clients):
            use(monkeypatch, number)
            with client.websocket_connect("/ws") as ws:
                settings = {"seed": seed, "episode_id": "e"}
                ws.send_json({"type": "reset", "data": settings})
                texts = [ws.receive_text()]
                first = find_task("audit", seed=seed).case
                shown = {
                    "proposed_codes": {line.code: {} for line in first.claim},
                    "clinical_note": first.note,
                    "max_steps": first.max_steps,
                }
                for act in acts(shown):
                    ws.send_json({"type": "step", "data": act})
                    texts.append(ws.receive_text())
                    ws.send_json({"type": "state"})
                    texts.append(ws.receive_text())
            told.append(texts)
        assert told[0] == told[1] == told[2]


def test_in_the_page_and_the_task_routes(
    clients: list[TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    for number, client in enumerate(clients):
        use(monkeypatch, number)
        seen = []
        client.post("/reset", json={"seed": SEED, "episode_id": "e"})
        paths = ["/state?episode_id=e", "/web/setup", "/web/view?episode_id=e"]
        for path in (*paths, "/schema", "/metadata", "/health"):
            answer = client.get(path)
            assert answer.status_code == 200
            seen.append(answer.content)
        for split in ("train", "audit-seed-v1", "audit-bench-v1"):
            seen.append(client.post("/audit/tasks", json={"split": split}).content)
            seen.append(client.post("/audit/task", json={"split": split, "index": 3}).content)
        told.append(seen)
    assert told[0] == told[1] == told[2]


def test_no_response_names_the_recipe_of_a_case(clients: list[TestClient]) -> None:
    """From its id a case could be made again, with the answer."""
    client = clients[0]
    case = find_task("audit", seed=SEED).case
    texts = [client.post("/reset", json={"seed": SEED, "episode_id": "e"}).text]
    for code in (line.code for line in case.claim):
        act = {"action_type": "query_guideline", "code": code}
        texts.append(client.post("/step", json={"action": act, "episode_id": "e"}).text)
    texts.append(client.post("/audit/task", json={"split": "train", "index": 0}).text)
    for text in texts:
        assert case.id not in text
        assert case.structural_key not in text
