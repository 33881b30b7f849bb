"""A finished export, looked at before it is read or sent."""

from __future__ import annotations

from pathlib import Path

from casegen.schemas import InputError

from .manifest import NAME, FileEntry, Manifest, read_manifest
from .places import need_own_folder
from .shard import WORK, flaw_of
from .sound import need_sound

AGAIN = "casegen export --resume makes it again"


def finished(folder: Path) -> Manifest:
    """The manifest of a finished export, which tells what its recipe plans. Raises InputError."""
    if not folder.is_dir():
        raise InputError("DIR", str(folder), "is no folder" if folder.exists() else "is not there")
    need_own_folder(folder / WORK)
    if (folder / WORK).exists():
        raise InputError("DIR", str(folder), "is not finished; casegen export --resume goes on")
    manifest = read_manifest(folder / NAME)
    need_sound(manifest, folder / NAME)
    return manifest


def need_intact(folder: Path, file: FileEntry, *, whole: bool = True) -> None:
    """Raise InputError unless a file of an export is there and as it was written; with ``whole``
    false unless it has its rows, by its own count."""
    try:
        told = flaw_of(folder, file, whole=whole)
        if told is None:
            return
    except OSError as error:
        mend = f"can't be read: {error.strerror or error}"
        raise InputError("shard", file.path, mend, path=str(folder)) from None
    raise InputError("shard", file.path, f"{told}; {AGAIN}", path=str(folder))
