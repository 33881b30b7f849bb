"""A family's server as a container runs it: settings come from the surroundings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from casegen.env.family import Family

if TYPE_CHECKING:
    from fastapi import FastAPI

_TRUE = {"1", "true", "yes", "on"}


def web_is_on() -> bool:
    """Whether ENABLE_WEB_INTERFACE asks for the page at /web/."""
    return os.environ.get("ENABLE_WEB_INTERFACE", "").strip().lower() in _TRUE


def build(family: Family) -> FastAPI:
    """The app, for a server of one's own (``uvicorn server.app:app``)."""
    from .app import build_app

    return build_app(family, web=web_is_on())


def main(family: Family, argv: list[str] | None = None) -> int:
    """Serve until told to end; the exit status."""
    import argparse
    import sys

    from casegen.schemas import CasegenError

    from .server import serve

    parser = argparse.ArgumentParser(description=f"serve the {family.title}")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=family.port)
    options = parser.parse_args(argv)
    try:
        serve(family, options.host, options.port, web=web_is_on())
    except CasegenError as error:
        print(f"server: {error}", file=sys.stderr)
        return 2
    return 0
