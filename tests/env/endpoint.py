"""A chat endpoint on loopback that speaks the protocol: what it answers, a test decides."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Request = dict[str, Any]
Answer = tuple[int, dict[str, Any]]


@dataclass
class Heard:
    """What an endpoint was asked."""

    url: str
    requests: list[Request] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


@contextmanager
def endpoint(answer: Callable[[Request], Answer]) -> Iterator[Heard]:
    """An endpoint for as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            heard.requests.append(body)
            heard.keys.append(self.headers.get("Authorization", ""))
            status, told = answer(body)
            data = json.dumps(told).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                pass  # whoever asked has lost patience

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        heard = Heard(f"http://127.0.0.1:{server.server_address[1]}/v1")
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield heard
        finally:
            server.shutdown()
            thread.join(5)


def message(**told: Any) -> Answer:
    """An answer with one choice."""
    content = {"role": "assistant", "content": None, **told}
    choice = {"index": 0, "finish_reason": "stop", "message": content}
    return 200, {
        "id": "c1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]
    }  # fmt: skip


def text(words: str) -> Answer:
    """An answer in words."""
    return message(content=words)


def call(name: str, **arguments: Any) -> Answer:
    """An answer that calls a tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return message(tool_calls=[{"id": "t1", "type": "function", "function": function}])


def failure(status: int, words: str) -> Answer:
    """An answer that refuses."""
    return status, {"error": {"message": words, "type": "error", "code": None}}
