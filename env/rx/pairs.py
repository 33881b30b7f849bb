"""How names of pairs compare in play: as ``casegen.seeds.rx.naming`` says, kept for a while."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from casegen.seeds.rx.naming import Pair
from casegen.seeds.rx.naming import keys_of as _keys_of
from casegen.seeds.rx.naming import words as fold

__all__ = ["Pair", "fold", "keys_of", "keys_of_all"]


@lru_cache(maxsize=8_192)
def keys_of(text: str) -> frozenset[Pair]:
    """The pairs that a name may mean; none for what is no pair."""
    return frozenset(_keys_of(text))


def keys_of_all(names: Iterable[str]) -> frozenset[Pair]:
    """The pairs that any of these names may mean."""
    return frozenset().union(*map(keys_of, names))
