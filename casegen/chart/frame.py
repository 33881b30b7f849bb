"""What is settled so far of patient and encounter, while scenarios and problems join a chart."""

from __future__ import annotations

from dataclasses import dataclass

from .options import ALL_SETTINGS

OLDEST = 100


@dataclass(slots=True)
class Frame:
    """The settings, ages (whole years, inclusive) and sex that are still open.

    ``sex`` is 0 female, 1 male, 2 open. ``newborn`` is the range of ages in days where the
    patient must be a newborn, else None. ``claim`` is the claim type where it is settled.
    """

    mask: int = ALL_SETTINGS
    low: int = 0
    high: int = OLDEST
    sex: int = 2
    newborn: tuple[int, int] | None = None
    claim: str | None = None
    fixed: bool = False

    def allows(self, mask: int, low: int, high: int, sex: int) -> bool:
        """Whether a problem with these bounds can still join."""
        return (
            self.mask & mask != 0
            and low <= self.high
            and high >= self.low
            and (sex == 2 or self.sex == 2 or sex == self.sex)
        )

    def narrow(self, mask: int, low: int, high: int, sex: int) -> None:
        """Keep what these bounds leave open; call only after ``allows``."""
        self.mask &= mask
        if low > self.low:
            self.low = low
        if high < self.high:
            self.high = high
        if sex != 2:
            self.sex = sex
