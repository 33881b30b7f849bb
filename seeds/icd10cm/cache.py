"""Compiled tables on disk: built once, checked at every load, rebuilt when damaged or old.

A file is a fixed head (magic, length and CRC-32 of the rest) and a ``marshal`` payload: which
sources it was made from, and the sections. One process compiles while others wait for its
lock; the file appears by renaming, so nobody ever reads half of it. Where the directory can't
be written, the tables are compiled in memory and a warning says so.
"""

from __future__ import annotations

import errno
import marshal
import os
import stat
import struct
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

# Raise when the layout of the sections changes without a change in the sources below.
FORMAT = 10
_MAGIC = b"casegen\x01"
_HEAD = struct.Struct("<8sQI")
_LOCK_PATIENCE = 120.0  # seconds; a compilation takes less than 5
_HERE = Path(__file__).parent

Sections = dict[str, bytes]
Source = tuple[str, int, int, int, str]  # name, size, mtime and ctime in ns, sha256


def directory(given: Path | None) -> Path:
    """Where the tables are kept: the argument, else $CASEGEN_CACHE, else the user's cache."""
    if given is not None:
        return Path(given)
    chosen = os.environ.get("CASEGEN_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("casegen", appauthor=False))


def load_or_build(name: str, folder: Path, build: Callable[[], Sections]) -> Sections:
    """The sections from the cache, compiled first if there is no good file."""
    tag = sys.implementation.cache_tag or "python"
    path = folder / f"{name}.{FORMAT}.{tag}.bin"
    found = _read(path)
    if found is not None:
        return found
    sections: Sections | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _lock(path.with_suffix(".lock")):
            found = _read(path)
            if found is not None:
                return found
            if sys.stderr.isatty():
                print("casegen: compiling the ICD-10-CM tables, once", file=sys.stderr)
            sections = build()
            _write(path, sources(), sections)
    except OSError as error:
        print(
            f"casegen: warning: {folder}: {error.strerror or error}: the reference tables can't "
            "be kept there and are compiled anew for this run (set CASEGEN_CACHE)",
            file=sys.stderr,
        )
    return build() if sections is None else sections


def source_paths() -> list[Path]:
    """All files that shape the compiled tables: the tabular list, our data, our modules."""
    from importlib.util import find_spec

    found = sorted((*_HERE.glob("*.py"), *_HERE.glob("data/*.*")))
    spec = find_spec("simple_icd_10_cm")
    for place in spec.submodule_search_locations or () if spec else ():
        found += sorted(Path(place).glob("data/*.xml"))
    return found


def sources() -> list[Source]:
    """Name, size, time and digest of every source."""
    result = []
    for path in source_paths():
        found = path.stat()
        result.append(
            (path.name, found.st_size, found.st_mtime_ns, found.st_ctime_ns, _digest(path))
        )
    return result


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def read_regular(path: Path) -> bytes:
    """What a regular file holds. Raises OSError for anything else, without waiting for it."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "is no regular file", str(path))
        return file.read()


def _read(path: Path) -> Sections | None:
    """The sections, or None if the file is missing, damaged or made from other sources."""
    try:
        raw = read_regular(path)
        magic, length, checksum = _HEAD.unpack_from(raw)
        body = memoryview(raw)[_HEAD.size :]
        if magic != _MAGIC or len(body) != length or zlib.crc32(body) != checksum:
            return None
        made_from, sections = marshal.loads(body)
        if not _current(path, made_from, sections):
            return None
    except (OSError, struct.error, EOFError, ValueError, TypeError):
        return None
    found: Sections = sections
    return found


def _current(path: Path, made_from: list[Source], sections: Sections) -> bool:
    """Whether the sources are those of the file: by size and times, else by their digests.

    The time of the last change (ctime) can't be set back as that of the content can. After a
    reinstallation the times differ though the contents don't; the file is then
    written again with the new times, so that this costs once.
    """
    known = {source[0]: source[1:] for source in made_from}
    now = source_paths()
    if len(known) != len(now):
        return False
    refreshed: list[Source] = []
    changed = False
    for place in now:
        if place.name not in known:
            return False
        size, time_ns, change_ns, digest = known[place.name]
        found = place.stat()
        if (found.st_size, found.st_mtime_ns, found.st_ctime_ns) != (size, time_ns, change_ns):
            if found.st_size != size or _digest(place) != digest:
                return False
            changed = True
        refreshed.append((place.name, found.st_size, found.st_mtime_ns, found.st_ctime_ns, digest))
    if changed:
        try:
            _write(path, refreshed, sections)
        except OSError:
            pass  # A read-only cache: the digests are simply computed again next time.
    return True


def _write(path: Path, made_from: list[Source], sections: Sections) -> None:
    body = marshal.dumps((made_from, sections))
    scratch = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with scratch.open("wb") as file:
            file.write(_HEAD.pack(_MAGIC, len(body), zlib.crc32(body)))
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold the lock file, waiting for another process if need be.

    The system releases the lock when its process dies, so none is ever stale. After
    ``_LOCK_PATIENCE`` we go on without it: at worst two processes compile the same file.
    """
    with path.open("a+b") as file:
        deadline = time.monotonic() + _LOCK_PATIENCE
        while not _try_lock(file) and time.monotonic() < deadline:
            time.sleep(0.05)
        yield


def _try_lock(file: BinaryIO) -> bool:
    # Closing the file gives the lock back on both systems.
    locking: Any
    try:
        if sys.platform == "win32":
            import msvcrt as locking

            file.seek(0)
            locking.locking(file.fileno(), locking.LK_NBLCK, 1)
        else:
            import fcntl as locking

            locking.flock(file.fileno(), locking.LOCK_EX | locking.LOCK_NB)
    except BlockingIOError:
        return False
    except PermissionError:
        return False  # Windows: held by another process.
    except OSError:
        return True  # A file system without locks: renaming still keeps the file whole.
    return True
