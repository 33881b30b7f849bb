"""``casegen push DIR REPO``: an export on a hub of datasets."""

from __future__ import annotations

from pathlib import Path

import click
import orjson

from casegen.cli.command import Command
from casegen.cli.kinds import Folder
from casegen.schemas.errors import printable

_MB = 1_000_000


@click.command(cls=Command)
@click.argument("folder", metavar="DIR", type=Folder())
@click.argument("repo", metavar="REPO")
@click.option("--private", is_flag=True, help="Make a new repository private.")
@click.option("--dry-run", is_flag=True, help="Check all and upload nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(folder: str, repo: str, private: bool, dry_run: bool, as_json: bool) -> None:
    """Upload the export in DIR to REPO (user/dataset) on the Hugging Face hub.

    Shards and croissant.json are compared with the manifest first; README.md may have been
    edited, and is sent as it stands. Nothing is sent through a link. The token is taken from
    HF_TOKEN or a stored login; HF_ENDPOINT names another hub. What REPO held of an older export
    is replaced.
    """
    from ..extra import need_libraries

    need_libraries()
    from ..push import push, token_told

    done = push(Path(folder), repo, private=private, dry_run=dry_run)
    if as_json:
        told = {"repo": repo, "files": done.files, "bytes": done.bytes, "commit": done.url}
        click.echo(orjson.dumps(told).decode())
        return
    what = "would be uploaded" if dry_run else "uploaded"
    text = f"{len(done.files)} files, {done.bytes / _MB:.2f} MB, {what} to {repo}"
    if done.url is not None:
        text += f": {done.url}"
    click.echo(printable(text))
    if dry_run:
        click.echo(f"casegen: {token_told()}", err=True)
