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
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from casegen.env.openenv.environment import FamilyEnvironment, error_line
from casegen.schemas import InputError
from casegen.schemas.errors import CasegenError, shown

_log = logging.getLogger(__name__)
_KINDS = "reset, step, state, close"


class Sockets:
    """How many sessions are open, of how many that may be."""

    def __init__(self, most: int, idle: float) -> None:
        self.most = most
        self.idle = idle
        self.open = 0


def router(make: Callable[[], FamilyEnvironment], sockets: Sockets) -> APIRouter:
    """The route."""
    routes = APIRouter()

    @routes.websocket("/ws")
    async def play(socket: WebSocket) -> None:
        await socket.accept()
        if sockets.open >= sockets.most:
            told = f"all {sockets.most} sessions are taken; close one, or try later"
            places = {"active_sessions": sockets.open, "max_sessions": sockets.most}
            await _end(socket, 1013, _error(told, "CAPACITY_REACHED", **places))
            return
        sockets.open += 1
        environment = make()
        try:
            await _converse(socket, environment, sockets.idle)
        except WebSocketDisconnect:
            pass
        except TimeoutError:
            told = f"this session was closed after {sockets.idle:g} s without a message"
            await _end(socket, 1001, _error(told, "SESSION_ERROR"))
        finally:
            sockets.open -= 1
            environment.close()

    return routes


async def _converse(socket: WebSocket, environment: FamilyEnvironment, idle: float) -> None:
    """Answer until the other side is done."""
    while True:
        async with asyncio.timeout(idle):
            message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        reply = _reply(environment, message.get("bytes") if text is None else text)
        if reply is None:
            await _end(socket, 1000, None)
            return
        await socket.send({"type": "websocket.send", "text": orjson.dumps(reply).decode()})


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


async def _end(socket: WebSocket, code: int, last: dict[str, Any] | None) -> None:
    try:
        if last is not None:
            await socket.send({"type": "websocket.send", "text": orjson.dumps(last).decode()})
        await socket.close(code)
    except (RuntimeError, WebSocketDisconnect):
        pass  # the other side is gone already
