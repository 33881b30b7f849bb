"""The server of a family as a FastAPI app."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute, APIWebSocketRoute
from openenv.core.env_server.http_server import HTTPEnvServer
from openenv.core.env_server.types import ConcurrencyConfig
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import WebSocketRoute

from casegen import __version__
from casegen.env.family import Family
from casegen.env.generators import tables_named
from casegen.env.openenv.environment import FamilyEnvironment
from casegen.env.packs import pack as pack_named
from casegen.schemas import InputError

from . import answers, mcp, play, socket
from .defaults import IDLE, MOST_BYTES, MOST_SESSIONS
from .limits import BodyLimit
from .origins import Guard
from .store import EpisodeStore

# OpenEnv's routes for which ours stand in. Its socket for tools goes: there are none.
_REPLACED = {"/reset", "/step", "/state", "/ws", "/mcp"}
_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
_PAGE_FILES = ("index.html", "page.js", "style.css")
_PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


def build_app(
    family: Family,
    *,
    max_sessions: int = MOST_SESSIONS,
    session_timeout: float = IDLE,
    max_message_bytes: int = MOST_BYTES,
    pack: str | None = None,
    tables: str | None = None,
    web: bool = True,
    hosts: Collection[str] | None = None,
) -> FastAPI:
    """The app that plays ``family``: at most ``max_sessions`` episodes over HTTP and as many
    sessions over WebSocket, each given up after ``session_timeout`` idle seconds. ``pack`` is a
    shipped pack or a file, ``tables`` an imported set that generated cases are made with;
    ``hosts`` are the only ones by whose name it may be asked.

    Raises InputError for a setting that doesn't fit.
    """
    if max_sessions < 1:
        raise InputError("max_sessions", max_sessions, "at least 1")
    if not 0 < session_timeout < float("inf"):
        raise InputError("session_timeout", session_timeout, "seconds, more than 0")
    if max_message_bytes < 1024:
        raise InputError("max_message_bytes", max_message_bytes, "at least 1024")
    wrapping = family.openenv().ENVIRONMENT
    # Name and digest: should the set be imported anew, no case is silently another.
    by = None if tables is None else tables_named(tables)
    make = partial(wrapping, None if pack is None else pack_named(pack), by)
    make()  # a pack that doesn't fit is told now
    app = FastAPI(
        title=f"{family.title} (casegen {family.name})",
        version="1.0.0",  # of the protocol, not of casegen
        description=wrapping.description,
        # Pages that would come from another server; /openapi.json tells the same.
        docs_url=None,
        redoc_url=None,
    )
    app.add_middleware(BodyLimit, most=max_message_bytes)
    app.add_middleware(Guard, hosts=hosts)
    answers.register(app)
    store: EpisodeStore[FamilyEnvironment] = EpisodeStore(
        most=max_sessions,
        idle=session_timeout,
        drop=lambda environment: environment.close(),
        last=lambda environment: environment.state.model_dump(),
    )
    game = play.Play(make, store, f"casegen_{family.name}")
    app.state.make = make
    app.state.store = store
    app.state.sockets = socket.Sockets(max_sessions, session_timeout)
    app.include_router(play.router(game))
    app.router.routes.append(WebSocketRoute("/ws", socket.Play(make, app.state.sockets)))
    app.add_api_route("/mcp", mcp.no_tools, methods=["POST"], tags=["MCP"])
    _front(app, family, game, web)
    _stock_routes(app, family, make, max_sessions, session_timeout)

    async def begin() -> None:
        # The first case loads what all cases share: better now than while someone waits.
        make().begin(seed=0)

    async def end() -> None:
        store.close()

    app.router.on_startup.append(begin)
    app.router.on_shutdown.append(end)
    return app


def _stock_routes(
    app: FastAPI, family: Family, make: Any, max_sessions: int, session_timeout: float
) -> None:
    """OpenEnv's routes for health, metadata, schemas and tasks."""
    wrapping = family.openenv().ENVIRONMENT
    ours = list(app.router.routes)
    server = HTTPEnvServer(
        make,
        wrapping.action_cls,
        wrapping.observation_cls,
        concurrency_config=ConcurrencyConfig(
            max_concurrent_envs=max_sessions, session_timeout=session_timeout
        ),
        env_name=family.name,
        state_cls=wrapping.state_cls,
    )
    server.register_routes(app, mode="simulation")
    # A route that makes an environment for each request must not be reached, whatever the order.
    app.router.routes[:] = [
        route for route in app.router.routes if route in ours or not _is_replaced(route)
    ]


def _is_replaced(route: Any) -> bool:
    return isinstance(route, APIRoute | APIWebSocketRoute) and route.path in _REPLACED


def _front(app: FastAPI, family: Family, game: play.Play, web: bool) -> None:
    """What a browser meets at ``/`` and, where the page is on, at ``/web/``."""
    if not web:
        index = {
            "name": family.name,
            "title": family.title,
            "casegen": __version__,
            "routes": ["/reset", "/step", "/state", "/close", "/ws", "/schema", "/metadata"]
            + ["/health", "/list_environments", f"/{family.name}/splits", "/openapi.json"],
        }

        @app.get("/", include_in_schema=False)
        async def root() -> Response:
            return answers.answer(index)

        return

    @app.get("/", include_in_schema=False)
    @app.get("/web", include_in_schema=False)
    async def to_page(request: Request) -> Response:
        # Relative, so that it holds behind a proxy that serves the app under a path.
        return RedirectResponse("web/")

    app.include_router(play.web_router(game))
    folder = files(__package__) / "web"
    for name in _PAGE_FILES:
        path = "/web/" if name == "index.html" else f"/web/{name}"
        kind = _TYPES[name.rpartition(".")[2]]
        app.add_api_route(
            path,
            partial(_page_file, (folder / name).read_bytes(), kind),
            include_in_schema=False,
        )


async def _page_file(content: bytes, kind: str) -> Response:
    return Response(content, media_type=kind, headers=_PAGE_HEADERS)
