"""When a code is valid, read from its history of (from, to, edits)."""

from __future__ import annotations

from typing import Literal

from .entries import Entry
from .store import History, Store

Status = Literal["valid", "incomplete", "retired", "not_yet_valid", "unknown"]
# What the data cover. A code with no history that the list has was valid all the time.
ALWAYS = ("2015-10-01", "2027-03-31")


def merge(history: History) -> tuple[tuple[str, str], ...]:
    """Periods of validity; rows that follow each other day by day are one period."""
    from datetime import date, timedelta

    periods: list[tuple[str, str]] = []
    for start, end, _ in history:
        if periods:
            day_after = date.fromisoformat(periods[-1][1]) + timedelta(days=1)
            if day_after.isoformat() >= start:
                periods[-1] = (periods[-1][0], end)
                continue
        periods.append((start, end))
    return tuple(periods)


def status(store: Store, entry: Entry, on: str) -> Status:
    """See ``Tables.status``."""
    history = entry.history
    if not history:
        if entry.billable:
            return "valid" if on >= ALWAYS[0] else "not_yet_valid"
        return "incomplete" if fillable(store, entry) else "unknown"
    for start, end, _ in history:
        # The data end on a day on which nothing ends.
        if start <= on and (on <= end or end == ALWAYS[1]):
            return "valid"
    if on < history[0][0]:
        # Before it was a code of its own, D69.1 say, it may have been a mere parent.
        return "incomplete" if fillable(store, entry) else "not_yet_valid"
    return "retired"


def fillable(store: Store, entry: Entry) -> bool:
    """Whether more characters or placeholders make the code complete: E11, S72.001, W19.A,
    W21.89A, T36.0X."""
    if entry.node >= 0:
        return not entry.billable
    stem = entry.stem
    if not 3 < len(stem) < 7:
        return False
    bare = stem.rstrip("X")
    if bare != stem and len(stem) < 7:
        node = store.index.get(bare)
        if node is not None and store.sevenths(node):
            return True
    char = stem[-1]
    for end in range(len(stem) - 1, 2, -1):
        node = store.index.get(stem[:end])
        if node is not None:
            return char in store.sevenths(node) and not stem[end:-1].strip("X")
    return False
