"""A finished export, looked at before it is read or sent."""

from __future__ import annotations

from pathlib import Path

from casegen.schemas import InputError

from .manifest import NAME, FileEntry, Manifest, read_manifest
from .shard import WORK, intact

_AGAIN = "casegen export --resume makes it again"


def finished(folder: Path) -> Manifest:
    """The manifest of a finished export. Raises InputError."""
    if not folder.is_dir():
        raise InputError("DIR", str(folder), "is no folder" if folder.exists() else "is not there")
    if (folder / WORK).exists():
        raise InputError("DIR", str(folder), "is not finished; casegen export --resume goes on")
    return read_manifest(folder / NAME)


def need_intact(folder: Path, file: FileEntry) -> None:
    """Raise InputError unless a file of an export is there and as it was written."""
    try:
        if intact(folder, file):
            return
        told = "is damaged" if (folder / file.path).is_file() else "is missing"
    except OSError as error:
        mend = f"can't be read: {error.strerror or error}"
        raise InputError("shard", file.path, mend, path=str(folder)) from None
    raise InputError("shard", file.path, f"{told}; {_AGAIN}", path=str(folder))
