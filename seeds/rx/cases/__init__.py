"""What rx cases are drawn from beside the knowledge of drugs: problems, uses, phrases, levels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from casegen.schemas import TableError

from ...data import parse


def read(name: str) -> dict[str, Any]:
    """The mapping in a YAML file of this folder. Raises TableError where there is none."""
    try:
        text = Path(__file__).with_name(name).read_bytes()
    except OSError as error:
        raise TableError(f"rx/cases/{name}: can't be read: {error}") from None
    content = parse(text, f"rx_cases_{name}")
    if not isinstance(content, dict):
        raise TableError(f"rx/cases/{name}: must hold a mapping")
    return content
