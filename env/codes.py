"""How codes compare in play."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4_096)
def fold(code: str) -> str:
    """A code as it compares: without case, dots and white space (``e11.9 `` is ``E119``)."""
    return "".join(code.split()).replace(".", "").upper()
