"""Pages of other sites can't play here, and programs can."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from casegen.env.families import family
from casegen.env.serve.app import build_app
from casegen.env.serve.origins import hosts_for
from casegen.schemas import InputError

Served = Any  # see conftest.py
Serve = Callable[..., Any]


@pytest.mark.parametrize("path", ["/reset", "/close", "/close?episode_id=mine", "/mcp", "/step"])
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:1", "x", ""])
def test_what_another_site_posts_is_refused_and_changes_nothing(
    server: Served, path: str, origin: str
) -> None:
    server.reset(task_id="easy_demographic", episode_id="mine")
    try:
        response = server.post(path, headers={"origin": origin})
        assert response.status_code == 403
        assert response.json()["detail"].startswith("Origin: ")
        state = server.get("/state", params={"episode_id": "mine"}).json()
        assert (state["done"], state["step_count"]) == (False, 0)
    finally:
        assert server.post("/close", json={"episode_id": "mine"}).status_code == 200


def test_the_server_s_own_page_and_programs_play(server: Served) -> None:
    for headers in ({}, {"origin": server.url}, {"origin": server.url.upper()}):
        told = server.post("/reset", headers=headers)
        assert told.status_code == 200, told.text
        body = {"episode_id": told.json()["episode_id"]}
        assert server.post("/close", json=body, headers=headers).status_code == 200


def test_a_page_behind_a_proxy_plays_under_the_name_that_the_proxy_tells(serve: Serve) -> None:
    with serve() as served:
        headers = {"origin": "https://play.example.org"}
        assert served.post("/reset", headers=headers).status_code == 403
        headers["x-forwarded-host"] = "play.example.org"
        assert served.post("/reset", headers=headers).status_code == 200
        asked = {"origin": "https://play.example.org", "host": "play.example.org:443"}
        assert served.post("/reset", headers=asked).status_code == 200


def test_a_socket_of_another_site_is_refused_before_it_opens(server: Served) -> None:
    async def opened(origin: str | None) -> int:
        url = server.url.replace("http", "ws") + "/ws"
        try:
            async with connect(url, origin=origin):  # type: ignore[arg-type]
                return 101
        except InvalidStatus as error:
            assert b"Origin: " in error.response.body
            return error.response.status_code

    assert asyncio.run(opened("http://evil.example")) == 403
    assert asyncio.run(opened(server.url)) == 101
    assert asyncio.run(opened(None)) == 101


@pytest.mark.parametrize("host", ["evil.example", "evil.example:7860", "127.0.0.1.evil.example"])
def test_at_the_loopback_no_other_name_is_served(server: Served, host: str) -> None:
    headers = {"host": host, "origin": f"http://{host}"}
    for response in (
        server.post("/reset", headers=headers),
        server.get("/state", headers={"host": host}),
    ):
        assert response.status_code == 421
        assert response.json()["detail"].startswith("Host: ")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1:1", "[::1]:9", "[::1]"])
def test_at_the_loopback_its_names_are_served_with_any_port(server: Served, host: str) -> None:
    assert server.get("/health", headers={"host": host}).status_code == 200


def test_a_host_that_is_allowed_is_served_at_the_loopback(run: Serve) -> None:
    with run("--allowed-host", "play.example.org") as served:
        for host, status in (("play.example.org:443", 200), ("localhost", 200), ("other", 421)):
            assert served.get("/health", headers={"host": host}).status_code == status


def test_elsewhere_any_host_is_served_unless_some_are_named() -> None:
    assert hosts_for("0.0.0.0", ()) is None
    assert hosts_for("::", ()) is None
    assert hosts_for("192.0.2.1", ["Play.Example.org", "[::1]"]) == {"play.example.org", "[::1]"}
    assert hosts_for("127.0.0.2", ()) == {"localhost", "127.0.0.1", "[::1]", "127.0.0.2"}


@pytest.mark.parametrize("name", ["", "http://a", "a:80", "a/b", " a"])
def test_what_is_no_host_is_told(name: str) -> None:
    with pytest.raises(InputError, match="--allowed-host"):
        hosts_for("127.0.0.1", [name])


def test_no_page_of_the_server_needs_another_server() -> None:
    from starlette.testclient import TestClient

    client = TestClient(build_app(family("audit"), web=False))
    assert client.get("/docs").status_code == client.get("/redoc").status_code == 404
    assert "/step" in client.get("/openapi.json").json()["paths"]
    for path in client.get("/").json()["routes"]:
        assert path == "/ws" or client.options(path).status_code in (200, 405), path
