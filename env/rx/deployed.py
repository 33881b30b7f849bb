"""The rx server as a container runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casegen.env.serve import deployed

from . import FAMILY

if TYPE_CHECKING:
    from fastapi import FastAPI


def build() -> FastAPI:
    """The app, for a server of one's own (``uvicorn server.app:app``)."""
    return deployed.build(FAMILY)


def main(argv: list[str] | None = None) -> int:
    """Serve until told to end; the exit status."""
    return deployed.main(FAMILY, argv)
