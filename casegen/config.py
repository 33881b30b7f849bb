"""The configuration of a generator: what a recipe may set, checked where it is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from operator import index
from typing import Any, TypeVar, get_args, overload

from casegen.schemas import InputError
from casegen.schemas.case import Difficulty, ErrorType, Setting, Split

DIFFICULTIES: tuple[str, ...] = get_args(Difficulty)
ERROR_TYPES: tuple[str, ...] = get_args(ErrorType)
SETTINGS: tuple[str, ...] = get_args(Setting)
SPLITS: tuple[str, ...] = get_args(Split)
SIBLINGS = ("first", "turned")
LARGEST_SEED = (1 << 64) - 1
# How many cases a stream tells of: as many as can be played, or as an export may hold.
STREAM = 1_000_000_000
LARGEST_WEIGHT = 10_000
FIRST_DATE, LAST_DATE = "2026-04-01", "2026-09-30"
BUNDLED = "bundled"
_SET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?:@[0-9a-f]{12})?")


@dataclass(frozen=True, slots=True)
class AuditConfig:
    """What an audit generator draws.

    - ``difficulty``: one difficulty, or None for the default mix.
    - ``errors``: weights of the error types; a type without weight is never injected.
      The mapping is copied.
    - ``clean``: share of cases without an error, in ``[0, 1]``.
    - ``settings``: the settings that cases may have, any iterable of their names; kept as
      a tuple in the order of ``SETTINGS``.
    - ``first_date``, ``last_date``: the window of service dates (ISO, inclusive) within
      2026-04-01 to 2026-09-30, the time of the tables' release; with imported tables within
      the time of theirs.
    - ``tables``: ``bundled``, or the name of an imported set, alone or with its digest
      (``2025q1@0123456789ab``), as a generator writes it into the recipe of its cases.
    - ``sibling``: None, or which of two cases with one claim: ``first``, or the one in which a
      single fact of its record is ``turned``.

    Raises InputError, naming the field, where a value can't be taken.
    """

    difficulty: str | None = None
    errors: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(ERROR_TYPES, 1))
    clean: float = 0.1
    settings: tuple[str, ...] = SETTINGS
    first_date: str = FIRST_DATE
    last_date: str = LAST_DATE
    tables: str = "bundled"
    sibling: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "errors", _weights(self.errors))
        if not _is_number(self.clean) or not 0 <= self.clean <= 1:
            raise InputError("clean", self.clean, "a share from 0 to 1")
        object.__setattr__(self, "clean", float(self.clean))
        if self.clean < 1 and not any(self.errors.values()):
            raise InputError("errors", self.errors, "a weight above 0, or clean=1")
        _check_shared(self)
        if self.sibling is not None:
            _one_of("sibling", self.sibling, SIBLINGS)


def _one_of(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise InputError(name, value, f"one of {', '.join(allowed)}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _weights(value: object) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise InputError("errors", value, "a mapping of error types to weights")
    weights = dict(value)
    for name, weight in weights.items():
        _one_of("errors", name, ERROR_TYPES)
        whole = isinstance(weight, int) and not isinstance(weight, bool)
        if not whole or not 0 <= weight <= LARGEST_WEIGHT:
            raise InputError(f"errors.{name}", weight, f"a whole number from 0 to {LARGEST_WEIGHT}")
    return weights


def _settings(value: object) -> tuple[str, ...]:
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise InputError("settings", value, f"a list with some of {', '.join(SETTINGS)}")
    given = list(value)
    for setting in given:
        _one_of("settings", setting, SETTINGS)
    if not given:
        raise InputError("settings", value, f"some of {', '.join(SETTINGS)}")
    return tuple(setting for setting in SETTINGS if setting in given)


def _date(name: str, value: object, bundled: bool) -> None:
    try:
        right = isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        right = False
    if not right or (bundled and not FIRST_DATE <= str(value) <= LAST_DATE):
        told = f" from {FIRST_DATE} to {LAST_DATE}, the time of the bundled tables; for another "
        told += "time take its tables with casegen import"
        raise InputError(name, value, f"a date{told if bundled else ' such as 2026-04-30'}")


@dataclass(frozen=True, slots=True)
class CodingConfig:
    """What a coding generator draws.

    ``review`` is the share of cases that a person has to look at, in ``[0, 1]``, or None for
    what the difficulty asks for. The other fields are those of ``AuditConfig``.

    Raises InputError, naming the field, where a value can't be taken.
    """

    difficulty: str | None = None
    review: float | None = None
    settings: tuple[str, ...] = SETTINGS
    first_date: str = FIRST_DATE
    last_date: str = LAST_DATE
    tables: str = "bundled"

    def __post_init__(self) -> None:
        if self.review is not None:
            if not _is_number(self.review) or not 0 <= self.review <= 1:
                raise InputError("review", self.review, "a share from 0 to 1, or None")
            object.__setattr__(self, "review", float(self.review))
        _check_shared(self)


@dataclass(frozen=True, slots=True)
class RxConfig:
    """What an rx generator draws.

    ``safe`` is the share of prescriptions with which nothing is wrong, in ``[0, 1]``. The other
    fields are those of ``AuditConfig``; the dates are those of the prescriptions.

    Raises InputError, naming the field, where a value can't be taken.
    """

    difficulty: str | None = None
    safe: float = 0.27
    first_date: str = FIRST_DATE
    last_date: str = LAST_DATE
    tables: str = "bundled"

    def __post_init__(self) -> None:
        if not _is_number(self.safe) or not 0 <= self.safe <= 1:
            raise InputError("safe", self.safe, "a share from 0 to 1")
        object.__setattr__(self, "safe", float(self.safe))
        _check_shared(self)


Config = AuditConfig | CodingConfig | RxConfig


def _check_shared(config: Config) -> None:
    """What the configurations of all families have."""
    if config.difficulty is not None:
        _one_of("difficulty", config.difficulty, DIFFICULTIES)
    # The classes are frozen for everyone else.
    if not isinstance(config, RxConfig):
        object.__setattr__(config, "settings", _settings(config.settings))
    for name in ("first_date", "last_date"):
        _date(name, getattr(config, name), config.tables == BUNDLED)
    if config.first_date > config.last_date:
        raise InputError("first_date", config.first_date, f"not after {config.last_date}")
    if not isinstance(config.tables, str) or not _SET.fullmatch(config.tables):
        raise InputError("tables", config.tables, "'bundled' or the name of an imported set")


def options_of(config: Config) -> dict[str, str]:
    """The settings that differ from the default, as text."""
    plain = type(config)()
    options: dict[str, str] = {}
    for name in type(config).__dataclass_fields__:
        value = getattr(config, name)
        if value == getattr(plain, name):
            continue
        if isinstance(value, Mapping):
            value = ",".join(f"{key}:{value[key]}" for key in sorted(value))
        elif isinstance(value, tuple):
            value = ",".join(value)
        options[name] = str(value)
    return options


C = TypeVar("C", bound=Config)


@overload
def config_from_options(options: Mapping[str, str]) -> AuditConfig: ...
@overload
def config_from_options(options: Mapping[str, str], kind: type[C]) -> C: ...
def config_from_options(options: Mapping[str, str], kind: type[Any] = AuditConfig) -> Any:
    """The configuration of a ``kind`` that ``options_of`` turned into ``options``.

    Raises InputError, naming ``options.<name>``, where it would not have written them so.
    """
    given: dict[str, Any] = {}
    for name, text in options.items():
        if name not in kind.__dataclass_fields__:
            raise InputError(f"options.{name}", text, "no such setting")
        try:
            given[name] = _PARSERS.get(name, str)(text)
        except ValueError:
            raise InputError(f"options.{name}", text, "can't be read") from None
    try:
        config = kind(**given)
    except InputError as error:
        raise InputError(f"options.{error.field}", error.value, error.mend) from None
    written = options_of(config)
    for name, text in options.items():
        if written.get(name) != text:
            told = f"is written {written[name]!r}" if name in written else "is the default"
            raise InputError(f"options.{name}", text, told)
    return config


def _weights_from(text: str) -> dict[str, int]:
    """``ncci_edit:2,specificity_error:1`` as a mapping."""
    parts = (part.partition(":") for part in text.split(",")) if text else ()
    return {name: int(weight) for name, _, weight in parts}


_PARSERS: dict[str, Callable[[str], Any]] = {
    "clean": float,
    "errors": _weights_from,
    "review": float,
    "safe": float,
    "settings": lambda text: text.split(","),
}


def check_seed(seed: int) -> int:
    """The seed, if it is a whole number of 64 bits."""
    return whole("seed", seed, LARGEST_SEED)


def whole(name: str, value: object, most: int, least: int = 0) -> int:
    """``value`` as an int, if it is a whole number (NumPy's among them) from ``least`` (not below
    0) to ``most``."""
    try:
        number = -1 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not least <= number <= most:
        raise InputError(name, value, f"a whole number from {least} to {most}")
    return number


def check_split(split: str) -> str:
    """The split, if there is one of that name."""
    _one_of("split", split, SPLITS)
    return split
