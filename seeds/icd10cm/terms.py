"""Official wordings as keys: how a term of a record is found in the tabular list."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from hashlib import blake2b

# "<" and ">" tell birth weights and percentages apart; all other marks carry no meaning that
# letters and digits don't.
_IDLE = re.compile(r"[^a-z0-9<>%+]+")
_KEPT = re.sub(rb"[^a-z0-9<>%+]", b" ", bytes(range(256)))


def normalise(term: str) -> str:
    """Lower case without punctuation: ``with (acute) exacerbation`` = ``with acute
    exacerbation``."""
    return _IDLE.sub(" ", term.lower().replace("'s", "s")).strip()


def key(term: str) -> int:
    """A 64-bit number for the normalised term, the same in every process."""
    # As ``normalise``, in a third of the time: what isn't kept becomes a blank, byte by byte.
    text = term.lower().replace("'s", "s").encode("utf-8", "replace")
    words = b" ".join(text.translate(_KEPT).split())
    return int.from_bytes(blake2b(words, digest_size=8).digest(), "little")


def is_term(text: str) -> bool:
    """Whether an inclusion term names a condition. Some are instructions ("This category is
    for use as ...")."""
    return not (text.endswith((".", ":")) or text.startswith(("This ", "Note", "These ")))


def build_index(pairs: Iterable[tuple[str, int]]) -> tuple[list[int], list[int]]:
    """Sorted keys and the node of each, from pairs of wording and node number."""
    entries = sorted({(key(term), node) for term, node in pairs})
    return [entry[0] for entry in entries], [entry[1] for entry in entries]


def find(keys: Sequence[int], nodes: Sequence[int], term: str) -> list[int]:
    """All nodes that the term names."""
    wanted = key(term)
    place = bisect_left(keys, wanted)
    found = []
    while place < len(keys) and keys[place] == wanted:
        found.append(nodes[place])
        place += 1
    return found
