"""The libraries of the extra ``datasets``, and what they do on import."""

from __future__ import annotations

import os
from importlib.util import find_spec
from urllib.parse import urlsplit

from casegen.schemas import InputError

_WANTED = ("datasets", "pyarrow", "huggingface_hub")


def need_libraries() -> None:
    """Raise InputError where a library of the extra is not installed, or could not be imported
    for what the surroundings name as the hub."""
    # Nothing is fetched to write an export; without this a library may look for news of itself.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    for name in _WANTED:
        if find_spec(name) is None:
            raise InputError(
                name, None, "is not installed; in the clone: pip install '.[datasets]'"
            )
    _check_endpoint()


def _check_endpoint() -> None:
    told = os.environ.get("HF_ENDPOINT")
    try:
        parts = urlsplit(told or "https://any")
        right = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        right = False
    if not right:
        raise InputError("HF_ENDPOINT", told, "the address of a hub, such as https://example.org")
