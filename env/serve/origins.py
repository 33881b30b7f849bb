"""No other site's page plays here: what its browser tells of itself is looked at.

A browser says with ``Origin`` which page sends a request; a program says nothing. And a page
whose name was made to point at this machine still sends its own name as ``Host``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from casegen.schemas import InputError
from casegen.schemas.errors import shown

from .answers import problem

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_NAME = re.compile(r"[^\s/\\?#@,]+")
_READING = ("GET", "HEAD", "OPTIONS")
_PORTS = {"http": ":80", "https": ":443"}


def hosts_for(bound: str, allowed: Iterable[str]) -> frozenset[str] | None:
    """The hosts by whose name a server may be asked, None for any. ``bound`` is the address at
    which it listens. Raises InputError."""
    names = {_checked(name) for name in allowed}
    if ip_address(bound.partition("%")[0]).is_loopback:
        names |= {*LOOPBACK, f"[{bound}]" if ":" in bound else bound}
    return frozenset(names) or None


def _checked(name: str) -> str:
    if not name or not _NAME.fullmatch(name) or host_of(name) != name.lower():
        raise InputError("--allowed-host", name, "a name without port, such as play.example.org")
    return name.lower()


def host_of(header: str) -> str:
    """The host in a ``Host`` header, without its port, in lower case."""
    name, colon, port = header.lower().rpartition(":")
    return name if colon and "]" not in port else header.lower()


class Guard:
    """ASGI middleware: refuses what a page of another site sends, and names of other hosts.

    Reading needs no guard against other pages: no answer may be read by them.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve or refuse one request or connection."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        told = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = told.get(b"host", "")
        if self.hosts is not None and host_of(host) not in self.hosts:
            await _refuse(421, f"Host: {shown(host)}: no name of this server", scope, receive, send)
        elif scope.get("method") not in _READING and _foreign(told, host):
            line = f"Origin: {shown(told[b'origin'])}: requests from other sites are refused"
            await _refuse(403, line, scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _foreign(told: dict[bytes, str], host: str) -> bool:
    """Whether a page of another site sends this."""
    origin = told.get(b"origin")
    if origin is None:
        return False
    try:
        page = urlsplit(origin.lower())
    except ValueError:
        return True
    default = _PORTS.get(page.scheme, "")
    # A proxy may ask by a name of its own, and then tells for which. No page can add that
    # header to a request to another site without being asked first, which it isn't here.
    names = (host, told.get(b"x-forwarded-host", host))
    ours = {name.lower().removesuffix(default) for name in names if name}
    return not page.scheme or page.netloc.removesuffix(default) not in ours


async def _refuse(status: int, line: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": line[:120]})
            return
    await problem(status, line, close=True)(scope, receive, send)
