"""The libraries of the extra ``datasets``, and what they do on import."""

from __future__ import annotations

import os
from importlib.util import find_spec

from casegen.schemas import InputError

_WANTED = ("datasets", "pyarrow", "huggingface_hub")


def need_libraries() -> None:
    """Raise InputError where a library of the extra is not installed."""
    # Nothing is fetched to write an export; without this a library may look for news of itself.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    for name in _WANTED:
        if find_spec(name) is None:
            raise InputError(name, None, "is not installed; pip install 'casegen[datasets]'")
