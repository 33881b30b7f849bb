"""An act from parsed JSON."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import orjson

from casegen.schemas import InputError
from casegen.schemas.play import AuditAction
from casegen.schemas.serial import field_name

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[AuditAction]:
    from pydantic import TypeAdapter

    return TypeAdapter(AuditAction)


def action_from(data: Mapping[str, Any]) -> AuditAction:
    """The act that ``data`` spells. Raises InputError naming the first field that doesn't fit."""
    from pydantic import ValidationError

    if not isinstance(data, Mapping):
        raise InputError("action", data, "a JSON object")
    try:
        return _adapter().validate_json(orjson.dumps(dict(data)))
    except TypeError as error:
        raise InputError("action", None, str(error).lower()) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        value = None if first["type"] == "missing" else first.get("input")
        raise InputError(field_name(first["loc"]) or "action", value, first["msg"]) from None
