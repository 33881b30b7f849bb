"""A family's act from parsed JSON."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

import orjson

from casegen.schemas import InputError
from casegen.schemas.serial import field_name

if TYPE_CHECKING:
    from pydantic import TypeAdapter

ActT = TypeVar("ActT")


@lru_cache(maxsize=8)
def _adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def action_of(kind: type[ActT], data: Mapping[str, Any]) -> ActT:
    """The act of that kind which ``data`` spells. Raises InputError naming the first field that
    doesn't fit."""
    from pydantic import ValidationError

    if not isinstance(data, Mapping):
        raise InputError("action", data, "a JSON object")
    try:
        adapter = _adapter(cast("Any", kind))
        return cast("ActT", adapter.validate_json(orjson.dumps(dict(data))))
    except TypeError as error:
        raise InputError("action", None, str(error).lower()) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        value = None if first["type"] == "missing" else first.get("input")
        raise InputError(field_name(first["loc"]) or "action", value, first["msg"]) from None
