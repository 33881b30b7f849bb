"""A small file cache of marshalled plain data, checked by its own checksum."""

from __future__ import annotations

import hashlib
import marshal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .icd10cm.cache import directory

_SUM = 32  # length of a SHA-256 digest


def path_for(cache_dir: str | None, name: str, digest: str) -> Path:
    """Where data ``name`` made from sources with ``digest`` is kept.

    ``cache_dir`` None means $CASEGEN_CACHE or the user's cache folder. marshal's format
    belongs to the interpreter version, so its tag is in the name.
    """
    folder = directory(None if cache_dir is None else Path(cache_dir))
    tag = sys.implementation.cache_tag or "python"
    return folder / f"{name}-{tag}-{digest[:16]}.bin"


def read(path: Path | None) -> Any:
    """The data in ``path``, or None if it is missing or damaged."""
    if path is None:
        return None
    try:
        data = path.read_bytes()
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


def write(path: Path | None, data: Any) -> None:
    """Keep ``data`` in ``path``: written beside it, then renamed. Failure costs only time."""
    if path is None:
        return
    body = marshal.dumps(data)
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            temporary = file.name
            file.write(hashlib.sha256(body).digest() + body)
        Path(temporary).replace(path)
    except OSError:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


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
