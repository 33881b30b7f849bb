"""Writes an export: makes the pieces that are missing, then tells what there is.

A folder under way holds ``.casegen`` with what the export is made from and the entry of each
piece that is whole; ``manifest.json`` appears last.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO

import pyarrow as pa

import casegen
from casegen.cli.progress import progress
from casegen.config import whole
from casegen.env.families import family
from casegen.schemas import InputError
from casegen.schemas.anycase import CASES
from casegen.schemas.errors import printable

from . import card, croissant
from .another import need_same
from .formats import row_format
from .manifest import (
    NAME,
    Manifest,
    PieceEntry,
    read_entry,
    read_manifest,
    to_bytes,
)
from .places import DATA, LOCK, config_folders, need_free, shards_in
from .plan import MOST_JOBS, Piece, pieces
from .recipe import Recipe
from .schema_files import clear_schemas, schema_file, write_schemas
from .shard import PART, WORK, intact, write_piece, write_whole
from .sound import flaw_of
from .units import ROLLOUT
from .workers import in_processes, seldom_collecting

_HEAD = "export.json"


def export(
    recipe: Recipe,
    folder: Path,
    *,
    jobs: int = 1,
    overwrite: bool = False,
    resume: bool = False,
    rollout: str = ROLLOUT,
) -> Manifest:
    """Write the export of a recipe into a folder, which must be empty or not there.

    - ``jobs``: worker processes, at most as many as there are processors (two where there is
      one); the rows are the same for any number.
    - ``overwrite``: replace the export that the folder holds; ``resume``: keep what is whole of
      it, if it is of this recipe, and make the rest.
    - ``rollout``: the function that plays an episode (``module:function``).

    Raises InputError.
    """
    jobs = whole("jobs", jobs, MOST_JOBS, 1)
    if overwrite and resume:
        raise InputError("overwrite", overwrite, "goes without resume: the one throws away")
    schemas = {name: row_format(name).features().arrow_schema for name in recipe.configs}
    manifest = Manifest(recipe.plain(), _tables(recipe))
    try:
        _check(folder, manifest, overwrite, resume)
        plan = pieces(recipe)
        need_free(folder, _names(recipe, plan))
        if overwrite:
            need_free(folder, _removed(folder))
        (folder / WORK).mkdir(parents=True, exist_ok=True)
        with _locked(folder):
            if overwrite:
                _clear(folder)
            for part in _files(folder / WORK, PART):
                part.unlink()
            write_whole(folder / WORK / _HEAD, to_bytes(manifest), folder / WORK)
            done = _whole(folder, recipe, plan) if resume else {}
            missing = [piece for piece in plan if piece not in done]
            cases = sum(piece.hi - piece.lo for piece in missing)
            with progress(cases, "cases exported") as bar:
                for entry in _made(recipe, missing, folder, schemas, rollout, jobs, bar.update):
                    done[entry.piece] = entry
            manifest = replace(manifest, pieces=[done[piece] for piece in plan])
            _finish(folder, manifest)
    except OSError as error:
        told = error.strerror or str(error)
        if (folder / WORK / _HEAD).is_file():
            told += "; what is whole stays, and --resume goes on from there"
        raise InputError("output", str(folder), told) from None
    return manifest


def _names(recipe: Recipe, plan: list[Piece]) -> Iterator[str]:
    """The files that an export writes on its way, from its folder."""
    yield from (NAME, card.NAME, croissant.NAME, f"{WORK}/{LOCK}", f"{WORK}/{_HEAD}")
    yield from map(schema_file, CASES)
    for piece in plan:
        yield f"{WORK}/{piece.name}.json"
        for config in recipe.configs:
            yield piece.path(config)


def _removed(folder: Path) -> Iterator[str]:
    """The shards that are replaced, from the folder; and, so that no link in the place of a
    folder of shards is passed over in silence, one that may be there in each."""
    for place in config_folders(folder):
        yield (place / "any.parquet").relative_to(folder).as_posix()
    for path in shards_in(folder):
        yield path.relative_to(folder).as_posix()


def _files(folder: Path, ending: str) -> list[Path]:
    """The files in a folder whose names end so."""
    return [path for path in sorted(folder.glob(f"*{ending}")) if not path.is_dir()]


def _tables(recipe: Recipe) -> dict[str, casegen.schemas.TablesRef]:
    """The tables that the cases of each family are made with. Raises InputError."""
    return {
        name: casegen.make(family(name).generator, seed=recipe.seed, **dict(recipe.options)).tables
        for name in recipe.families
    }


def _check(folder: Path, manifest: Manifest, overwrite: bool, resume: bool) -> None:
    """Raise InputError unless the export may be written into the folder."""
    if folder.exists() and not folder.is_dir():
        raise InputError("output", str(folder), "is no folder")
    if not folder.exists():
        if folder.is_symlink():
            raise InputError("output", str(folder), "is a link that leads nowhere")
        return
    work = folder / WORK
    begun = (work / _HEAD).is_file()
    known = begun or (folder / NAME).is_file()
    if not known and not any(path != work for path in folder.iterdir()):
        return  # empty, or given up before it began
    # The lock alone is of an export that was killed while it cleared what it was to replace.
    ours = known or (work / LOCK).is_file()
    if not (overwrite or resume):
        more = "--overwrite replaces it" if ours else "name another"
        if known:
            more = f"--resume goes on with it, {more}"
        raise InputError("output", str(folder), f"is not empty; {more}")
    if not ours:
        raise InputError("output", str(folder), "holds no export, but other files; name another")
    if resume:
        if not known:
            raise InputError("output", str(folder), "is half cleared; --overwrite replaces it")
        there = read_manifest(work / _HEAD if begun else folder / NAME)
        need_same(folder, there, manifest)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep a second export out of the folder while this one writes."""
    with (folder / WORK / LOCK).open("wb") as stream:
        if not _lock(stream):
            raise InputError("output", str(folder), "another export is writing there")
        yield


def _lock(stream: IO[bytes]) -> bool:
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # Windows has no such lock
        return True
    try:
        flock(stream, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _clear(folder: Path) -> None:
    """Remove what an export writes, and nothing else: of its folders of rows only what is named
    as shards are. The card goes first, so that none stands beside half of its rows."""
    for name in (NAME, card.NAME, croissant.NAME):
        (folder / name).unlink(missing_ok=True)
    clear_schemas(folder)
    for path in [*shards_in(folder), *_files(folder / WORK, ".json")]:
        path.unlink()
    for place in [*config_folders(folder), folder / DATA]:
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def _whole(folder: Path, recipe: Recipe, plan: list[Piece]) -> dict[Piece, PieceEntry]:
    """The pieces of which each file is as it was written; of the others one line is said."""
    entries: list[PieceEntry] = []
    # What a power cut has torn is not there: its pieces are made again.
    if (folder / NAME).is_file():
        with suppress(InputError):
            entries += read_manifest(folder / NAME).pieces
    for path in _files(folder / WORK, ".json"):
        if path.name != _HEAD:
            with suppress(InputError):
                entries.append(read_entry(path))
    found = {}
    there = {entry.piece: entry for entry in entries}
    for piece in plan:
        if piece not in there:
            continue
        entry = there[piece]
        wrong = flaw_of(entry, recipe)
        if wrong is not None:
            _tell_again(f"{folder}: {piece.name}: {wrong[0]}: {wrong[1]!r}: {wrong[2]}")
            continue
        damaged = [file.path for file in entry.files.values() if not intact(folder, file)]
        for name in damaged:
            _tell_again(f"{folder / name}: missing or damaged")
        if not damaged:
            found[piece] = entry
    return found


def _tell_again(told: str) -> None:
    print(printable(f"casegen: {told}; its cases are made again"), file=sys.stderr)


def _made(
    recipe: Recipe,
    missing: list[Piece],
    folder: Path,
    schemas: Mapping[str, pa.Schema],
    rollout: str,
    jobs: int,
    told: Callable[[int], None],
) -> Iterator[PieceEntry]:
    """The entries of the missing pieces, as they are done."""
    if jobs == 1 or len(missing) < 2:
        with seldom_collecting():
            for piece in missing:
                yield write_piece(recipe, piece, folder, schemas, rollout, told)
        return
    # All of them work without a pause: more than there are processors would only be in the way.
    workers = min(jobs, len(missing), max(2, os.cpu_count() or 1))
    for entry in in_processes(recipe, missing, folder, schemas, rollout, workers):
        told(entry.hi - entry.lo)
        yield entry


def _finish(folder: Path, manifest: Manifest) -> None:
    """Write the texts about the rows; the manifest last."""
    work = folder / WORK
    write_schemas(folder, manifest.recipe["families"], work)
    write_whole(folder / card.NAME, card.text(manifest).encode(), work)
    write_whole(folder / croissant.NAME, to_bytes(croissant.metadata(manifest)), work)
    write_whole(folder / NAME, to_bytes(manifest), work)
    shutil.rmtree(work)
