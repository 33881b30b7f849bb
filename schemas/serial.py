"""Cases as JSON, and back."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from .case import Case
from .errors import InputError

HASH = "content_hash"


def case_bytes(case: Case) -> bytes:
    """The sorted JSON of a case, UTF-8, without white space."""
    return orjson.dumps(case, option=orjson.OPT_SORT_KEYS)


def content_hash(case: Case) -> str:
    """The SHA-256 of the case's sorted JSON, in hex."""
    return sha256(case_bytes(case)).hexdigest()


def case_line(case: Case) -> bytes:
    """The case as one line of JSONL, its ``content_hash`` first."""
    body = case_bytes(case)
    return b'{"%s":"%s",%s\n' % (HASH.encode(), sha256(body).hexdigest().encode(), body[1:])


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Case]:
    return TypeAdapter(Case)


def case_from(data: dict[str, Any], *, path: str | None = None, line: int | None = None) -> Case:
    """Read a case from parsed JSON (``content_hash`` may be absent).

    Raises InputError naming the first field that doesn't fit.
    """
    body = {key: value for key, value in data.items() if key != HASH}
    try:
        return _adapter().validate_json(orjson.dumps(body))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "case"
        raise InputError(
            field, first.get("input"), first["msg"].lower(), path=path, line=line
        ) from None
