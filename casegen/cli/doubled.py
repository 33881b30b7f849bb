"""Fields that stand twice in one object of JSON: readers keep the last of them, and what the
first said would go unseen."""

from __future__ import annotations

import json
from typing import Any

import orjson


class _DoubledError(Exception):
    pass


def doubled_field(raw: bytes, data: object) -> str | None:
    """The first field that stands twice in an object of ``raw``, None if none does; ``data`` is
    what orjson read from it.

    Lines that casegen wrote come out byte by byte the same, which is quickly seen; only others
    are read again.
    """
    try:
        if orjson.dumps(data) == raw.strip():
            return None
        json.loads(raw, object_pairs_hook=_once)
    except _DoubledError as found:
        return str(found)
    except (TypeError, ValueError, RecursionError):
        return None  # nests deeper than a case does, which is told elsewhere
    return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _DoubledError(next(name for name in names if names.count(name) > 1))
    return found
