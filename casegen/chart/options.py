"""The problems that a chart may draw, made ready: masks, running weights, compiled wording."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from casegen.seeds.conditions import Condition, Value

from ..randomness import running_sums
from ..wording import Wording

# What a condition names as incompatible that stands (almost) alone.
ALONE = "*"
SETTINGS = ("office", "emergency", "inpatient", "outpatient_surgery", "telehealth")
BIT = {setting: 1 << i for i, setting in enumerate(SETTINGS)}
ALL_SETTINGS = (1 << len(SETTINGS)) - 1
SEX_INDEX = {"female": 0, "male": 1, "any": 2}


def settings_mask(settings: Iterable[str]) -> int:
    """The settings as bits of one number."""
    if settings == SETTINGS:
        return ALL_SETTINGS
    mask = 0
    for setting in settings:
        mask |= BIT[setting]
    return mask


@lru_cache(maxsize=1 << len(SETTINGS))
def settings_in(mask: int) -> tuple[str, ...]:
    """The settings whose bits are set, in order."""
    return tuple(setting for setting in SETTINGS if mask & BIT[setting])


@dataclass(frozen=True, slots=True)
class Option:
    """One value of a condition, ready to draw.

    ``low`` and ``high`` are the ages in whole years; ``alone`` tells that few conditions may
    stand beside it; ``key`` (``condition.value``) is its name in a case's ``conditions``.
    """

    condition: Condition
    value: Value
    wording: Wording
    mask: int
    reason: bool
    background: bool
    sex: int
    weight: int
    category: str
    sides: tuple[str, ...]
    low: int
    high: int
    alone: bool
    key: str


@dataclass(frozen=True, slots=True)
class Pool:
    """Options with the running sums of their weights."""

    options: Sequence[Option]
    totals: Sequence[int]


def make_option(condition: Condition, value: Value) -> Option:
    """Compile one value of a condition."""
    roles = value.roles or condition.roles
    any_code = value.code or next(iter(value.codes.values()))
    return Option(
        condition=condition,
        value=value,
        wording=Wording(
            value.names,
            story=value.story,
            background=value.background,
            exam=value.exam,
            results=value.results,
            plan=value.plan,
            drugs=value.drugs,
            stratum="injury" if value.course == "injury" else "disease",
        ),
        mask=settings_mask(value.settings or condition.settings),
        reason="reason" in roles,
        background="background" in roles,
        sex=SEX_INDEX[condition.sex],
        weight=condition.weight * value.weight,
        category=any_code[:3],
        sides=tuple(value.codes),
        low=condition.age[0],
        high=condition.age[1],
        alone=ALONE in condition.incompatible,
        key=f"{condition.id}.{value.id}",
    )


def pool(options: Iterable[Option]) -> Pool:
    """A pool of the given options; a condition's weight is shared among its values."""
    chosen = tuple(options)
    weights = [
        max(
            1, 60 * o.condition.weight * o.value.weight // sum(v.weight for v in o.condition.values)
        )
        for o in chosen
    ]
    return Pool(chosen, running_sums(weights))
