"""A real server on a free port of the loopback, stopped when its tests are done."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[3]
START = 120  # seconds; the first start of all compiles the tables
COMMAND = ("-m", "casegen", "serve")


@dataclass(frozen=True)
class Served:
    """A running server."""

    url: str
    process: subprocess.Popen[str] | None
    begun: list[str] = field(default_factory=list)  # the episodes that reset began

    def post(self, path: str, **kwargs: object) -> httpx.Response:
        """A request without cookies, as from a new client."""
        return httpx.post(self.url + path, timeout=20, **kwargs)  # type: ignore[arg-type]

    def get(self, path: str, **kwargs: object) -> httpx.Response:
        """A request without cookies, as from a new client."""
        return httpx.get(self.url + path, timeout=20, **kwargs)  # type: ignore[arg-type]

    def reset(self, **settings: object) -> dict[str, object]:
        """The answer to a reset."""
        response = self.post("/reset", json=settings)
        assert response.status_code == 200, response.text
        told: dict[str, object] = response.json()
        self.begun.append(str(told["episode_id"]))
        return told

    def kilobytes(self) -> int:
        """The memory that the server holds now."""
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])  # type: ignore[index]


Serve = Callable[..., AbstractContextManager[Served]]


@contextlib.contextmanager
def running(*options: str, family: str = "audit", **environment: str) -> Iterator[Served]:
    """A server with these options."""
    process = subprocess.Popen(
        [sys.executable, *COMMAND, family, "--port", "0", *options],
        cwd=ROOT,
        env=os.environ | environment,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield Served(_address(process), process)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)
        if process.stderr is not None:
            process.stderr.close()


def _address(process: subprocess.Popen[str]) -> str:
    said = process.stderr
    assert said is not None
    end = time.monotonic() + START
    heard = ""
    while time.monotonic() < end:
        if select.select([said], [], [], 0.5)[0]:
            line = said.readline()
            heard += line
            found = re.search(r" at (http://\S+)/$", line.strip())
            if found:
                return found[1]
            if not line:
                break
    raise AssertionError(f"the server did not come up: {heard}")


@contextlib.contextmanager
def nearby(**settings: Any) -> Iterator[Served]:
    """A server in a thread of this process, which need not load everything anew."""
    from casegen.env.families import family
    from casegen.env.serve.app import build_app
    from casegen.env.serve.defaults import MOST_BYTES, MOST_SESSIONS
    from casegen.env.serve.server import Server, config_of, listening

    app = build_app(family("audit"), **settings)
    ready = threading.Event()
    config = config_of(app, settings.get("max_sessions", MOST_SESSIONS), MOST_BYTES)
    served = Server(config, ready.set)
    with listening("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=served.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            assert ready.wait(START)
            yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", None)
        finally:
            served.should_exit = True
            thread.join(20)
            assert not thread.is_alive()


@pytest.fixture(scope="session")
def serve() -> Serve:
    """Starts a server with settings of one's own, in this process."""
    return nearby


@pytest.fixture(scope="session")
def run() -> Serve:
    """Starts a server with options of one's own, in a process of its own."""
    return running


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    """A server as it comes."""
    with running() as served:
        yield served


@pytest.fixture(scope="module")
def coding_server() -> Iterator[Served]:
    """A server of coding as it comes."""
    with running(family="coding") as served:
        yield served
