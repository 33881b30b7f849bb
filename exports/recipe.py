"""What an export is made from. Two exports of one recipe have the same rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import orjson

from casegen.config import SPLITS, STREAM, check_seed, whole
from casegen.env.families import FAMILIES
from casegen.schemas import InputError

from .formats import FORMATS

# Those who play each case, unless a recipe names fewer.
AGENTS = ("expert", "careless", "noisy", "rules", "random")
SHARES = (80, 10, 10)
# Cases a shard. Big enough that a million cases make no flood of files, small enough that two
# workers share a thousand.
SHARD = 500
MOST_CASES = STREAM
MOST_SHARD = 100_000
_MOST_SHARDS = 20_000  # of a configuration; a manifest names each
OPTIONS = ("difficulty", "tables")


@dataclass(frozen=True, slots=True)
class Recipe:
    """The recipe of an export.

    - ``cases``: how many, of all families and splits together; ``seed``: that of the generators.
    - ``families``, ``configs``: which, kept in the order of ``FAMILIES`` and ``FORMATS``.
    - ``shares``: parts of train, validation and test.
    - ``agents``: who plays, where a chosen configuration is made of episodes.
    - ``options``: settings of the generators (``difficulty``, ``tables``).
    - ``shard``: the most cases a shard.

    Raises InputError, naming the field, where a value can't be taken.
    """

    cases: int
    seed: int
    families: tuple[str, ...] = tuple(FAMILIES)
    configs: tuple[str, ...] = tuple(FORMATS)
    shares: tuple[int, ...] = SHARES
    agents: tuple[str, ...] = AGENTS
    options: Mapping[str, str] = field(default_factory=dict)
    shard: int = SHARD

    def __post_init__(self) -> None:
        # The class is frozen for everyone else.
        put = object.__setattr__
        put(self, "cases", whole("cases", self.cases, MOST_CASES, 1))
        put(self, "seed", check_seed(self.seed))
        put(self, "families", _some("family", self.families, FAMILIES))
        put(self, "configs", _some("config", self.configs, FORMATS))
        put(self, "agents", _some("agent", self.agents, AGENTS))
        put(self, "shares", _shares(self.shares))
        put(self, "options", _options(self.options))
        put(self, "shard", whole("shard", self.shard, MOST_SHARD, 1))
        least = -(-self.cases // _MOST_SHARDS)
        if self.shard < least:
            told = f"{self.cases} cases would be more than {_MOST_SHARDS:,} shards; take {least}"
            raise InputError("shard", self.shard, f"{told} or more")

    def plain(self) -> dict[str, Any]:
        """The recipe as JSON values."""
        plain = asdict(self)
        return {
            key: list(value) if isinstance(value, tuple) else value for key, value in plain.items()
        }

    def canonical(self) -> bytes:
        """The recipe as JSON, its keys sorted, without white space."""
        return orjson.dumps(self.plain(), option=orjson.OPT_SORT_KEYS)


def _some(name: str, value: object, allowed: Iterable[str]) -> tuple[str, ...]:
    """The names of ``value`` in the order of ``allowed``."""
    known = tuple(allowed)
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise InputError(name, value, f"a list with some of {', '.join(known)}")
    given = list(value)
    for one in given:
        if one not in known:
            raise InputError(name, one, f"one of {', '.join(known)}")
    if not given:
        raise InputError(name, value, f"some of {', '.join(known)}")
    return tuple(one for one in known if one in given)


def _shares(value: object) -> tuple[int, ...]:
    parts = tuple(value) if isinstance(value, list | tuple) else ()
    if len(parts) != len(SPLITS):
        raise InputError("shares", value, f"three whole numbers, for {', '.join(SPLITS)}")
    found = tuple(whole("shares", part, 1_000_000) for part in parts)
    if not any(found):
        raise InputError("shares", value, "at least one share above 0")
    return found


def _options(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise InputError("options", value, "a mapping of settings to text")
    for name, text in value.items():
        if name not in OPTIONS:
            told = f"no such setting; there are {', '.join(OPTIONS)}"
            raise InputError(f"options.{name}", text, told)
        if not isinstance(text, str):
            raise InputError(f"options.{name}", text, "a text")
    return {str(name): value[name] for name in sorted(value)}


def recipe_from(data: Mapping[str, Any]) -> Recipe:
    """The recipe that ``plain`` made into ``data``. Raises InputError."""
    unknown = sorted(set(data) - set(Recipe.__dataclass_fields__))
    if unknown:
        raise InputError(unknown[0], data[unknown[0]], "no such field of a recipe")
    missing = [name for name in ("cases", "seed") if name not in data]
    if missing:
        raise InputError(missing[0], None, "a recipe names it")
    return Recipe(**data)


def counts(total: int, shares: tuple[int, ...]) -> list[int]:
    """``total`` divided by shares: what is left over goes to the largest remainders. A share
    above 0 gets one at least, as soon as there are enough for all."""
    whole_sum = sum(shares)
    found = [total * share // whole_sum for share in shares]
    rest = sorted(range(len(shares)), key=lambda at: (-(total * shares[at] % whole_sum), at))
    for at in rest[: total - sum(found)]:
        found[at] += 1
    wanted = [at for at, share in enumerate(shares) if share]
    if total >= len(wanted):
        for at in wanted:
            if not found[at]:
                found[found.index(max(found))] -= 1
                found[at] = 1
    return found
