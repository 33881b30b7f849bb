"""How much: what a prescriber wrote as exact amounts of each ingredient.

A text is read whole or not at all; nothing is guessed. All numbers are decimals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from casegen.seeds.rx.model import Drug, Strength

from .often import Frequency, read_frequency

__all__ = ["Dose", "Frequency", "Unread", "read_dose", "read_frequency"]

_NUMBER = r"(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)"
_UNITS = {
    "mg": "mg", "milligram": "mg", "milligrams": "mg", "mcg": "mcg", "\u00b5g": "mcg",
    "\u03bcg": "mcg", "ug": "mcg", "microgram": "mcg", "micrograms": "mcg", "g": "g", "gm": "g",
    "gram": "g", "grams": "g", "units": "units", "unit": "units", "u": "units", "iu": "units",
    "international units": "units", "meq": "mEq", "ml": "mL", "cc": "mL", "milliliters": "mL",
    "%": "%", "mcg/h": "mcg/h", "mcg/hr": "mcg/h", "mcg/hour": "mcg/h",
}  # fmt: skip
_PIECES = ("tablet", "tab", "capsule", "cap", "patch", "patche", "puff", "suppository",
           "suppositorie", "spray", "pill", "caplet", "inhalation", "pen", "vial")  # fmt: skip
_PLURAL = r"(?:" + "|".join(_PIECES) + r")s?"
_U = "(" + "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True)) + ")"
_COUNT = {"half a": "0.5", "half": "0.5", "one": "1", "two": "2", "three": "3", "four": "4",
          "five": "5", "six": "6", "1/2": "0.5", "\u00bd": "0.5", "a": "1"}  # fmt: skip
_C = "(" + "|".join(map(re.escape, _COUNT)) + rf"|{_NUMBER}(?: ?(?:-|to|or) ?{_NUMBER})?)"
_KIND = r"(?: (?:[a-z]+-release|er|xr|sr|xl|ir|ec|chewable|oral|sublingual))?"
_STRENGTH = rf"({_NUMBER}(?: ?/ ?{_NUMBER})*) ?{_U}(?: ?/ ?({_NUMBER})? ?ml)?"
_AMOUNT = re.compile(rf"({_NUMBER}(?: ?(?:-|to) ?{_NUMBER}| ?/ ?{_NUMBER})?) ?{_U}")
_BY_WEIGHT = re.compile(
    rf"({_NUMBER}(?: ?(?:-|to) ?{_NUMBER})?) ?{_U} ?/ ?kg(?: ?/ ?(day|d|dose))?"
)
_A_DAY = re.compile(rf"({_NUMBER}) ?{_U}(?: ?/ ?day| per day| a day| daily)")
_OF = re.compile(
    rf"{_C}{_KIND} ?(?:{_PLURAL})? ?(?:of|x|\() ?{_STRENGTH}{_KIND}\)?(?: {_PLURAL}| each)?"
)
_THEN = re.compile(
    rf"{_STRENGTH}{_KIND}(?: {_PLURAL})?(?:,| x)? ?(?:take |give )?{_C}(?:{_KIND} ?{_PLURAL})?"
)
_EACH = re.compile(rf"{_C} {_STRENGTH}{_KIND} {_PLURAL}")
_BARE = re.compile(rf"{_C}{_KIND} ?{_PLURAL}")
_VOLUME = re.compile(rf"{_C} ?(?:ml|cc)(?: of| \(| x)? ?{_STRENGTH}\)?")
_VOLUME_LAST = re.compile(rf"{_STRENGTH},? ?(?:take |give )?{_C} ?(?:ml|cc)")
_MILLILITERS = re.compile(rf"{_C} ?(?:ml|cc)")
_DIVIDED = re.compile(
    r",? (?:in )?divided(?: doses)?,?(?: (.+))?$"
    r"|,? (in (?:\d|two|three|four) divided doses)$"
)


@dataclass(frozen=True, slots=True)
class Dose:
    """One administration, or a whole day where ``a_day``: from ``low`` to ``high``, a number for
    each ingredient (None where it is not told), all in ``unit``; per kg of body weight where
    ``by_weight``. ``pieces``: how many tablets or the like at most, None where none are named.
    ``often``: the frequency that stands in the dose itself (divided BID)."""

    low: tuple[Decimal | None, ...]
    high: tuple[Decimal | None, ...]
    unit: str
    by_weight: bool = False
    a_day: bool = False
    pieces: Decimal | None = None
    often: Frequency | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a dose could not be read."""

    why: str


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def _numbers(text: str) -> list[Decimal] | None:
    """``5``, ``5/325``; None for what is none."""
    try:
        return [_decimal(part.strip()) for part in text.split("/")]
    except ArithmeticError:
        return None


def _span(text: str) -> tuple[Decimal, Decimal] | None:
    """``2`` or ``1-2``; None for what is none."""
    try:
        ends = [
            _decimal(_COUNT.get(p.strip(), p.strip())) for p in re.split(r"-|\bto\b|\bor\b", text)
        ]
    except ArithmeticError:
        return None
    return (min(ends), max(ends)) if 1 <= len(ends) <= 2 else None


def _plain(text: str) -> str:
    text = text.casefold().replace("\u2013", "-").replace("\u00d7", "x")
    text = " ".join(text.split()).strip(" ,;")
    return re.sub(r"^(?:take|give|inject|apply|inhale) ", "", text)


@lru_cache(maxsize=20_000)
def _read(text: str, drug: Drug, form: str) -> Dose | Unread:
    often = None
    plain = _plain(text)
    if match := _DIVIDED.search(plain):
        told = match[1] or match[2]
        if told:
            often = read_frequency(told)
            if often is None:
                return Unread(f"how it is divided ({told}) can't be read")
        plain = plain[: match.start()].strip(" ,;")
    found = _amount(plain, drug, form)
    if isinstance(found, Unread) or often is None:
        return found
    return Dose(
        found.low, found.high, found.unit, found.by_weight, found.a_day, found.pieces, often
    )


def read_dose(text: str, drug: Drug, form: str = "", strength: str = "") -> Dose | Unread:
    """The amounts of a dose as written: ``2400 mg``, ``2 tablets of 5/325 mg``, ``90 mg/kg/day
    divided BID``, ``10 units``, ``5 mL of 250 mg/5 mL``.

    Tablets and volumes without a strength take ``strength`` (which stands behind the name of
    the drug) or the only one that is marketed in ``form``; else the dose stays unread.
    """
    if strength:
        whole = strength if _has_unit(strength) else f"{strength} mg"
        if (bare := _BARE.fullmatch(_plain(text))) is not None:
            return _read(f"{bare[1]} x {whole}", drug, form)
        if (bare := _MILLILITERS.fullmatch(_plain(text))) is not None:
            return _read(f"{bare[1]} ml of {whole}", drug, form)
    return _read(text, drug, form)


def _has_unit(strength: str) -> bool:
    return strength[-1:].isalpha() or strength.endswith("%")


def _amount(text: str, drug: Drug, form: str) -> Dose | Unread:
    if match := _BY_WEIGHT.fullmatch(text):
        ends = _span(match[1])
        if ends is not None:
            a_day = (match[3] or "").startswith("d") and match[3] != "dose"
            return Dose((ends[0],), (ends[1],), _UNITS[match[2]], True, a_day)
    if match := _A_DAY.fullmatch(text):
        return _whole([_decimal(match[1])], _UNITS[match[2]], drug, a_day=True)
    if match := _AMOUNT.fullmatch(text):
        return _direct(match[1], _UNITS[match[2]], drug, form)
    for pattern, count, strength in ((_VOLUME, 1, 2), (_VOLUME_LAST, 4, 1)):
        if match := pattern.fullmatch(text):
            return _volume(
                match[count], match[strength], match[strength + 1], match[strength + 2], drug
            )
    for pattern, count, strength in ((_OF, 1, 2), (_EACH, 1, 2), (_THEN, 4, 1)):
        if match := pattern.fullmatch(text):
            if match[strength + 2] is not None:
                return Unread("a piece has no volume")
            return _pieces(match[count], match[strength], _UNITS[match[strength + 1]], drug)
    if match := _BARE.fullmatch(text):
        only = _only(drug, form, volume=False)
        if only is None:
            return Unread("the strength is not told")
        return _times(match[1], list(only.amounts), only.unit, drug, True)
    return Unread("the dose can't be read")


def _only(drug: Drug, form: str, volume: bool) -> Strength | None:
    """The one strength that is marketed, None where there are several or none."""
    found = [
        one
        for one in drug.strengths
        if (one.per is not None) == volume and (not form or one.form == form)
    ]
    return found[0] if len(found) == 1 else None


def _direct(text: str, unit: str, drug: Drug, form: str) -> Dose | Unread:
    if unit == "mL":
        only = _only(drug, form, volume=True)
        ends = _span(text)
        if ends is None:
            return Unread("the volume can't be read")
        if only is None or only.per is None:
            return Dose((ends[0],), (ends[1],), "mL")
        return _scaled(ends, list(only.amounts), only.unit, only.per, drug)
    if drug.ingredients and "-" in text:
        return _hyphened(text, unit, drug)
    if "/" not in text:
        ends = _span(text)
        if ends is None:
            return Unread("the amount can't be read")
        low = _whole([ends[0]], unit, drug)
        high = _whole([ends[1]], unit, drug)
        if isinstance(low, Unread) or isinstance(high, Unread):
            return Unread("the amount can't be read")
        return Dose(low.low, high.high, unit)
    numbers = _numbers(text)
    return Unread("the amounts can't be read") if numbers is None else _whole(numbers, unit, drug)


def _hyphened(text: str, unit: str, drug: Drug) -> Dose | Unread:
    """``5-325 mg`` of a combination: a marketed mix, or else one does not know what is meant."""
    numbers = _numbers(text.replace("-", "/"))
    marketed = [one.amounts for one in drug.strengths if one.unit == unit]
    if numbers is None or len(numbers) != len(drug.ingredients) or not _mixes(numbers, marketed):
        return Unread("whether the hyphen parts ingredients or doses is not told")
    return _whole(numbers, unit, drug)


def _whole(numbers: list[Decimal], unit: str, drug: Drug, a_day: bool = False) -> Dose | Unread:
    """Amounts of one administration, set beside the ingredients of the drug."""
    amounts = _ordered(numbers, unit, drug)
    return amounts if isinstance(amounts, Unread) else Dose(amounts, amounts, unit, a_day=a_day)


def _ordered(numbers: list[Decimal], unit: str, drug: Drug) -> tuple[Decimal | None, ...] | Unread:
    """The amounts in the order of the ingredients. One number of a combination stands for its
    first ingredient; the others follow where the marketed strengths have only one such mix."""
    parts = max(1, len(drug.ingredients))
    if len(numbers) > parts or (1 < len(numbers) < parts):
        return Unread(f"{len(numbers)} amounts for {parts} ingredients")
    marketed = [one.amounts for one in drug.strengths if one.unit == unit]
    if len(numbers) == parts:
        if parts > 1 and not _mixes(numbers, marketed) and _mixes(numbers[::-1], marketed):
            return tuple(numbers[::-1])  # some write the ingredients in the other order
        return tuple(numbers)
    mixes = {tuple(a / one[0] for a in one) for one in marketed if (numbers[0] % one[0]) == 0}
    same = [one for one in marketed if one[0] == numbers[0]]
    if len(same) == 1:
        return tuple(same[0])
    if not same and len(mixes) == 1:
        return tuple(numbers[0] * share for share in next(iter(mixes)))
    return (numbers[0], *([None] * (parts - 1)))


def _mixes(numbers: list[Decimal], marketed: list[tuple[Decimal, ...]]) -> bool:
    """Whether the amounts are a whole number of a marketed strength."""
    return any(
        all(n * one[0] == numbers[0] * m for n, m in zip(numbers, one, strict=True))
        for one in marketed
    )


def _times(count: str, amounts: list[Decimal], unit: str, drug: Drug, exact: bool) -> Dose | Unread:
    ends = _span(count)
    ordered = tuple(amounts) if exact else _ordered(amounts, unit, drug)
    if ends is None or isinstance(ordered, Unread):
        return Unread("the number of pieces can't be read") if ends is None else ordered  # type: ignore[return-value]
    low = tuple(None if one is None else one * ends[0] for one in ordered)
    high = tuple(None if one is None else one * ends[1] for one in ordered)
    return Dose(low, high, unit, pieces=ends[1])


def _pieces(count: str, strength: str, unit: str, drug: Drug) -> Dose | Unread:
    amounts = _numbers(strength)
    if amounts is None:
        return Unread("the strength can't be read")
    return _times(count, amounts, unit, drug, False)


def _scaled(
    ends: tuple[Decimal, Decimal], amounts: list[Decimal], unit: str, per: Decimal, drug: Drug
) -> Dose | Unread:
    ordered = _ordered(amounts, unit, drug)
    if isinstance(ordered, Unread):
        return ordered
    low = tuple(None if one is None else one * ends[0] / per for one in ordered)
    high = tuple(None if one is None else one * ends[1] / per for one in ordered)
    return Dose(low, high, unit)


def _volume(count: str, strength: str, unit: str, per: str | None, drug: Drug) -> Dose | Unread:
    amounts, ends = _numbers(strength), _span(count)
    if amounts is None or ends is None:
        return Unread("the volume can't be read")
    return _scaled(ends, amounts, _UNITS[unit], _decimal(per or "1"), drug)
