"""Random words that depend on a case's name alone.

A case is named ``(family, version, split, seed, index)``. All cases of one
``(family, version, split, seed)`` share one Philox-4x64 generator whose key is the blake2b
digest of that name; case ``index`` owns the row of ``WORDS`` 64-bit words at counter
``index * WORDS / 4``. The row is cut into fixed lanes, one for each substream, so that a new
draw in the note never moves the patient. A lane that runs dry goes on with blake2b in counter
mode over the full name of the lane.

Only ``Philox.random_raw`` is used of NumPy: its bit stream is guaranteed, while the methods
that shape distributions may change between releases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from struct import unpack
from typing import TypeVar

import numpy as np

T = TypeVar("T")

LANES: dict[str, int] = {"plan": 24, "patient": 8, "chart": 32, "note": 52, "inject": 12}
WORDS = sum(LANES.values())
_MASK = (1 << 64) - 1
_SPENT = 1 << 32
_BLOCK = 64


def digest_int(name: str, size: int = 8) -> int:
    """The blake2b digest of ``name`` as an integer of ``size`` bytes."""
    return int.from_bytes(blake2b(name.encode(), digest_size=size).digest(), "big")


class Lane:
    """One substream of a case.

    A word is read as a fraction of 1: ``below(n)`` multiplies it by ``n``, takes the whole
    part and keeps the rest for the next draw, until 2**32 of its range is spent. The bias of
    one draw stays below 2**-31.
    """

    __slots__ = ("_at", "_name", "_serial", "_spent", "_word", "_words")

    def __init__(self, name: str, words: Sequence[int]) -> None:
        self._name = name
        self._words = words
        self._at = 0
        self._serial = 0
        self._word = 0
        self._spent = _SPENT

    def word(self) -> int:
        """The next whole word of 64 bits."""
        at = self._at
        if at < len(self._words):
            self._at = at + 1
            return self._words[at]
        return self._more()

    def _more(self) -> int:
        block = f"{self._name}#{self._serial}".encode()
        self._serial += 1
        self._words = unpack(">8Q", blake2b(block, digest_size=64).digest())
        self._at = 1
        return self._words[0]

    def below(self, n: int) -> int:
        """A whole number in ``[0, n)``; ``n`` is at most 2**31."""
        spent = self._spent * n
        if spent > _SPENT:
            at = self._at
            if at < len(self._words):
                self._at = at + 1
                word = self._words[at]
            else:
                word = self._more()
            spent = n
        else:
            word = self._word
        product = word * n
        self._word = product & _MASK
        self._spent = spent
        return product >> 64

    def between(self, low: int, high: int) -> int:
        """A whole number in ``[low, high]``."""
        return low + self.below(high - low + 1)

    def chance(self, numerator: int, denominator: int) -> bool:
        """True in ``numerator`` of ``denominator`` draws."""
        return self.below(denominator) < numerator

    def pick(self, items: Sequence[T]) -> T:
        """One of ``items``, each as likely as the others."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], totals: Sequence[int]) -> T:
        """One of ``items``; ``totals`` are the running sums of their weights."""
        at = self.below(totals[-1])
        low, high = 0, len(totals) - 1
        while low < high:
            middle = (low + high) >> 1
            if totals[middle] > at:
                high = middle
            else:
                low = middle + 1
        return items[low]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """``items`` in random order (Fisher-Yates)."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out


@dataclass(slots=True)
class Lanes:
    """The substreams of one attempt at one case."""

    plan: Lane
    patient: Lane
    chart: Lane
    note: Lane
    inject: Lane


def running_sums(weights: Sequence[int]) -> list[int]:
    """The running sums of integer weights, for ``Lane.weighted``."""
    out: list[int] = []
    total = 0
    for weight in weights:
        total += weight
        out.append(total)
    return out


class Source:
    """The lanes of all cases of one ``family-version/split/seed``."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self._key = digest_int(f"casegen:{stream}", 16)
        self._start = -1
        self._rows: list[int] = []

    def _row(self, index: int) -> Sequence[int]:
        at = index - self._start
        if self._start < 0 or not 0 <= at < _BLOCK:
            # A block starts at a multiple of its size, so any order of access reads the
            # same few blocks; one word array a block is cheaper than one a case.
            self._start = index - index % _BLOCK
            counter = self._start * (WORDS // 4)
            raw = np.random.Philox(key=self._key, counter=counter).random_raw(WORDS * _BLOCK)
            self._rows = raw.tolist()
            at = index - self._start
        return self._rows[at * WORDS : (at + 1) * WORDS]

    def lanes(self, index: int, attempt: int = 0) -> Lanes:
        """The lanes of case ``index``; later attempts draw from blake2b alone."""
        name = f"{self.stream}/{index}/{attempt}/"
        if attempt:
            return Lanes(*(Lane(name + lane, ()) for lane in LANES))
        row = self._row(index)
        made: list[Lane] = []
        at = 0
        for lane, size in LANES.items():
            made.append(Lane(name + lane, row[at : at + size]))
            at += size
        return Lanes(*made)

    def each(self, start: int, count: int) -> Iterator[tuple[int, Lanes]]:
        """Index and lanes of ``count`` consecutive cases."""
        for index in range(start, start + count):
            yield index, self.lanes(index)
