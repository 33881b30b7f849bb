"""The part of the tables that answers for the long tail."""

from __future__ import annotations

from functools import cached_property

from .store import Store
from .tail import Scope, Tail, TailCode


class TailAccess:
    """Look-up of right codes of the long tail, over ``store``."""

    store: Store

    @cached_property
    def _tail(self) -> Tail:
        return Tail(self.store.tail)

    def tail_count(self, stratum: str) -> int:
        """How many codes of a stratum (disease, neoplasm, injury ...) the long tail has."""
        return self._tail.count(stratum)

    def tail(self, stratum: str, i: int) -> TailCode:
        """The ``i``-th code of a stratum. Raises IndexError."""
        return self._tail.tail(stratum, i)

    def tail_scope(self, stratum: str, i: int) -> Scope:
        """Whom the ``i``-th code of a stratum can concern; cheaper than ``tail``. Raises
        IndexError."""
        return self._tail.scope(stratum, i)

    def tail_of(self, code: str) -> TailCode | None:
        """The long tail's entry for a code, None if it isn't eligible."""
        return self._tail.of(code)

    def in_tail(self, code: str) -> bool:
        """Whether ``tail_of`` finds the code; cheaper."""
        return self._tail.holds(code)

    def may_enter(self, code: str) -> str:
        """``right`` for a code that may be a right code of a claim, else the reason why not."""
        return self._tail.may_enter(code)
