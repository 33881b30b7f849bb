"""Play over HTTP: an episode is kept from request to request, and nobody steps another's."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

Served = Any  # see conftest.py
Serve = Callable[..., Any]

# As the document prints it; only the port is another.
USAGE = """
import httpx

# Reset to a specific task
resp = httpx.post("http://localhost:7860/reset", json={"task_id": "easy_demographic"})
obs = resp.json()["observation"]
print(obs["clinical_note"])

# Execute an action
resp = httpx.post("http://localhost:7860/step", json={
    "action": {
        "action_type": "query_guideline",
        "code": "O80"
    }
})
print(resp.json()["observation"]["tool_result"])
"""
LOOKED_UP = {"action_type": "query_guideline", "code": "O80"}
SUBMIT = {"action_type": "submit_audit"}


@pytest.fixture
def alone(server: Served) -> Iterator[Served]:
    """The server; whatever the test leaves live is closed after it."""
    before = len(server.begun)
    yield server
    for episode_id in server.begun[before:]:
        server.post("/close", json={"episode_id": episode_id})


def detail(response: httpx.Response) -> str:
    """The one line of a complaint."""
    told: str = response.json()["detail"]
    assert isinstance(told, str)
    assert "\n" not in told
    assert "Traceback" not in told
    return told


def test_the_documented_usage_runs_as_it_is_printed(server: Served) -> None:
    usage = USAGE.replace("7860", server.url.rpartition(":")[2])
    heard = subprocess.check_output([sys.executable, "-c", usage], text=True)
    assert server.post("/close").status_code == 200
    assert "34-year-old man" in heard
    assert "O80" in heard
    assert "delivery" in heard.lower()


def test_an_answer_has_the_shape_of_openenv_and_names_the_episode(alone: Served) -> None:
    told = alone.reset(task_id="easy_demographic")
    assert set(told) == {"observation", "reward", "done", "metadata", "episode_id"}
    assert told["metadata"]["episode_id"] == told["episode_id"]
    assert told["observation"]["metadata"] == told["metadata"]
    assert (told["reward"], told["done"]) == (0.0, False)
    assert not {"reward", "done"} & set(told["observation"])


def test_reset_takes_no_body_at_all(server: Served) -> None:
    response = server.post("/reset")
    assert response.status_code == 200
    server.post("/close", json={"episode_id": response.json()["episode_id"]})


def test_a_step_finds_the_episode_by_its_id_in_the_body_or_in_the_query(alone: Served) -> None:
    first, second = (alone.reset(task_id="easy_demographic")["episode_id"] for _ in range(2))
    body = {"action": LOOKED_UP, "episode_id": first}
    assert alone.post("/step", json=body).json()["observation"]["step_count"] == 1
    response = alone.post("/step", params={"episode_id": second}, json={"action": LOOKED_UP})
    assert response.json()["observation"]["step_count"] == 1
    for episode_id in (first, second):
        state = alone.get("/state", params={"episode_id": episode_id}).json()
        assert (state["episode_id"], state["step_count"]) == (episode_id, 1)


def test_a_browser_is_known_by_its_cookie(alone: Served) -> None:
    with httpx.Client(base_url=alone.url) as one, httpx.Client(base_url=alone.url) as other:
        ids = []
        for client in (one, other):
            response = client.post("/reset", json={"task_id": "easy_demographic"})
            cookie = response.headers["set-cookie"].lower()
            assert "httponly" in cookie
            assert "samesite=lax" in cookie
            ids.append(response.json()["episode_id"])
        for client in (one, one, other):
            client.post("/step", json={"action": LOOKED_UP})
        assert [client.get("/state").json()["step_count"] for client in (one, other)] == [2, 1]
        assert [client.get("/state").json()["episode_id"] for client in (one, other)] == ids
        for client in (one, other):
            assert client.post("/close").status_code == 200


def test_two_servers_at_one_host_have_a_cookie_each(serve: Serve) -> None:
    with serve() as one, serve() as other, httpx.Client() as client:
        ids = [client.post(f"{served.url}/reset").json()["episode_id"] for served in (one, other)]
        for served, episode_id in zip((one, other), ids, strict=True):
            assert client.get(f"{served.url}/state").json()["episode_id"] == episode_id
        assert len(client.cookies) == 2


def test_a_cookie_of_an_episode_that_was_never_here_counts_for_nothing(alone: Served) -> None:
    name = f"casegen_audit_{alone.url.rpartition(':')[2]}"
    with httpx.Client(base_url=alone.url, cookies={name: "of-another-day"}) as client:
        assert client.get("/state").json()["episode_id"] is None
        assert client.post("/close").status_code == 409
        episode_id = alone.reset(task_id="easy_demographic")["episode_id"]
        client.post("/step", json={"action": LOOKED_UP})
        state = client.get("/state").json()
        assert (state["episode_id"], state["step_count"]) == (episode_id, 1)


def test_an_episode_may_be_closed_when_it_is_over_or_closed(alone: Served) -> None:
    over, closed = (alone.reset(task_id="easy_demographic")["episode_id"] for _ in range(2))
    alone.post("/step", json={"action": SUBMIT, "episode_id": over})
    for episode_id in (over, closed, over, closed):
        response = alone.post("/close", params={"episode_id": episode_id})
        assert (response.status_code, response.json()["episode_id"]) == (200, episode_id)
    response = alone.post("/step", json={"action": SUBMIT, "episode_id": over})
    assert "is over; reset begins a new one" in detail(response)


def test_of_two_episodes_at_one_address_the_server_asks_which(alone: Served) -> None:
    ids = [alone.reset(task_id="easy_demographic")["episode_id"] for _ in range(2)]
    response = alone.post("/step", json={"action": LOOKED_UP})
    assert response.status_code == 409
    assert "send the episode_id" in detail(response)
    for episode_id in ids:
        state = alone.get("/state", params={"episode_id": episode_id}).json()
        assert state["step_count"] == 0
    alone.post("/close", json={"episode_id": ids[1]})
    alone.post("/step", json={"action": LOOKED_UP})
    assert alone.get("/state", params={"episode_id": ids[0]}).json()["step_count"] == 1


def test_without_an_episode_a_step_is_told_to_reset_and_state_is_empty(server: Served) -> None:
    response = server.post("/step", json={"action": LOOKED_UP})
    assert response.status_code == 409
    assert "reset begins one" in detail(response)
    state = server.get("/state").json()
    assert (state["episode_id"], state["step_count"]) == (None, 0)


def test_an_unknown_id_is_not_found(server: Served) -> None:
    body = {"action": LOOKED_UP, "episode_id": "nobody"}
    for response in (
        server.post("/step", json=body),
        server.get("/state", params={"episode_id": "nobody"}),
        server.post("/close", json={"episode_id": "nobody"}),
    ):
        assert response.status_code == 404
        assert "no such episode" in detail(response)


def test_a_step_after_the_end_is_an_error_and_the_state_stays(alone: Served) -> None:
    episode_id = alone.reset(task_id="easy_demographic")["episode_id"]
    told = alone.post("/step", json={"action": SUBMIT, "episode_id": episode_id}).json()
    assert told["done"] is True
    assert told["observation"]["grader_score"] is not None
    response = alone.post("/step", json={"action": SUBMIT, "episode_id": episode_id})
    assert response.status_code == 409
    assert "is over; reset begins a new one" in detail(response)
    state = alone.get("/state", params={"episode_id": episode_id}).json()
    assert (state["done"], state["grader_score"]) == (True, told["observation"]["grader_score"])


def test_the_id_of_a_live_episode_is_not_given_again(alone: Served) -> None:
    alone.reset(task_id="easy_demographic", episode_id="mine")
    response = alone.post("/reset", json={"episode_id": "mine"})
    assert response.status_code == 409
    assert "is live" in detail(response)
    alone.post("/step", json={"action": SUBMIT, "episode_id": "mine"})
    assert alone.reset(episode_id="mine")["episode_id"] == "mine"


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"action_type": "fly"}, "action_type"),
        ({}, "action_type"),
        ({"action_type": "query_guideline", "code": 80}, "code"),
        ({"action_type": "query_guideline", "kode": "O80"}, "kode"),
        ({"action_type": "query_guideline", "code": "O" * 65}, "code"),
        ({"action_type": "ask_clarifying_question", "question": "why " * 600}, "question"),
        ({"action_type": "submit_report", "report": [{"code": "O80"}]}, "report[0].error_type"),
        (
            {"action_type": "submit_report", "report": 61 * [{"code": "a", "error_type": "b"}]},
            "rep",
        ),
        ("submit_audit", "action"),
        (None, "action"),
        ([LOOKED_UP], "action"),
    ],
)
def test_what_is_no_act_is_refused_and_costs_nothing(
    alone: Served, action: object, field: str
) -> None:
    episode_id = alone.reset(task_id="easy_demographic")["episode_id"]
    response = alone.post("/step", json={"action": action, "episode_id": episode_id})
    assert response.status_code == 422
    assert detail(response).startswith(field)
    state = alone.get("/state", params={"episode_id": episode_id}).json()
    assert state["step_count"] == 0


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"taskid": "easy_demographic"}, "taskid"),
        ({"task_id": "no such task"}, "task_id"),
        ({"task_id": 7}, "task_id"),
        ({"seed": "seven"}, "seed"),
        ({"seed": True}, "seed"),
        ({"seed": -1}, "seed"),
        ({"pack": "../../etc/passwd"}, "pack"),
        ({"split": "holdout"}, "split"),
        ({"difficulty": "trivial"}, "difficulty"),
        ({"index": 10**12}, "index"),
        ({"episode_id": ""}, "episode_id"),
        ({"episode_id": "a\nb"}, "episode_id"),
        ({"episode_id": 5}, "episode_id"),
        ({"self": 5}, "self"),
        ([], "body"),
    ],
)
def test_a_reset_that_can_t_be_met_names_the_field(
    server: Served, body: object, field: str
) -> None:
    response = server.post("/reset", json=body)
    assert response.status_code == 422
    assert detail(response).startswith(f"{field}: ")


@pytest.mark.parametrize(
    "content",
    [b"{", b"\xff", b'{"action": NaN}', b'{"seed": Infinity}', b"[" * 5000, b'"\\ud800"'],
)
def test_what_is_no_json_is_refused(server: Served, content: bytes) -> None:
    headers = {"content-type": "application/json"}
    for path in ("/reset", "/step"):
        response = server.post(path, content=content, headers=headers)
        assert response.status_code == 422
        assert detail(response)


def test_a_form_of_another_site_is_refused(server: Served) -> None:
    response = server.post("/reset", content=b"{}", headers={"content-type": "text/plain"})
    assert response.status_code == 422
    assert "application/json" in detail(response)
    assert "access-control-allow-origin" not in server.get("/health").headers


def test_a_body_that_is_too_long_is_refused(server: Served) -> None:
    long = {"action": {"action_type": "submit_audit", "metadata": {"x": "y" * 70_000}}}
    response = server.post("/step", json=long)
    assert response.status_code == 413
    assert "65536 bytes" in detail(response)

    def drip() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 1024

    assert server.post("/reset", content=drip()).status_code == 413
    assert server.get("/health").json() == {"status": "healthy"}


def test_a_full_server_says_so_and_a_finished_episode_gives_its_place(serve: Serve) -> None:
    with serve(max_sessions=2) as served:
        ids = [served.reset(task_id="easy_demographic")["episode_id"] for _ in range(2)]
        response = served.post("/reset")
        assert response.status_code == 503
        assert "all 2 places are taken" in detail(response)
        assert response.headers["retry-after"]
        served.post("/step", json={"action": SUBMIT, "episode_id": ids[0]})
        served.reset()
        served.post("/close", json={"episode_id": ids[1]})
        served.reset()


def test_an_idle_episode_is_given_up_and_says_so(serve: Serve) -> None:
    with serve(session_timeout=0.5) as served:
        episode_id = served.reset()["episode_id"]
        time.sleep(0.8)
        response = served.post("/step", json={"action": SUBMIT, "episode_id": episode_id})
        assert response.status_code == 409
        assert "given up after 0.5 s" in detail(response)
        assert served.reset(episode_id=episode_id)["episode_id"] == episode_id


def test_one_seed_gives_one_case_and_another_seed_another(alone: Served) -> None:
    notes = [alone.reset(seed=1234)["observation"]["clinical_note"] for _ in range(6)]
    assert len(set(notes)) == 1
    assert alone.reset(seed=1235)["observation"]["clinical_note"] != notes[0]


def test_the_index_leads_to_the_page_or_tells_the_routes(serve: Serve) -> None:
    with serve() as served:
        page = httpx.get(served.url, follow_redirects=True)
        assert str(page.url) == f"{served.url}/web/"
        assert "<title>" in page.text
    with serve(web=False) as served:
        assert "/reset" in served.get("/").json()["routes"]
        assert served.get("/web/").status_code == 404
