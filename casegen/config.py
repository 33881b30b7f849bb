"""The configuration of a generator: what a recipe may set, checked where it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from casegen.schemas import InputError
from casegen.schemas.case import Difficulty, ErrorType, Setting, Split

DIFFICULTIES: tuple[str, ...] = get_args(Difficulty)
ERROR_TYPES: tuple[str, ...] = get_args(ErrorType)
SETTINGS: tuple[str, ...] = get_args(Setting)
SPLITS: tuple[str, ...] = get_args(Split)
LARGEST_SEED = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class AuditConfig:
    """What an audit generator draws.

    - ``difficulty``: one difficulty, or None for the default mix.
    - ``errors``: weights of the error types; a type without weight is never injected.
    - ``clean``: share of cases without an error, in ``[0, 1]``.
    - ``settings``: the settings that cases may have.
    - ``first_date``, ``last_date``: the window of service dates (ISO, inclusive) within
      2026-04-01 to 2026-09-30, the time of the tables' release.
    - ``tables``: the name of the reference tables.

    Raises InputError, naming the field, where a value can't be taken.
    """

    difficulty: str | None = None
    errors: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(ERROR_TYPES, 1))
    clean: float = 0.1
    settings: tuple[str, ...] = SETTINGS
    first_date: str = "2026-04-01"
    last_date: str = "2026-09-30"
    tables: str = "bundled"

    def __post_init__(self) -> None:
        if self.difficulty is not None and self.difficulty not in DIFFICULTIES:
            raise InputError("difficulty", self.difficulty, f"one of {', '.join(DIFFICULTIES)}")
        for name, weight in self.errors.items():
            if name not in ERROR_TYPES:
                raise InputError("errors", name, f"one of {', '.join(ERROR_TYPES)}")
            if not isinstance(weight, int) or isinstance(weight, bool) or weight < 0:
                raise InputError(f"errors.{name}", weight, "a whole number of 0 or more")
        if not isinstance(self.clean, int | float) or not 0 <= self.clean <= 1:
            raise InputError("clean", self.clean, "a share from 0 to 1")
        if self.clean < 1 and not any(self.errors.values()):
            raise InputError("errors", dict(self.errors), "a weight above 0, or clean=1")
        if not self.settings:
            raise InputError("settings", self.settings, f"some of {', '.join(SETTINGS)}")
        for setting in self.settings:
            if setting not in SETTINGS:
                raise InputError("settings", setting, f"one of {', '.join(SETTINGS)}")
        if not "2026-04-01" <= self.first_date <= self.last_date <= "2026-09-30":
            raise InputError(
                "first_date", self.first_date, "a window within 2026-04-01 to 2026-09-30"
            )
        if self.tables != "bundled":
            raise InputError("tables", self.tables, "'bundled'; imports come with a later release")


def options_of(config: AuditConfig) -> dict[str, str]:
    """The settings that differ from the default, as text."""
    plain = AuditConfig()
    options: dict[str, str] = {}
    for name in AuditConfig.__dataclass_fields__:
        value = getattr(config, name)
        if value == getattr(plain, name):
            continue
        if isinstance(value, Mapping):
            value = ",".join(f"{key}:{value[key]}" for key in sorted(value))
        elif isinstance(value, tuple):
            value = ",".join(value)
        options[name] = str(value)
    return options


def check_seed(seed: int) -> int:
    """The seed, if it is a whole number of 64 bits."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise InputError("seed", seed, f"a whole number from 0 to {LARGEST_SEED}")
    return seed


def check_split(split: str) -> str:
    """The split, if there is one of that name."""
    if split not in SPLITS:
        raise InputError("split", split, f"one of {', '.join(SPLITS)}")
    return split
