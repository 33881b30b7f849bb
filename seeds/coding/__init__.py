"""What coding cases need beside the shared world: levels, hints, charts of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from casegen.schemas import TableError

from ..data import parse


def read(name: str) -> dict[str, Any]:
    """The mapping in a YAML file of this folder. Raises TableError where there is none."""
    try:
        text = Path(__file__).with_name(name).read_bytes()
    except OSError as error:
        raise TableError(f"coding/{name}: can't be read: {error}") from None
    content = parse(text, f"coding_{name}")
    if not isinstance(content, dict):
        raise TableError(f"coding/{name}: must hold a mapping")
    return content
