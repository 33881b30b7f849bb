"""An act from parsed JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casegen.env.parsing import action_of
from casegen.schemas.coding_play import CodingAction


def action_from(data: Mapping[str, Any]) -> CodingAction:
    """The act that ``data`` spells; null is as good as nothing. Raises InputError naming the
    first field that doesn't fit."""
    if isinstance(data, Mapping):
        data = {name: value for name, value in data.items() if value is not None}
    return action_of(CodingAction, data)
