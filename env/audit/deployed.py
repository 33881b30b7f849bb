"""The audit server as a container runs it: settings come from the surroundings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from . import FAMILY

if TYPE_CHECKING:
    from fastapi import FastAPI

_TRUE = {"1", "true", "yes", "on"}


def web_is_on() -> bool:
    """Whether ENABLE_WEB_INTERFACE asks for the page at /web/."""
    return os.environ.get("ENABLE_WEB_INTERFACE", "").strip().lower() in _TRUE


def build() -> FastAPI:
    """The app, for a server of one's own (``uvicorn server.app:app``)."""
    from casegen.env.serve.app import build_app

    return build_app(FAMILY, web=web_is_on())


def main(argv: list[str] | None = None) -> int:
    """Serve until told to end; the exit status."""
    import argparse
    import sys

    from casegen.env.serve.server import serve
    from casegen.schemas import CasegenError

    parser = argparse.ArgumentParser(description=f"serve the {FAMILY.title}")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=FAMILY.port)
    options = parser.parse_args(argv)
    try:
        serve(FAMILY, options.host, options.port, web=web_is_on())
    except CasegenError as error:
        print(f"server: {error}", file=sys.stderr)
        return 2
    return 0
