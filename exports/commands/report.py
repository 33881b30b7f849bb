"""``casegen report DIR``: a page that shows what an export holds."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import orjson

from casegen.cli.command import Command
from casegen.cli.kinds import Folder, Whole
from casegen.schemas import InputError
from casegen.schemas.errors import printable

NAME = "report.html"
_MOST = 200


@click.command(cls=Command)
@click.argument("folder", metavar="DIR", type=Folder())
@click.option("-o", "--output", default=None, help=f"FILE.html, or -; DIR/{NAME} without it.")
@click.option(
    "--samples", type=Whole(0, _MOST), default=16, show_default=True,
    help=f"Cases shown whole, a family; 0 to {_MOST}.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object.")
def command(folder: str, output: str | None, samples: int, as_json: bool) -> None:
    """Write one HTML file about the export in DIR: plots, and cases to browse.

    It shows difficulties, settings, lengths of notes, errors, code chapters and the scores of
    the agents, and some cases with the evidence marked and each step of the agents. The file
    needs no network and no other file.
    """
    from ..extra import need_libraries

    need_libraries()
    from casegen.cli.output import target
    from casegen.cli.progress import progress

    from ..finished import finished
    from ..report.figures import gather
    from ..report.page import html
    from ..report.samples import samples as chosen

    if as_json and output == "-":
        raise InputError("--json", None, "goes with -o FILE: both can't be standard output")
    where = Path(folder)
    manifest = finished(where)
    read = sum(
        name in piece.files
        for piece in manifest.pieces
        for name in ("cases", "trajectories", "steps")
    )
    name = str(where / NAME) if output is None else output
    # The target first: who can't write there should not wait for the figures.
    with target(name, endings=(".html",), what="the report is a page") as stream:
        with progress(read, "files read") as bar:
            figures = gather(where, manifest, bar.update)
        page = html(manifest, figures, chosen(where, manifest, samples)).encode()
        stream.write(page)
    if as_json:
        click.echo(orjson.dumps(figures.plain()).decode())
    elif name != "-":
        print(f"casegen: {printable(name)}, {len(page) / 1e6:.1f} MB", file=sys.stderr)
