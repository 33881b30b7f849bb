"""Whether the files of a set still hold what imports wrote, by their SHA-256.

Small files are read each time. A large one, such as the columns of the NCCI pairs, is read once
for each change of its size, times or inode; that it was whole is remembered beside the set. The
time of the last change (ctime) can't be set back as that of the content can, so whatever is
written to a file is noticed, and a look-up in a file that nobody touched costs one ``stat``.
"""

from __future__ import annotations

import json
import os
import stat
from hashlib import sha256
from pathlib import Path

from .model import Stored

REMEMBERED = "checked.json"
_SMALL = 1 << 18  # bytes; below that, reading costs less than remembering saves
_CHUNK = 1 << 17

Stamp = list[int]  # size, times of content and of the last change, inode


def fault_of(path: Path, told: Stored) -> str | None:
    """Why a file isn't what was written, None if it is."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            return "is no regular file"
        if found.st_size != told.bytes:
            return "damaged (other length than written)"
        if told.bytes <= _SMALL:
            return None if _digest(path) == told.sha256 else _OTHER
        stamp = _stamp(found)
        known = _known(path.parent)
        if known.get(path.name) == [told.sha256, *stamp]:
            return None
        if _digest(path) != told.sha256:
            return _OTHER
    except OSError as error:
        return error.strerror or str(error)
    _remember(path.parent, path.name, [told.sha256, *stamp])
    return None


_OTHER = "damaged (other content than written)"


def _digest(path: Path) -> str:
    total = sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            total.update(chunk)
    return total.hexdigest()


def _stamp(found: os.stat_result) -> Stamp:
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]


def _known(folder: Path) -> dict[str, list[str | int]]:
    """What is remembered of the files of a set; of a damaged memory, nothing."""
    from ..icd10cm.cache import read_regular

    try:
        found = json.loads(read_regular(folder / REMEMBERED))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _remember(folder: Path, name: str, verdict: list[str | int]) -> None:
    """Remember that a file is whole; where that can't be written, it is read again next time."""
    known = _known(folder)
    kept = {one: row for one, row in known.items() if (folder / one).exists()}
    scratch = folder / f"{REMEMBERED}.{os.getpid()}.tmp"
    try:
        scratch.write_text(json.dumps({**kept, name: verdict}), encoding="utf-8")
        scratch.replace(folder / REMEMBERED)
    except OSError:
        scratch.unlink(missing_ok=True)
