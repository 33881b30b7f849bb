"""Nobody holds a connection with half a request, and the server ends all the same."""

from __future__ import annotations

import asyncio
import signal
import socket
import statistics
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from casegen.env.serve import connection
from casegen.env.serve.server import listening
from casegen.schemas import InputError

Serve = Callable[..., Any]
HEAD = b"POST /reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
WHOLE = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def dial(url: str) -> socket.socket:
    """A connection to the server."""
    found = socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])), timeout=5)
    found.settimeout(5)
    return found


@pytest.mark.parametrize("sent", [b"", b"POST /re", HEAD, HEAD + b"\r\n{", WHOLE + HEAD + b"\r\n"])
def test_a_request_that_never_comes_whole_is_cut_off(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(connection, "ARRIVAL", 0.5)
    with serve() as served, dial(served.url) as line:
        line.sendall(sent)
        begun = time.monotonic()
        while line.recv(4096):
            pass
        assert time.monotonic() - begun < 3


def test_dripping_does_not_help(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "ARRIVAL", 0.5)
    with serve() as served, dial(served.url) as line:
        line.sendall(HEAD)
        begun = time.monotonic()
        with pytest.raises(ConnectionError):
            while time.monotonic() < begun + 5:
                line.sendall(b"x: y\r\n")
                time.sleep(0.1)


def test_a_connection_in_use_outlives_the_bound(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "ARRIVAL", 0.5)
    with serve() as served, dial(served.url) as line:
        for _ in range(4):
            line.sendall(WHOLE)
            heard = b""
            while not heard.endswith(b"}"):
                heard += line.recv(4096)
            assert b" 200 " in heard
            time.sleep(0.25)


def test_a_socket_outlives_the_bound(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    from websockets.sync.client import connect

    monkeypatch.setattr(connection, "ARRIVAL", 0.3)
    with serve() as served, connect(served.url.replace("http", "ws") + "/ws") as line:
        time.sleep(0.8)
        line.send('{"type": "state"}')
        assert '"state"' in str(line.recv(5))


def test_a_server_that_waits_for_a_body_ends_at_once_and_quietly(run: Serve) -> None:
    with run() as served, dial(served.url) as line:
        line.sendall(HEAD + b"\r\n{")
        assert served.get("/health").status_code == 200
        begun = time.monotonic()
        served.process.send_signal(signal.SIGTERM)
        assert served.process.wait(20) == 0
        assert time.monotonic() - begun < 4
        assert served.process.stderr.read() == ""


def test_of_two_servers_one_has_the_port_from_the_moment_it_is_bound() -> None:
    with listening("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        told = f"--port: {port}: can't be had"
        with pytest.raises(InputError, match=told), listening("127.0.0.1", port):
            pass
        with dial(f"http://127.0.0.1:{port}"):
            pass  # whoever comes while the server starts waits for it


def test_small_answers_are_sent_at_once() -> None:
    async def without_delay() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def accepted(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            own = writer.get_extra_info("socket")
            found.set_result(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with listening("127.0.0.1", 0) as listener:
            async with await asyncio.start_server(accepted, sock=listener):
                with socket.create_connection(listener.getsockname(), timeout=5):
                    return await asyncio.wait_for(found, 5)

    assert asyncio.run(without_delay())


def test_an_answer_takes_a_few_milliseconds(serve: Serve) -> None:
    times = []
    with serve() as served, httpx.Client(base_url=served.url) as client:
        for _ in range(40):
            begun = time.monotonic()
            client.post("/close")
            times.append(time.monotonic() - begun)
    assert statistics.median(times) < 0.02
