"""Doses as a simple reader takes them: an amount of one administration, and how often a day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from casegen.seeds.rx.loader import load

_UNIT = r"(mg|mcg|\u00b5g|\u03bcg|ug|g|units?|mEq|mL)"
_AMOUNT = re.compile(
    rf"(?<![\d.])(\d[\d,]*(?:\.\d+)?|\.\d+)\s*{_UNIT}(?![A-Za-z])(/kg)?(/day)?", re.I
)
_PARTS = re.compile(rf"(\d+(?:\.\d+)?(?:/\d+(?:\.\d+)?)+)\s*{_UNIT}", re.I)
_COUNT = re.compile(r"\b(\d+(?:\.5)?|one|two|three)\s+(?:tab|cap|pill|puff)", re.I)
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "once": 1, "twice": 2}
_SAME = {"\u00b5g": "mcg", "\u03bcg": "mcg", "ug": "mcg", "unit": "units", "meq": "mEq", "ml": "mL"}
_HOURS = re.compile(
    r"\b(?:every|q)\s*(\d{1,2})(?:\s*(?:to|-)\s*\d{1,2})?\s*h(?:ours?|rs?)?\b", re.I
)
_TIMES = re.compile(
    r"\b(\d|once|twice|one|two|three|four)\s*(?:times|x)?\s*(?:a|per|/)?\s*(?:daily|day)\b",
    re.I,
)
_MORNING_AND = re.compile(r"\bmorning and (?:at |in the |every )?(?:bedtime|evening|night)\b", re.I)
_WEEKLY = re.compile(r"\b(?:weekly|(?:once )?a week|every week|per week|q ?wk)\b", re.I)
_OFTEN = (
    (re.compile(r"\b(?:BID|b\.i\.d\.)(?!\w)", re.I), 2),
    (re.compile(r"\b(?:TID|t\.i\.d\.)(?!\w)", re.I), 3),
    (re.compile(r"\b(?:QID|q\.i\.d\.)(?!\w)", re.I), 4),
    (re.compile(r"\b(?:daily|QD|OD|nightly|QHS|HS|at bedtime|every (?:morning|evening|night|day)"
                r"|in the (?:morning|evening)|QAM|QPM)\b", re.I), 1),
)  # fmt: skip
_DAY, _WEEK = 24, 7


@dataclass(frozen=True, slots=True)
class Amount:
    """How much at a time: one number for each ingredient, in ``unit``; ``by_kg`` where it is for a
    kilogram, ``by_day`` where it is for a day."""

    values: tuple[Decimal, ...]
    unit: str
    by_kg: bool = False
    by_day: bool = False

    def in_unit(self, unit: str) -> tuple[Decimal, ...] | None:
        """The numbers in another unit, None where there is no way."""
        if unit == self.unit:
            return self.values
        factor = load().conversions.get((self.unit, unit))
        return None if factor is None else tuple(value * factor for value in self.values)


def amount_in(text: str) -> Amount | None:
    """The first amount that a text tells, of one or more pieces; None where it tells none."""
    count = _COUNT.search(text)
    pieces = Decimal(1)
    if count is not None:
        told = count[1].lower()
        pieces = Decimal(_WORDS[told]) if told in _WORDS else Decimal(told)
    parts = _PARTS.search(text)
    if parts is not None:
        values = tuple(Decimal(one) * pieces for one in parts[1].split("/"))
        return Amount(values, _unit(parts[2]))
    found = _AMOUNT.search(text)
    if found is None:
        return None
    value = Decimal(found[1].replace(",", "")) * pieces
    return Amount((value,), _unit(found[2]), bool(found[3]), bool(found[4]))


def times_in(text: str) -> Decimal | None:
    """How often a day a text says that it is taken; None where it does not say."""
    if _WEEKLY.search(text):
        return Decimal(1) / _WEEK
    if _MORNING_AND.search(text):
        return Decimal(2)
    hours = _HOURS.search(text)
    if hours is not None and int(hours[1]):
        return Decimal(_DAY) / int(hours[1])
    told = _TIMES.search(text)
    if told is not None:
        word = told[1].lower()
        return Decimal(_WORDS[word] if word in _WORDS else int(word))
    return next((Decimal(times) for sought, times in _OFTEN if sought.search(text)), None)


def weekly(text: str) -> bool:
    """Whether a text says that it is taken by the week."""
    return _WEEKLY.search(text) is not None


def _unit(word: str) -> str:
    small = word.lower()
    return _SAME.get(small, small)
