"""The HTTP routes of play: ``/reset``, ``/step``, ``/state`` and ``/close``.

OpenEnv's own routes make a new environment for each request, so that no step ever finds the
episode that a reset began. These keep it. A request names its episode by ``episode_id`` (in
the body or in the query), else by the cookie that reset set, else it means the only live
episode of its address. A cookie of an episode that was never here counts for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

import orjson
from fastapi import APIRouter, Request
from openenv.core.env_server.types import ResetResponse, StepResponse
from starlette.responses import Response

from casegen.env.openenv.environment import FamilyEnvironment
from casegen.schemas import InputError

from .answers import answer
from .requests import PlayReset, PlayStep
from .store import EpisodeStore, GoneError, Held, UnknownEpisodeError

Held_ = Held[FamilyEnvironment]
# What a step may hold beside the act; the last two are OpenEnv's, and change nothing here.
_STEP = ("action", "episode_id", "timeout_s", "request_id")
_PORT = re.compile("[0-9]{1,5}")
_VIEW = "web"  # ?view=web: the answer also holds what the page shows


@dataclass(slots=True)
class Play:
    """The episodes of one server."""

    make: Callable[[], FamilyEnvironment]
    store: EpisodeStore[FamilyEnvironment]
    cookie: str

    def reset(self, body: Mapping[str, Any], client: str | None) -> Held_:
        """Begin an episode. Raises InputError, FullError or TakenError."""
        wanted = body.get("episode_id")
        self.store.check_room(wanted if isinstance(wanted, str) else None)
        environment = self.make()
        told = environment.payload(environment.begin(**body))
        episode_id = environment.episode_id or ""
        held = self.store.add(episode_id, environment, client)
        held.told = {**told, "episode_id": episode_id}
        return held

    def step(self, held: Held_, action: Any) -> dict[str, Any]:
        """Carry out an act; the end of an episode gives its place to others."""
        environment = held.episode
        told = environment.payload(environment.act(action))
        held.told = {**told, "episode_id": held.id}
        if told["done"]:
            self.store.end(held.id, "is over")
        return held.told

    def named(self, request: Request, body: Mapping[str, Any]) -> str | None:
        """The id that a request names, None if it names none."""
        wanted = body.get("episode_id", request.query_params.get("episode_id"))
        if wanted is None:
            cookie = unquote(request.cookies.get(self.cookie_for(request), ""))
            return cookie if self.store.knows(cookie) else None
        if not isinstance(wanted, str):
            raise InputError("episode_id", wanted, "text")
        return wanted

    def cookie_for(self, request: Request) -> str:
        """The cookie's name. Browsers keep one jar for all ports of a host, so it tells the port
        that the client sees."""
        port = request.headers.get("host", "").rpartition(":")[2]
        return f"{self.cookie}_{port}" if _PORT.fullmatch(port) else self.cookie

    def close(self, request: Request, body: Mapping[str, Any]) -> str:
        """Give up an episode, which may have ended already; its id."""
        wanted = self.named(request, body)
        if wanted is None or self.store.ended(wanted) is None:
            wanted = self.find(request, body).id
            self.store.end(wanted, "was closed")
        return wanted

    def find(self, request: Request, body: Mapping[str, Any]) -> Held_:
        """The episode that a request means."""
        wanted = self.named(request, body)
        return self.store.only(address(request)) if wanted is None else self.store.get(wanted)


def address(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else "unknown"


def viewed(held: Held_) -> dict[str, Any]:
    """The last answer with what the page shows of it."""
    environment, told = held.episode, held.told
    observation = {**told["observation"], "reward": told["reward"], "done": told["done"]}
    return {
        **told,
        "html": environment.render_web(observation),
        "actions": environment.web_actions(observation),
        "forms": environment.web_forms(observation),
    }


async def body_of(request: Request, known: tuple[str, ...] | None = None) -> dict[str, Any]:
    """The JSON object of a request; an empty body is an empty object. Raises InputError."""
    raw = await request.body()
    if not raw.strip():
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        # Also what keeps another site's page from posting here without being asked about it.
        raise InputError("Content-Type", kind or None, "application/json")
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise InputError("body", None, f"no valid JSON: {error}") from None
    if not isinstance(body, dict):
        raise InputError("body", body, "a JSON object")
    for name in body:
        if known is not None and name not in known:
            raise InputError(name, body[name], f"no such field; there are {', '.join(known)}")
    return body


def router(play: Play) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["Environment Control"])

    @routes.post("/reset", response_model=ResetResponse, openapi_extra=_takes(PlayReset))
    async def reset(request: Request) -> Response:
        """Begin an episode: by task_id, by pack or split and index, or by seed."""
        body = await body_of(request)
        web = request.query_params.get("view") == _VIEW
        # What the page holds it always names; it is no candidate for requests that don't.
        held = play.reset(body, None if web else address(request))
        if web:
            return answer(viewed(held))
        response = answer(held.told)
        response.set_cookie(
            play.cookie_for(request),
            quote(held.id, safe=""),
            httponly=True,
            samesite="lax",
            path="/",
        )
        return response

    @routes.post("/step", response_model=StepResponse, openapi_extra=_takes(PlayStep))
    async def step(request: Request) -> Response:
        """Carry out one act of an episode."""
        body = await body_of(request, _STEP)
        if "action" not in body:
            raise InputError("action", None, 'missing; send {"action": {...}}')
        held = play.find(request, body)
        told = play.step(held, body["action"])
        return answer(viewed(held) if request.query_params.get("view") == _VIEW else told)

    @routes.get("/state")
    async def state(request: Request) -> Response:
        """Where an episode stands; without one, a state that says so."""
        try:
            standing = play.find(request, {}).episode.state.model_dump()
        except GoneError:
            wanted = play.named(request, {})
            ended = None if wanted is None else play.store.ended(wanted)
            if wanted is not None and ended is None:
                raise
            standing = play.make().state.model_dump() if ended is None else ended.state
        return answer(standing)

    @routes.post("/close")
    async def close(request: Request) -> Response:
        """Give up an episode, so that another finds a place; one that has ended stays so."""
        body = await body_of(request, ("episode_id",))
        return answer({"episode_id": play.close(request, body), "closed": True})

    return routes


def web_router(play: Play) -> APIRouter:
    """What only the page asks for."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/web/setup")
    async def setup(request: Request) -> Response:
        """Title, description and tasks to choose from."""
        environment = play.make()
        about = {"title": environment.family.title, "description": environment.description}
        return answer({**about, "choices": environment.web_choices()})

    @routes.get("/web/view")
    async def view(request: Request) -> Response:
        """An episode as it was last shown, for a page that was loaded anew."""
        wanted = request.query_params.get("episode_id")
        if wanted is None:
            raise UnknownEpisodeError("episode_id: missing")
        return answer(viewed(play.store.get(wanted)))

    return routes


def _takes(model: Any) -> dict[str, Any]:
    """What the API's description says of a request's body."""
    schema = {"application/json": {"schema": model.model_json_schema()}}
    return {"requestBody": {"required": model is PlayStep, "content": schema}}
