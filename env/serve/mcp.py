"""``POST /mcp``: there are no tools here, and no sessions for them.

OpenEnv's own route would make an environment for each session that is asked for. The route
itself stays, for ``openenv validate --url`` asks whether it answers.
"""

from __future__ import annotations

from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from .answers import answer

_NO_JSON = (-32700, "no valid JSON")
_NO_REQUEST = (-32600, "a JSON-RPC 2.0 request is an object with jsonrpc and method")
_NO_METHOD = (-32601, "there are no tools here; play by /reset and /step, or over /ws")


async def no_tools(request: Request) -> Response:
    """Says to any request of the protocol that there are no tools."""
    try:
        asked: Any = orjson.loads(await request.body())
    except orjson.JSONDecodeError:
        return _error(None, _NO_JSON)
    if not isinstance(asked, dict) or not isinstance(asked.get("method"), str):
        return _error(None, _NO_REQUEST)
    number = asked.get("id")
    return _error(number if isinstance(number, str | int) else None, _NO_METHOD)


def _error(number: str | int | None, told: tuple[int, str]) -> Response:
    code, line = told
    return answer({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": line}})
