"""Makes a stored case anew from its own recipe and compares the two."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import orjson

from casegen.schemas import CertificationError, InputError
from casegen.schemas.anycase import AnyCase
from casegen.schemas.errors import shown
from casegen.schemas.serial import case_bytes, field_name

from ..config import config_from_options
from ..families import CONFIGS, make

if TYPE_CHECKING:
    from ..families import Generator
    from .where import Where

_NOTHING = object()
_BEFORE = 20  # characters of a text shown before the first that differs
Key = tuple[str, str, int, tuple[tuple[str, str], ...]]


class Remaker:
    """Keeps the generator of the last recipe: a file mostly holds the cases of one."""

    def __init__(self) -> None:
        self._key: Key | None = None
        self._generator: Generator | None = None

    def compare(self, case: AnyCase, where: Where) -> None:
        """Raise InputError, by ``where``, for the first field that differs."""
        try:
            made = self._generator_of(case)[case.index]
        except InputError as error:
            where.fail(error.field, error.value, error.mend)
        except CertificationError as error:
            where.fail("index", case.index, f"its recipe makes no case: {error}")
        difference = first_difference(_plain(case), _plain(made))
        if difference is not None:
            place, stored, right = difference
            stored, right = _narrowed(stored, right)
            told = "has no such part" if right is _NOTHING else f"makes {shown(right)}"
            where.fail(
                field_name(place), None if stored is _NOTHING else stored, f"its recipe {told}"
            )

    def _generator_of(self, case: AnyCase) -> Generator:
        name = f"{case.family}-{case.version}"
        key = (name, case.split, case.seed, tuple(sorted(case.options.items())))
        if self._generator is None or key != self._key:
            config = config_from_options(case.options, CONFIGS[name])
            fields = {field: getattr(config, field) for field in CONFIGS[name].__dataclass_fields__}
            self._generator = make(name, seed=case.seed, split=case.split, **fields)
            self._key = key
        return self._generator


def _narrowed(stored: Any, made: Any) -> tuple[Any, Any]:
    """Of two long texts what stands where they part."""
    if not (isinstance(stored, str) and isinstance(made, str)):
        return stored, made
    differ = (i for i, pair in enumerate(zip(stored, made, strict=False)) if pair[0] != pair[1])
    same = next(differ, min(len(stored), len(made)))
    start = max(0, same - _BEFORE)
    return stored[start:], made[start:]


def _plain(case: AnyCase) -> Any:
    return orjson.loads(case_bytes(case))


def first_difference(
    stored: Any, made: Any, place: tuple[str | int, ...] = ()
) -> tuple[tuple[str | int, ...], Any, Any] | None:
    """Place and both values of the first difference in the order of ``made``, None if the two
    are the same."""
    if isinstance(stored, dict) and isinstance(made, dict):
        keys: Any = [*made, *(key for key in stored if key not in made)]
        pairs = [(key, stored.get(key, _NOTHING), made.get(key, _NOTHING)) for key in keys]
    elif isinstance(stored, list) and isinstance(made, list):
        both = zip_longest(stored, made, fillvalue=_NOTHING)
        pairs = [(i, one, other) for i, (one, other) in enumerate(both)]
    else:
        return None if stored == made else (place, stored, made)
    for key, one, other in pairs:
        found = first_difference(one, other, (*place, key))
        if found is not None:
            return found
    return None
