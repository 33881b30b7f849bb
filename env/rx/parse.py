"""An act from parsed JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casegen.env.parsing import action_of
from casegen.schemas.rx_play import RxAction

from .acts import check


def action_from(data: Mapping[str, Any]) -> RxAction:
    """The act that ``data`` spells. Raises InputError naming the first field that doesn't fit."""
    action = action_of(RxAction, data)
    check(action)
    return action
