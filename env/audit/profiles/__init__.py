"""Reward profiles, one module each, by name."""

from __future__ import annotations

from typing import Protocol

from ..event import Event
from ..ledger import Ledger
from . import seed, strict


class Profile(Protocol):
    """What a module of this package holds.

    ``reward`` is what an act before the last pays; ``score`` grades the draft, in [0, 1];
    ``last_reward`` is what the last step pays, from its own reward and the score.
    """

    NAME: str
    ONE_FLAG_A_CODE: bool

    def reward(self, ledger: Ledger, event: Event) -> float: ...

    def score(self, ledger: Ledger) -> float: ...

    def last_reward(self, ledger: Ledger, own: float, score: float) -> float: ...


PROFILES: dict[str, Profile] = {"seed": seed, "strict": strict}
