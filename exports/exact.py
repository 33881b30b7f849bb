"""JSON that the reader of ``Json()`` columns restores exactly.

``datasets`` reads such a column with the ujson of pandas, which multiplies decimal places out:
it makes 0.6000000000000001 of ``0.6``, but 0.6 of ``0.60``. So a number that it would change is
written with more places, which any other reader takes for the same number. Whole numbers hold
from -2**63 to 2**64 - 1, which is also what orjson writes.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import orjson

_FLOAT = re.compile(rb"-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)")
# Whether there may be one, from its point or its exponent back: text holds fewer of these than
# of beginnings, so that this is the quicker search. In strings they are found, too.
_BEFORE = b"|".join(rb"(?<=[:,\[-]" + rb"\d" * size + rb"\.)" for size in range(1, 18))
_FRACTION = re.compile(rb"\.(?:" + _BEFORE + rb")")
_POWER = re.compile(rb"e(?<=\de)[-\d]")
# What stands for an escaped backslash and an escaped quote, which JSON never holds as such.
_BACKSLASH, _QUOTE = b"\x01", b"\x02"
_ZEROS = 12


class InexactError(ValueError):
    """A number that no way of writing keeps exact."""


def exact_json(value: Any) -> str:
    """``value`` as JSON. Raises InexactError, and TypeError for what is no JSON."""
    return exact(orjson.dumps(value)).decode()


def exact(text: bytes) -> bytes:
    """JSON as orjson wrote it, its fractions written so that they come back. Raises
    InexactError."""
    within = text[0] in b'{["'
    if within and _FRACTION.search(text) is None and _POWER.search(text) is None:
        return text
    plain = text
    escaped = b"\\" in text
    if escaped:
        plain = text.replace(b"\\\\", _BACKSLASH).replace(b'\\"', _QUOTE)
    # Without escapes each second part is what a string holds.
    parts = plain.split(b'"')
    outside = b"".join(parts[::2])
    if not any(_written(number) != number for number in set(_FLOAT.findall(outside))):
        return text
    parts[::2] = [_FLOAT.sub(lambda found: _written(found[0]), part) for part in parts[::2]]
    text = b'"'.join(parts)
    if escaped:
        text = text.replace(_QUOTE, b'\\"').replace(_BACKSLASH, b"\\\\")
    return text


@lru_cache(maxsize=4096)
def _written(number: bytes) -> bytes:
    """The number as it is written. Raises InexactError."""
    text = number.decode()
    value = float(text)
    for way in _ways(text, value):
        if float(way) == value and _read(way) == value:
            return way.encode()
    raise InexactError(f"{text} would come back changed; a JSON string keeps it")


def _ways(text: str, value: float) -> list[str]:
    ways = [text]
    if "e" not in text.lower():
        ways += [text + "0" * more for more in range(1, _ZEROS)]
    ways += [f"{value:.{places}f}" for places in range(15, 26)]
    ways += [f"{value:.{places}e}" for places in range(14, 22)]
    return ways


def _read(text: str) -> Any:
    from datasets.utils.json import ujson_loads

    try:
        return ujson_loads(text)
    except ValueError:
        return None
