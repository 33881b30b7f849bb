"""A small file cache of marshalled plain data, checked by its own checksum."""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .icd10cm.cache import directory, read_regular

_SUM = 32  # length of a SHA-256 digest
_KEPT = 3


def path_for(cache_dir: str | None, name: str, digest: str) -> Path:
    """Where data ``name`` made from sources with ``digest`` is kept.

    ``cache_dir`` None means $CASEGEN_CACHE or the user's cache folder. marshal's format
    belongs to the interpreter version, so its tag is in the name.
    """
    folder = directory(None if cache_dir is None else Path(cache_dir))
    tag = sys.implementation.cache_tag or "python"
    return folder / f"{name}-{tag}-{digest[:16]}.bin"


def read(path: Path | None) -> Any:
    """The data in ``path``, or None if it is missing, damaged or no regular file."""
    if path is None:
        return None
    try:
        data = read_regular(path)
    except OSError:
        return None
    body = data[_SUM:]
    # A torn or altered file never reaches marshal, which doesn't guard against one.
    if hashlib.sha256(body).digest() != data[:_SUM]:
        return None
    try:
        return marshal.loads(body)
    except (ValueError, TypeError, EOFError):
        return None


def write(path: Path, data: Any) -> None:
    """Keep ``data`` in ``path``: written beside it, then renamed. Failure costs only time.

    Of files of one name made from other sources only the newest few stay.
    """
    body = marshal.dumps(data)
    scratch = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch.write_bytes(hashlib.sha256(body).digest() + body)
        scratch.replace(path)
        _clear(path)
    except OSError:
        pass
    finally:
        try:
            scratch.unlink(missing_ok=True)
        except OSError:
            pass


def _clear(path: Path) -> None:
    """Remove all but the newest ``_KEPT`` files that differ from ``path`` by digest alone."""
    name = path.name.rpartition("-")[0]
    others = sorted(path.parent.glob(f"{name}-*.bin"), key=lambda p: p.stat().st_mtime_ns)
    for old in others[:-_KEPT]:
        old.unlink(missing_ok=True)


def remembered(name: str, digest: str, make: Callable[[], Any]) -> Any:
    """What ``make`` gives, kept from its first call on; ``digest`` names its sources.

    The data must be plain (what ``marshal`` takes) and not None.
    """
    path = path_for(None, name, digest)
    data = read(path)
    if data is None:
        data = make()
        write(path, data)
    return data
