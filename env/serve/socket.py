"""Play over a WebSocket, one session a connection, by OpenEnv's protocol.

OpenEnv's own route builds each answer from pydantic models and lets a session outlive its
timeout; this one writes the engine's values as JSON, and says why it closes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import orjson
from starlette.types import Receive, Scope, Send

from casegen.env.openenv.environment import FamilyEnvironment, error_line
from casegen.schemas import InputError
from casegen.schemas.errors import CasegenError, shown

_log = logging.getLogger(__name__)
_KINDS = "reset, step, state, close"


class Sockets:
    """How many sessions are open, of how many that may be, and how long one may be idle."""

    def __init__(self, most: int, idle: float) -> None:
        self.most = most
        self.idle = idle
        self.open = 0


class Session:
    """One connection's session: it takes a place until it ends, by its client or for idleness.

    A session that was idle too long gives its place up at once. Its connection stays for as
    long again, so that the next message is told why: a client that finds its connection closed
    opens another, and would be told of nothing. A message costs the watch no more than a look
    at the clock: the alarm goes off once in a while and is set anew if there were messages.
    """

    def __init__(self, environment: FamilyEnvironment, sockets: Sockets, send: Send) -> None:
        self.environment = environment
        self.live = True
        self._sockets = sockets
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._used = self._loop.time()
        self._alarm = self._loop.call_later(sockets.idle, self._ring)
        self._ending: asyncio.Task[None] | None = None
        sockets.open += 1

    @property
    def why(self) -> str:
        """What is told of a session that was idle too long."""
        idle = self._sockets.idle
        return f"this session was closed after {idle:g} s without a message; open a new one"

    def touch(self) -> None:
        """There was a message."""
        self._used = self._loop.time()

    def end(self) -> None:
        """The connection has ended."""
        self._alarm.cancel()
        self._release()

    def _release(self) -> None:
        if self.live:
            self.live = False
            self._sockets.open -= 1
            self.environment.close()

    def _ring(self) -> None:
        left = self._used + self._sockets.idle - self._loop.time()
        if left > 0:
            self._alarm = self._loop.call_later(left, self._ring)
        elif self.live:
            self._release()
            self._alarm = self._loop.call_later(self._sockets.idle, self._ring)
        else:
            told = _error(self.why, "SESSION_ERROR")
            self._ending = asyncio.create_task(_end(self._send, 1001, told))


class Play:
    """The route, as an ASGI application: the layers between cost as much as a step."""

    def __init__(self, make: Callable[[], FamilyEnvironment], sockets: Sockets) -> None:
        self._make = make
        self._sockets = sockets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, from its opening to its end."""
        sockets = self._sockets
        await receive()
        await send({"type": "websocket.accept"})
        if sockets.open >= sockets.most:
            told = (
                f"all {sockets.most} sessions are taken; close one, or serve more (--max-sessions)"
            )
            places = {"active_sessions": sockets.open, "max_sessions": sockets.most}
            await _end(send, 1013, _error(told, "CAPACITY_REACHED", **places))
            return
        session = Session(self._make(), sockets, send)
        try:
            await _converse(receive, send, session)
        except OSError:
            pass  # the other side went while it was answered
        finally:
            session.end()


async def _converse(receive: Receive, send: Send, session: Session) -> None:
    """Answer until the other side is done."""
    environment = session.environment
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return
        if not session.live:
            await _end(send, 1001, _error(session.why, "SESSION_ERROR"))
            return
        session.touch()
        text = message.get("text")
        reply = _reply(environment, message.get("bytes") if text is None else text)
        if reply is None:
            await _end(send, 1000, None)
            return
        await send({"type": "websocket.send", "text": orjson.dumps(reply).decode()})


def _reply(environment: FamilyEnvironment, raw: str | bytes | None) -> dict[str, Any] | None:
    """The answer to a message, None where it says goodbye."""
    try:
        message = orjson.loads(raw or b"")
    except orjson.JSONDecodeError as error:
        return _error(f"no valid JSON: {error}", "INVALID_JSON")
    if not isinstance(message, dict):
        return _error(f"message: {shown(message)}: a JSON object", "VALIDATION_ERROR")
    kind = message.get("type")
    try:
        if kind == "step":
            return _observation(environment, environment.act(_data(message)))
        if kind == "reset":
            return _observation(environment, environment.begin(**_data(message)))
        if kind == "state":
            return {"type": "state", "data": environment.state.model_dump()}
        if kind == "close":
            return None
        return _error(f"type: {shown(kind)}: one of {_KINDS}", "UNKNOWN_TYPE")
    except InputError as error:
        return _error(str(error), "VALIDATION_ERROR")
    except CasegenError as error:
        return _error(str(error), "EXECUTION_ERROR")
    except Exception as error:
        # A defect of ours: the session goes on, and the log holds where it happened.
        _log.exception("a message could not be answered")
        return _error(error_line(error), "EXECUTION_ERROR")


def _data(message: dict[str, Any]) -> dict[str, Any]:
    data = message.get("data", {})
    if not isinstance(data, dict):
        raise InputError("data", data, "a JSON object")
    return data


def _observation(environment: FamilyEnvironment, observation: Any) -> dict[str, Any]:
    return {"type": "observation", "data": environment.payload(observation)}


def _error(line: str, code: str, **more: int) -> dict[str, Any]:
    return {"type": "error", "data": {"message": line, "code": code, **more}}


async def _end(send: Send, code: int, last: dict[str, Any] | None) -> None:
    try:
        if last is not None:
            await send({"type": "websocket.send", "text": orjson.dumps(last).decode()})
        await send({"type": "websocket.close", "code": code})
    except (OSError, RuntimeError):
        pass  # the other side is gone already
