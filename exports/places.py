"""Where the files of an export lie, and what may stand in their way."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from casegen.config import SPLITS
from casegen.schemas import InputError

from .formats import FORMATS

DATA = "data"
LOCK = "lock"
_SHARD = re.compile(rf"(?:{'|'.join(SPLITS)})-\d{{5,}}-of-\d{{5,}}\.parquet")


def shards_in(folder: Path) -> Iterator[Path]:
    """What lies in an export under the name of a shard, of this export or of another; files of
    other names belong to whoever put them there. Links to folders are not followed."""
    for place in config_folders(folder):
        if _mode(place) is not None and place.is_dir() and not place.is_symlink():
            yield from sorted(path for path in place.iterdir() if _SHARD.fullmatch(path.name))


def config_folders(folder: Path) -> list[Path]:
    """The folders of the configurations, whether they are there or not."""
    return [folder / DATA / name for name in FORMATS]


def need_free(folder: Path, names: Iterable[str]) -> None:
    """Raise InputError, naming the path, where the files of an export can't go: in a folder's
    place stands a link or no folder, in a file's place a folder, a pipe or a device.

    ``names`` are those of the files, from the folder of the export. Asked before anything is
    changed, for an export that is half replaced is of no use to anyone.
    """
    wanted = list(names)
    folders = {parent: None for name in wanted for parent in _parents(name)}
    for place in sorted(folders):
        need_own_folder(folder / place)
    for name in wanted:
        path = folder / name
        mode = _mode(path)
        if mode is None or stat.S_ISREG(mode):
            continue
        if stat.S_ISDIR(mode):
            told = "is a folder, and a file of the export goes there; move it away"
        elif stat.S_ISLNK(mode) and path.name != LOCK:
            continue  # the link itself is replaced
        else:
            told = "is no file, and one of the export goes there; move it away"
        raise InputError("output", str(path), told)


def need_own_folder(place: Path) -> None:
    """Raise InputError where a link, or something else that is no folder, stands in the place of
    a folder of an export. What a link leads to may belong to another export."""
    mode = _mode(place)
    if mode is None or stat.S_ISDIR(mode):
        return
    if stat.S_ISLNK(mode):
        told = "is a link, and an export keeps its files in folders of its own; move it away"
    else:
        told = "is no folder, and one of the export goes there; move it away"
    raise InputError("output", str(place), told)


def need_own_file(folder: Path, name: str, told: str) -> None:
    """Raise InputError unless a file of an export is there, and reached by no link; ``told`` is
    said where it is missing."""
    for parent in _parents(name):
        need_own_folder(folder / parent)
    mode = _mode(folder / name)
    if mode is None:
        raise InputError("file", name, told, path=str(folder))
    if not stat.S_ISREG(mode):
        kind = "is a link" if stat.S_ISLNK(mode) else "is no file"
        mend = f"{kind}; put the file itself there"
        raise InputError("file", name, mend, path=str(folder))


def _parents(name: str) -> list[str]:
    """The folders that a file lies in, the outermost first, from the folder of the export."""
    return [str(one) for one in reversed(PurePosixPath(name).parents) if str(one) != "."]


def _mode(path: Path) -> int | None:
    """The mode of what stands there, a link not followed; None if there is nothing."""
    try:
        return path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
