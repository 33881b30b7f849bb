"""What is settled so far of patient and encounter, while scenarios and problems join a chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..randomness import Lane
from .options import ALL_SETTINGS, BIT

if TYPE_CHECKING:
    from ..world import World

OLDEST = 100
SENIOR = 65
# In so many cases of a hundred the setting is settled before all else: pairs of services would
# else take most cases to the office.
_SETTLED_FIRST = 18


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


def first_frame(world: World, mask: int, lane: Lane) -> Frame:
    """What a chart begins with, within the settings of ``mask``."""
    if lane.below(100) >= _SETTLED_FIRST:
        return Frame(mask=mask)
    setting = lane.weighted(*world.setting_odds(mask))
    frame = Frame(mask=BIT[setting])
    if setting == "telehealth":
        frame.low = SENIOR
    elif setting == "inpatient" and lane.below(100) < world.encounters.inpatient_facility_percent:
        frame.claim = "facility"
    return frame
