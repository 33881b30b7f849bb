"""``casegen space FAMILY``: the folder from which a server is deployed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from casegen.cli.command import Command
from casegen.cli.kinds import Folder
from casegen.schemas import CasegenError, InputError

from ..families import FAMILIES

_ROOT = Path(__file__).resolve().parents[2]  # of a checkout
_LEFT = "__pycache__"
_SHARED = "casegen.env.serve"


@click.command(cls=Command)
@click.argument("name", metavar="FAMILY")
@click.option(
    "-o", "--output", type=Folder(), required=True, help="Folder to write; it must not exist yet."
)
@click.option("--wheel", help="The wheel of casegen to put in; else one is built of the checkout.")
def command(name: str, output: str, wheel: str | None) -> None:
    """Write the folder to deploy FAMILY (audit, coding, rx): Dockerfile, manifest, server, wheel.

    It is what a Docker host or a Hugging Face Space needs: `docker build` there asks for nothing
    but Python and the packages that requirements.txt pins.
    """
    if name not in FAMILIES:
        raise InputError("FAMILY", name, f"one of {', '.join(FAMILIES)}")
    target = Path(output)
    if target.exists() or target.is_symlink():
        raise InputError("--output", output, "exists; name a folder that doesn't")
    if not target.absolute().parent.is_dir():
        raise InputError("--output", output, f"there is no folder {target.absolute().parent}")
    if wheel is not None:
        _check_wheel(wheel)
    with _renamed(target) as folder:
        # What the servers of all families need, then what the family has.
        _copy(files(_SHARED) / "space", folder)
        _copy(files(FAMILIES[name]) / "space", folder)
        if wheel is None:
            _build(folder)
        else:
            shutil.copyfile(wheel, folder / Path(wheel).name)
    click.echo(f"{output}: ready for docker build", err=True)


@contextmanager
def _renamed(target: Path) -> Iterator[Path]:
    """A folder beside the target, which gets the target's name when all is written."""
    waiting = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.absolute().parent))
    try:
        waiting.chmod(0o755)
        yield waiting
        waiting.rename(target)
    except BaseException:
        shutil.rmtree(waiting, ignore_errors=True)
        raise


def _copy(source: Traversable, folder: Path) -> None:
    for entry in source.iterdir():
        if entry.name == _LEFT:
            continue
        place = folder / entry.name
        if entry.is_dir():
            place.mkdir()
            _copy(entry, place)
        else:
            place.write_bytes(entry.read_bytes())


def _check_wheel(wheel: str) -> None:
    path = Path(wheel)
    if not path.is_file():
        raise InputError("--wheel", wheel, "no such file")
    if not (path.name.startswith("casegen-") and path.suffix == ".whl"):
        raise InputError("--wheel", wheel, "must be named casegen-*.whl")


def _build(folder: Path) -> None:
    """Build the checkout's wheel, away from the checkout, which stays as it is."""
    if not (_ROOT / "pyproject.toml").is_file():
        raise InputError("--wheel", None, "name one; this is no checkout to build it of")
    click.echo("building the wheel", err=True)
    with tempfile.TemporaryDirectory() as name:
        checkout = Path(name) / "casegen"
        checkout.mkdir()
        for entry in _ROOT.iterdir():
            if entry.is_file() and entry.suffix in {".toml", ".in", ".md", ""}:
                shutil.copyfile(entry, checkout / entry.name)
        for room in ("casegen", "schemas", "seeds", "env", "exports"):
            ignored = shutil.ignore_patterns(_LEFT)
            shutil.copytree(_ROOT / room, checkout / room, symlinks=True, ignore=ignored)
        done = subprocess.run(
            [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
            + ["--outdir", str(folder), str(checkout)],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no word of why").splitlines()[-1]
        raise CasegenError(f"the wheel could not be built: {last}; or name one with --wheel")
