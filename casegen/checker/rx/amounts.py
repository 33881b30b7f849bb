"""Exact sums of what a prescription gives: a dose, so many times in so many days."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal

from casegen.seeds.rx.knowledge import Rx

from .often import Frequency
from .written import Dose

# Twenty places hold every dose exactly; only a volume that does not divide evenly has more.
_LARGE = 10
_PLACES = Context(prec=20)


def over(value: Decimal, limit: Decimal) -> bool:
    """Whether ``value`` is more than ``limit``."""
    return _PLACES.plus(value) > _PLACES.plus(limit)


def rounded(value: Decimal) -> Decimal:
    """An amount without places that nobody can measure out."""
    if value == value.quantize(Decimal("0.0001")):
        return value
    return value.quantize(Decimal("0.1") if value >= _LARGE else Decimal("0.001"))


def shown(value: Decimal) -> str:
    """A number as people write it: no trailing zero, no exponent, commas from ten thousand on.
    What has more places than any strength, such as an amount by weight, is rounded."""
    value = rounded(value)
    text = f"{_PLACES.plus(value):f}"
    if "." in text:
        text = f"{Decimal(text):.6f}".rstrip("0").rstrip(".")
    whole, _, rest = text.partition(".")
    if len(whole) > 4:
        whole = f"{int(whole):,}"
    return f"{whole}.{rest}" if rest else whole


@dataclass(frozen=True, slots=True)
class Given:
    """What is given of one ingredient: from ``low`` to ``high`` at each of ``most`` (at fewest
    ``fewest``) administrations in ``days`` days. Where ``a_day`` the amounts are for a whole day.
    """

    low: Decimal
    high: Decimal
    unit: str
    a_day: bool
    often: Frequency
    pieces: Decimal | None

    def in_unit(self, rx: Rx, unit: str) -> Given | None:
        """The same in another unit, None where the table has no way."""
        if unit == self.unit:
            return self
        factor = rx.conversions.get((self.unit, unit))
        if factor is None:
            return None
        return Given(
            self.low * factor, self.high * factor, unit, self.a_day, self.often, self.pieces
        )

    @property
    def most(self) -> int:
        """Most administrations in ``often.days``, pieces counted."""
        most = self.often.most
        if self.often.pieces and self.pieces:
            allowed = int(self.often.pieces * self.often.days / self.pieces)
            most = min(most, max(1, allowed))
        return most

    def total(self, days: int) -> Decimal:
        """The most in so many days."""
        if self.a_day:
            return self.high * days
        return self.high * self.most * days / self.often.days

    def single(self) -> Decimal:
        """The most at one time."""
        if self.a_day:
            return self.high * self.often.days / max(1, self.often.most)
        return self.high


def given(dose: Dose, often: Frequency, index: int, weight: Decimal | None) -> Given | None:
    """What a dose gives of one ingredient; None where the weight or the amount is not told."""
    if index >= len(dose.high):
        return None
    low, high = dose.low[index], dose.high[index]
    if low is None or high is None:
        return None
    if dose.by_weight:
        if weight is None:
            return None
        low, high = low * weight, high * weight
    return Given(low, high, dose.unit, dose.a_day, dose.often or often, dose.pieces)
