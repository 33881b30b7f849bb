"""Too many or too few administrations: methotrexate daily that is to be taken weekly."""

from __future__ import annotations

from .bounds import Bound
from .often import Frequency

_SPAN = {1: "day", 7: "week", 30: "month"}


def _right(bound: Bound) -> str:
    fewest, most = bound.times or (0, 0)
    count = (
        f"{fewest} to {most} times" if fewest != most else "once" if most == 1 else f"{most} times"
    )
    return f"{count} a {_SPAN[bound.days]}"


def too_often(bound: Bound, often: Frequency, most: int) -> str | None:
    """How often it should be, where it is given more often; else None."""
    if bound.times is None or not bound.days or most * bound.days <= bound.times[1] * often.days:
        return None
    return _right(bound)


def too_seldom(bound: Bound, often: Frequency) -> str | None:
    """How often it should be, where it is given less often; else None. As-needed and single
    doses may be fewer, and labels lengthen the interval in renal impairment."""
    if bound.times is None or not bound.days or often.needed or often.once or not bound.seldom:
        return None
    if often.most * bound.days >= bound.times[0] * often.days:
        return None
    return _right(bound)
