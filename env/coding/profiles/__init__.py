"""Reward profiles, one module each, by name."""

from __future__ import annotations

from typing import Protocol

from casegen.schemas.coding_play import RewardBreakdown

from ..draft import Ledger
from ..event import Event
from . import seed, strict


class Profile(Protocol):
    """What a module of this package holds.

    ``LIVE`` tells whether an agent sees its score while it plays. ``score`` grades the draft as
    it stands, in [0, 1], and ``feedback`` says it in words; ``reward`` is what an act pays, from
    the ledger that holds the act already and the score after it.
    """

    NAME: str
    LIVE: bool

    def score(self, ledger: Ledger) -> float: ...

    def feedback(self, ledger: Ledger) -> list[str]: ...

    def reward(self, ledger: Ledger, event: Event, score: float) -> RewardBreakdown: ...


PROFILES: dict[str, Profile] = {"seed": seed, "strict": strict}
