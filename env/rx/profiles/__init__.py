"""Reward profiles, one module each, by name."""

from __future__ import annotations

from typing import Protocol

from ..event import Event
from ..ledger import Ledger
from . import seed, strict


class Profile(Protocol):
    """What a module of this package holds.

    ``score`` grades what there is when an episode ends, in [0, 1]; ``breakdown`` tells its parts
    and ``feedback`` says them in words. ``reward`` is what an act pays, from the ledger that holds
    the act already; ``score`` is that of the end, and 0 before it.
    """

    NAME: str

    def score(self, ledger: Ledger) -> float: ...

    def breakdown(self, ledger: Ledger) -> dict[str, float]: ...

    def feedback(self, ledger: Ledger) -> str: ...

    def reward(self, ledger: Ledger, event: Event, score: float) -> float: ...


PROFILES: dict[str, Profile] = {"seed": seed, "strict": strict}
