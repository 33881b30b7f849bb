"""The part of the tables that answers for the order of two codes on a claim."""

from __future__ import annotations

from functools import cached_property

from .conflicts import Conflicts
from .entries import Entry
from .memo import Memo
from .tail_access import TailAccess

_PAIRS = 1_024


class OrderAccess(TailAccess):
    """Look-up of the notes "code first" and "use additional code" between two codes."""

    _conflicts: Conflicts

    def _entry(self, code: str) -> Entry:
        raise NotImplementedError

    @cached_property
    def _orders(self) -> Memo[tuple[str, str], bool]:
        return Memo(_PAIRS)

    def goes_before(self, a: str, b: str) -> bool:
        """Whether the tabular list puts ``a`` before ``b`` (guidelines I.A.13, I.A.17): ``a``
        asks to use ``b`` in addition, or ``b`` to code ``a`` first. False where notes say both,
        and for unknown codes."""
        found = self._orders.get((a, b))
        if found is None:
            one, other = self._entry(a), self._entry(b)
            found = (
                one.node >= 0
                and other.node >= 0
                and self._conflicts.goes_before(one, other)
                and not self._conflicts.goes_before(other, one)
            )
            self._orders.keep((a, b), found)
        return found

    def ordering(self, code: str) -> tuple[int, int]:
        """The bit of the code's category, and the bits of all other categories with which such
        a note could tie it."""
        ties = self.store.ties
        head = code[:3]
        bit = ties["bits"].get(head, 0)
        return bit, ties["orders"].get(head, 0) & ~bit
