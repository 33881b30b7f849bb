"""Cases as JSON, and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import orjson

from .anycase import CASES, AnyCase, family_of
from .errors import InputError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

HASH = "content_hash"
TOO_DEEP = "nests too deep to be a case"
_DEEPEST = 16  # a case nests 5 levels deep
_TOLD = 3  # parts of a place that is too deep


def case_bytes(case: AnyCase) -> bytes:
    """The case as JSON in the order of its fields, UTF-8, without white space."""
    return orjson.dumps(case)


def content_hash(case: AnyCase) -> str:
    """The SHA-256, in hex, of the case's JSON with the keys of all objects sorted.

    The JSON is UTF-8 without white space or escapes of non-ASCII characters, so that anyone
    can hash a stored case again: in Python ``json.dumps(case, sort_keys=True,
    ensure_ascii=False, separators=(",", ":"))`` of all but ``content_hash``.
    """
    # orjson sorts the keys of dictionaries, but leaves the fields of dataclasses in order.
    return sha256(orjson.dumps(case, _as_dict, _SORTED)).hexdigest()


_SORTED = orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS


def _as_dict(part: Any) -> dict[str, Any]:
    """A dataclass of two fields or more as a dictionary; its parts are left as they are."""
    kind: Any = type(part)
    names, values_of = _fields(kind)
    return dict(zip(names, values_of(part), strict=True))


@lru_cache(maxsize=64)
def _fields(kind: Any) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    names = tuple(field.name for field in fields(kind))
    return names, attrgetter(*names)


def case_line(case: AnyCase) -> bytes:
    """The case as one line of JSONL, its ``content_hash`` first."""
    body = case_bytes(case)
    # With the bytes at hand this is the shorter way to the ``content_hash``.
    told = sha256(orjson.dumps(orjson.loads(body), option=orjson.OPT_SORT_KEYS)).hexdigest()
    return b'{"%s":"%s",%s\n' % (HASH.encode(), told.encode(), body[1:])


@lru_cache
def _adapter(family: str) -> TypeAdapter[AnyCase]:
    from pydantic import TypeAdapter

    return TypeAdapter(CASES[family])


def case_from(data: dict[str, Any], *, path: str | None = None, line: int | None = None) -> AnyCase:
    """Read a case from parsed JSON (``content_hash`` may be absent and isn't checked).

    Its family tells by which model. Raises InputError naming the first field that doesn't fit.
    """
    from pydantic import ValidationError

    body = {key: value for key, value in data.items() if key != HASH}
    try:
        return _adapter(family_of(body)).validate_json(orjson.dumps(body))
    except InputError as error:
        raise InputError(error.field, error.value, error.mend, path=path, line=line) from None
    except TypeError as error:  # orjson writes no deeper nesting than 254, nor other objects
        field = deep_field(body)
        told = str(error).lower() if field is None else TOO_DEEP
        raise InputError(field or "case", None, told, path=path, line=line) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = field_name(first["loc"]) or "case"
        value = None if first["type"] == "missing" else first.get("input")
        raise InputError(field, value, first["msg"].lower(), path=path, line=line) from None


def deep_field(data: object) -> str | None:
    """Where data nests deeper than any case does, None if nowhere."""
    waiting: list[tuple[object, tuple[Any, ...], int]] = [(data, (), 0)]
    while waiting:
        value, place, depth = waiting.pop()
        if depth > _DEEPEST:
            return field_name(place)
        if isinstance(value, dict):
            parts: Any = value.items()
        elif isinstance(value, list):
            parts = enumerate(value)
        else:
            continue
        for key, part in parts:
            waiting.append((part, (*place, key) if len(place) < _TOLD else place, depth + 1))
    return None


def field_name(parts: Any) -> str:
    """A place in JSON as a person writes it: ``findings[0].line``."""
    told = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    return told.removeprefix(".")
