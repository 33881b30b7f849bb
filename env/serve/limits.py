"""Nothing that is sent to the server is larger than it need be."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .answers import problem


class BodyLimit:
    """ASGI middleware: reads a request's body, and refuses one that is too long."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self.app(scope, receive, send)
            return
        parts: list[bytes] = []
        size = _announced(scope)
        while size <= self.most:
            message = await receive()
            if message["type"] != "http.request":
                return  # the client is gone
            parts.append(message.get("body", b""))
            size = max(size, sum(map(len, parts)))
            if not message.get("more_body"):
                break
        if size > self.most:
            told = f"the body is longer than {self.most} bytes"
            await problem(413, told, close=True)(scope, receive, send)
            return
        body: Message | None = {"type": "http.request", "body": b"".join(parts), "more_body": False}

        async def replay() -> Message:
            nonlocal body
            if body is None:
                return await receive()
            first, body = body, None
            return first

        await self.app(scope, replay, send)


def _announced(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value[:20])
    return 0
