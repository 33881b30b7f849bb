"""Lists of codes read off the tables, for those that need many at once."""

from __future__ import annotations

from functools import lru_cache

from .codes import canonical
from .store import Store
from .tables import Tables


def billable_below(tables: Tables, code: str) -> tuple[str, ...]:
    """The complete codes at or below ``code``, with every seventh character, in the order of
    the tabular list; () for a code that the list does not hold (give seventh characters of
    none)."""
    return _below(tables.store, code)


@lru_cache(maxsize=512)
def _below(store: Store, code: str) -> tuple[str, ...]:
    node = store.index.get(code.replace(".", "").upper())
    if node is None:
        return ()
    return _leaves(store, node, store.ends[node])


def chapter_codes(tables: Tables, chapter: int) -> tuple[str, ...]:
    """The complete codes of a chapter (1 to 22)."""
    store = tables.store
    node = store.index[f"chapter:{chapter}"]
    return _leaves(store, node, store.ends[node])


def _leaves(store: Store, first: int, end: int) -> tuple[str, ...]:
    found: list[str] = []
    stems, ends, sevenths = store.stems, store.ends, store.sevenths
    for node in range(first, end):
        stem = stems[node]
        if ends[node] != node + 1 or ":" in stem:
            continue
        chars = sevenths(node)
        if chars:
            stem = stem.ljust(6, "X")
            found += [f"{stem[:3]}.{stem[3:]}{char}" for char in chars]
        else:
            found.append(stem if len(stem) == 3 else f"{stem[:3]}.{stem[3:]}")
    return tuple(found)


def future_codes(tables: Tables, after: str) -> tuple[str, ...]:
    """Codes whose validity begins after the ISO date ``after``, sorted."""
    return tuple(
        sorted(
            canonical(stem) for stem, history in tables.store.histories() if history[0][0] > after
        )
    )
