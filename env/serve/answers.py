"""What the server says: JSON, and of an error one clear line."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from casegen.env.errors import EpisodeError
from casegen.env.openenv.environment import error_line
from casegen.schemas import InputError
from casegen.schemas.errors import CasegenError, printable, shown
from casegen.schemas.serial import field_name

from .store import FullError, StoreError


def answer(content: Any, status: int = 200) -> Response:
    """Plain values as JSON."""
    return Response(orjson.dumps(content), status, media_type="application/json")


def problem(status: int, line: str, *, close: bool = False) -> Response:
    """One line of complaint; ``close`` also ends the connection."""
    response = answer({"detail": line}, status)
    if close:
        response.headers["connection"] = "close"
    return response


def status_of(error: Exception) -> int:
    """The HTTP status of an error."""
    if isinstance(error, StoreError):
        return error.status
    if isinstance(error, EpisodeError):
        return 409
    if isinstance(error, InputError):
        return 422
    return 500


def told(error: Exception) -> Response:
    """An error as an answer."""
    response = problem(status_of(error), error_line(error))
    if isinstance(error, FullError):
        response.headers["retry-after"] = "30"
    return response


def register(app: FastAPI) -> None:
    """Let every error that leaves a route be told as one line."""

    async def ours(request: Request, error: Exception) -> Response:
        return told(error)

    async def invalid(request: Request, error: Exception) -> Response:
        if not isinstance(error, RequestValidationError):
            return told(error)
        first = error.errors()[0]
        place = field_name(first["loc"][1:]) or "body"
        line = f"{place}: {shown(first.get('input'))}: {first['msg']}"
        return problem(422, printable(line))

    async def http(request: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException):
            return told(error)
        return Response(
            orjson.dumps({"detail": printable(str(error.detail))}),
            error.status_code,
            dict(error.headers or {}),
            "application/json",
        )

    app.add_exception_handler(CasegenError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, ours)
