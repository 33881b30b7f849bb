"""JSON that the reader of ``Json()`` columns restores exactly.

``datasets`` reads such a column with the ujson of pandas, which multiplies decimal places out:
it makes 0.6000000000000001 of ``0.6``, but 0.6 of ``0.60``. So a number that it would change is
written with more places, which any other reader takes for the same number. Whole numbers hold
from -2**63 to 2**64 - 1, which is also what orjson writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc

# A number with a point or an exponent, by what stands before it. In strings there may be what
# looks like one; this is to find the few texts that are worth a closer look.
SUSPECT = r"(?:^|[:,\[])-?\d+[.e]"
_WHOLE = frozenset({str, int, bool, type(None)})
_FLOAT = re.compile(rb"-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)")
# What stands for an escaped backslash and an escaped quote, which JSON never holds as such.
_BACKSLASH, _QUOTE = b"\x01", b"\x02"
_ZEROS = 12
_LARGE = 1e15


class InexactError(ValueError):
    """A number that no way of writing keeps exact."""


def fractional(value: Any) -> bool:
    """Whether JSON of a value may hold a number that is not whole."""
    kind = type(value)
    if kind is dict:
        value = value.values()
    elif kind is not list:
        return kind not in _WHOLE
    for part in value:  # noqa: SIM110  a generator would take three times as long
        if type(part) not in _WHOLE and fractional(part):
            return True
    return False


def exact_json(value: Any) -> str:
    """``value`` as JSON. Raises InexactError, and TypeError for what is no JSON."""
    return _exact(orjson.dumps(value)).decode()


def exact_texts(texts: pa.Array) -> pa.Array:
    """JSON texts as orjson wrote them, with their numbers so that they come back. Raises
    InexactError."""
    suspect = pc.match_substring_regex(texts, SUSPECT)
    if not pc.any(suspect).as_py():
        return texts
    found = [
        _exact(text.encode()).decode() if looks else text
        for text, looks in zip(texts.to_pylist(), suspect.to_pylist(), strict=True)
    ]
    return pa.array(found, type=texts.type)


def _exact(text: bytes) -> bytes:
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


def _ways(text: str, value: float) -> Iterator[str]:
    """Ways to write a number, the plainest first: with zeros behind it, as a whole number or a
    fraction times a power of ten, with more places than it needs."""
    yield text
    sign, digits, exponent = Decimal(text).as_tuple()
    minus, figures = "-" * sign, "".join(map(str, digits))
    power = int(exponent)
    if abs(value) < _LARGE and power < 0:
        plain = format(Decimal(text), "f")
        yield from (plain + "0" * more for more in range(1, _ZEROS))
    yield from (f"{minus}{figures}{'0' * more}e{power - more}" for more in range(_ZEROS))
    yield from (
        f"{minus}0.{'0' * more}{figures}e{power + len(figures) + more}" for more in range(_ZEROS)
    )
    yield from (f"{value:.{places}f}" for places in range(15, 26))
    yield from (f"{value:.{places}e}" for places in range(14, 22))


def _read(text: str) -> Any:
    from datasets.utils.json import ujson_loads

    try:
        return ujson_loads(text)
    except ValueError:
        return None
