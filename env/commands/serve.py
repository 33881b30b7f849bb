"""``casegen serve FAMILY``: play over HTTP, WebSocket and in the browser."""

from __future__ import annotations

import click

from casegen.cli.command import Command
from casegen.cli.kinds import Number, Whole
from casegen.cli.tables import tables_option
from casegen.config import BUNDLED
from casegen.schemas import InputError

from ..families import FAMILIES, family
from ..serve.defaults import IDLE, MOST_BYTES, MOST_SESSIONS

_YEAR = 31_536_000  # seconds


@click.command(cls=Command)
@click.argument("name", metavar="FAMILY")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", type=Whole(0, 65535), help="Port, at most 65535; 0 is any free one.")
@click.option(
    "--max-sessions",
    type=Whole(1, 100_000),
    default=MOST_SESSIONS,
    show_default=True,
    help="Episodes at a time over HTTP, and as many over WebSocket.",
)
@click.option(
    "--session-timeout",
    type=Number(0, _YEAR, f"seconds, more than 0 and at most {_YEAR}", above=True),
    default=IDLE,
    show_default=True,
    help="Seconds after which an idle episode is given up.",
)
@click.option(
    "--max-message-bytes",
    type=Whole(1024, 2**30),
    default=MOST_BYTES,
    show_default=True,
    help="Longest body or message that is taken.",
)
@click.option("--no-web", is_flag=True, help="Leave the page at /web/ out.")
@click.option(
    "--pack",
    metavar="NAME|FILE",
    help="Take tasks from this pack, or from one in a file, unless a reset names others.",
)
@tables_option
@click.option(
    "--allowed-host",
    "allowed_hosts",
    metavar="NAME",
    multiple=True,
    help="Serve only requests to this host; may be given again. At a loopback address it is "
    "added to localhost; elsewhere any host is served unless one is given.",
)
def command(
    name: str,
    host: str,
    port: int | None,
    max_sessions: int,
    session_timeout: float,
    max_message_bytes: int,
    no_web: bool,
    pack: str | None,
    tables: str,
    allowed_hosts: tuple[str, ...],
) -> None:
    """Serve FAMILY (audit, coding, rx) as an OpenEnv environment until Ctrl-C.

    HTTP and WebSocket clients play at the address that is printed; people at /web/.
    """
    if name not in FAMILIES:
        raise InputError("FAMILY", name, f"one of {', '.join(FAMILIES)}")
    try:
        from ..serve.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("fastapi", "openenv", "starlette", "uvicorn"):
            told = "is not installed; in the clone: pip install '.[openenv]'"
            raise InputError("serve", error.name, told) from None
        raise
    serve(
        family(name),
        host,
        port,
        max_sessions=max_sessions,
        session_timeout=session_timeout,
        max_message_bytes=max_message_bytes,
        pack=pack,
        tables=None if tables == BUNDLED else tables,
        web=not no_web,
        allowed_hosts=allowed_hosts,
    )
