"""Runs a family's server until it is told to end."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket as sockets
import sys
import threading
from collections.abc import Callable, Iterator, Sequence

import uvicorn

from casegen.env.family import Family
from casegen.schemas import InputError

from .app import build_app
from .connection import Connection
from .defaults import IDLE, MOST_BYTES, MOST_SESSIONS
from .origins import hosts_for

_GRACE = 5  # seconds that open requests have to end
_CONNECTIONS = 4  # how many there may be, as a multiple of the sessions, beside some more
_WAITING = 128  # connections, while the server starts
_CYCLES = (2000, 10, 10)
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Server(uvicorn.Server):
    """Uvicorn's server, which ends quietly when it is told to."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        """Begin to listen, then say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Heed signals while serving; do not raise them again, for ending is what they asked."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def serve(
    family: Family,
    host: str = "127.0.0.1",
    port: int | None = None,
    *,
    max_sessions: int = MOST_SESSIONS,
    session_timeout: float = IDLE,
    max_message_bytes: int = MOST_BYTES,
    pack: str | None = None,
    tables: str | None = None,
    web: bool = True,
    allowed_hosts: Sequence[str] = (),
) -> None:
    """Serve ``family`` until SIGINT or SIGTERM. Port 0 is any free one; ``pack`` may be a file,
    ``tables`` name an imported set.

    At a loopback address only requests to a loopback host or to ``allowed_hosts`` are served;
    at another, if there are ``allowed_hosts``, only requests to these.

    Raises InputError where the address can't be had or a setting doesn't fit.
    """
    with listening(host, family.port if port is None else port) as listener:
        hosts = hosts_for(listener.getsockname()[0], allowed_hosts)
        app = build_app(
            family,
            max_sessions=max_sessions,
            session_timeout=session_timeout,
            max_message_bytes=max_message_bytes,
            pack=pack,
            tables=tables,
            web=web,
            hosts=hosts,
        )
        # Whatever can't be loaded is told here, as one line, and not by the server's log.
        app.state.make().begin(seed=0)
        # The command line puts searches for cycles off, which a connection leaves behind; what is
        # loaded now stays, and need not be searched.
        gc.freeze()
        gc.set_threshold(*_CYCLES)
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{listener.getsockname()[1]}/"

        def ready() -> None:
            print(f"casegen serves {family.name} at {url}", file=sys.stderr, flush=True)

        Server(config_of(app, max_sessions, max_message_bytes), ready).run(sockets=[listener])


def config_of(app: object, max_sessions: int, max_message_bytes: int) -> uvicorn.Config:
    """How uvicorn runs the app."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=Connection,
        log_level="warning",
        access_log=False,
        server_header=False,
        # Who may say for whom it speaks is for whoever runs a proxy to set.
        proxy_headers="FORWARDED_ALLOW_IPS" in os.environ,
        # Compressing a note takes longer than sending it does.
        ws_per_message_deflate=False,
        ws_max_size=max_message_bytes,
        limit_concurrency=_CONNECTIONS * max_sessions + 64,
        timeout_graceful_shutdown=_GRACE,
    )


@contextlib.contextmanager
def listening(host: str, port: int) -> Iterator[sockets.socket]:
    """A socket that listens at the address. Raises InputError."""
    try:
        found = sockets.getaddrinfo(host, port, type=sockets.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise InputError("--host", host, f"no such address ({error})") from None
    kind, _, _, _, where = found[0]
    # The protocol by name: asyncio sends small answers at once (TCP_NODELAY) only where it stands.
    with sockets.socket(kind, sockets.SOCK_STREAM, sockets.IPPROTO_TCP) as listener:
        if os.name != "nt":  # where it would let two servers have one port
            listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        try:
            listener.bind(where)
            # Two that start at once can both bind; only one of them can listen.
            listener.listen(_WAITING)
        except OSError as error:
            told = f"can't be had ({(error.strerror or str(error)).lower()}); choose another"
            raise InputError("--port", port, told) from None
        yield listener
