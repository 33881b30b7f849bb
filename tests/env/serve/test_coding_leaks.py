"""No answer of a coding case leaks: where another answer is hidden, every response of the server
before the end is the same; under profile seed but for the fields that tell the score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from casegen.env import families
from casegen.env.openenv import environment
from casegen.env.serve.app import build_app
from casegen.env.tasks import find_task
from casegen.schemas import CodingCase
from casegen.schemas.pack import Task

CASES = 20
SEED = 40
LIVE = {
    "progress_score", "grader_feedback", "reward_breakdown", "reward", "best_score",
    "total_reward",
}  # fmt: skip


def case_of(task: Task) -> CodingCase:
    return cast("CodingCase", task.case)


def swapped(**settings: Any) -> Task:
    """The task that was asked for, with another of its codes and the flag turned for an answer."""
    task = find_task("coding", **settings)
    case = case_of(task)
    other = case.wrong[len(case.wrong) // 2].code
    primary = replace(case.primary, code=other, reason="otherwise", evidence=[])
    turned = replace(case, primary=primary, needs_review=not case.needs_review)
    return replace(task, case=replace(turned, conditions=[], kinds=[], structural_key="x"))


def bare(**settings: Any) -> Task:
    """... and with one code for an answer, and nothing else that is hidden."""
    task = find_task("coding", **settings)
    case = case_of(task)
    primary = replace(case.primary, code=case.allowed[0].code, evidence=[])
    return replace(task, case=replace(case, primary=primary, secondary=[], wrong=[], record=[]))


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[TestClient]]:
    """Three servers: with the answer, with another, with hardly one."""
    monkeypatch.setattr("secrets.randbits", lambda bits: SEED)
    yield [TestClient(build_app(families.family("coding"), web=True)) for _ in range(3)]


def use(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    finders = [
        find_task,
        lambda family, **settings: swapped(**settings),
        lambda family, **settings: bare(**settings),
    ]
    monkeypatch.setattr(environment, "find_task", finders[number])


def acts(codes: list[str], steps: int) -> list[dict[str, Any]]:
    """Acts of every kind but the last; as many as leave a step."""
    told: list[dict[str, Any]] = [
        {"primary_code": codes[-1], "secondary_codes": codes[:2]},
        {"request_hint": True},
        {"primary_code": "Q99.9XX"},
        {"primary_code": codes[0], "secondary_codes": codes[1:], "needs_review": True},
        {},
    ]
    told += [{"primary_code": code, "needs_review": False} for code in codes]
    return told[: steps - 1]


def test_over_http(clients: list[TestClient], monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(SEED, SEED + CASES):
        told = []
        for number, client in enumerate(clients):
            use(monkeypatch, number)
            episode = {"episode_id": f"e{seed}"}
            responses = [client.post("/reset", json={"seed": seed, **episode})]
            first = responses[0].json()["observation"]
            for act in acts(first["allowed_codes"], first["max_steps"]):
                responses.append(client.post("/step", json={"action": act, **episode}))
                responses.append(client.get("/state", params=episode))
            told.append([one.content for one in responses])
            client.post("/close", json=episode)
        assert all(b'"done":false' in content for content in told[0])
        assert told[0] == told[1] == told[2]


def test_over_a_socket(clients: list[TestClient], monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(SEED, SEED + CASES):
        told = []
        case = case_of(find_task("coding", seed=seed))
        codes = [one.code for one in case.allowed]
        for number, client in enumerate(clients):
            use(monkeypatch, number)
            with client.websocket_connect("/ws") as ws:
                ws.send_json({"type": "reset", "data": {"seed": seed, "episode_id": "e"}})
                texts = [ws.receive_text()]
                for act in acts(codes, case.max_steps):
                    ws.send_json({"type": "step", "data": act})
                    texts.append(ws.receive_text())
                    ws.send_json({"type": "state"})
                    texts.append(ws.receive_text())
            told.append(texts)
        assert told[0] == told[1] == told[2]


def without_live(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_live(item) for name, item in value.items() if name not in LIVE}
    return [without_live(item) for item in value] if isinstance(value, list) else value


def test_with_dense_rewards_nothing_but_the_score_differs(
    clients: list[TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    for task_id in ("easy_t2dm_followup", "medium_hypertensive_ckd", "hard_chest_pain_review"):
        told, whole = [], []
        for number, client in enumerate(clients):
            use(monkeypatch, number)
            episode = {"episode_id": task_id}
            responses = [client.post("/reset", json={"task_id": task_id, **episode}).json()]
            first = responses[0]["observation"]
            for act in acts(first["allowed_codes"], first["max_steps"]):
                responses.append(client.post("/step", json={"action": act, **episode}).json())
                responses.append(client.get("/state", params=episode).json())
            whole.append(responses)
            told.append(without_live(responses))
            client.post("/close", json=episode)
        assert told[0] == told[1] == told[2]
        assert whole[0] != whole[1]


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
        for split in ("train", "coding-seed-v1"):
            seen.append(client.post("/coding/tasks", json={"split": split}).content)
            seen.append(client.post("/coding/task", json={"split": split, "index": 2}).content)
        told.append(seen)
    assert told[0] == told[1] == told[2]


def test_no_response_names_the_recipe_or_the_hidden_parts_of_a_case(
    clients: list[TestClient],
) -> None:
    client = clients[0]
    case = case_of(find_task("coding", seed=SEED))
    codes = [one.code for one in case.allowed]
    texts = [client.post("/reset", json={"seed": SEED, "episode_id": "e"}).text]
    for act in acts(codes, case.max_steps):
        texts.append(client.post("/step", json={"action": act, "episode_id": "e"}).text)
    texts.append(client.post("/coding/task", json={"split": "train", "index": 0}).text)
    hidden = [case.id, case.structural_key]
    hidden += [one.reason for one in (*case.gold(), *case.wrong)]
    for text in texts:
        assert not [one for one in hidden if one in text]
