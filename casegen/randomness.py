"""Random draws that depend on a case's name alone.

A case is named ``(family, version, split, seed, index)``. All cases of one
``(family, version, split, seed)`` share one Philox-4x64 generator whose key is the blake2b
digest of that name; case ``index`` owns the row of ``WORDS`` 64-bit words at counter
``index * WORDS / 4``. The row is read as draws of 16 bits (low bits first) and cut into fixed
lanes, one for each substream, so that a new draw in the note never moves the patient. A lane
that runs dry goes on with blake2b in counter mode over the full name of the lane.

Only ``Philox.random_raw`` is used of NumPy: its bit stream is guaranteed, while the methods
that shape distributions may change between releases.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import chain, count
from struct import unpack
from typing import TypeVar
from zlib import crc32

import numpy as np

T = TypeVar("T")

# Draws of 16 bits for each lane; together they fill whole Philox blocks of four words.
LANES: dict[str, int] = {"plan": 40, "patient": 20, "chart": 68, "note": 96, "inject": 32}
DRAWS = sum(LANES.values())
WORDS = DRAWS // 4
_BLOCK = 64
_NARROW = 1 << 10


def digest_int(name: str, size: int = 8) -> int:
    """The blake2b digest of ``name`` as an integer of ``size`` bytes."""
    return int.from_bytes(blake2b(name.encode(), digest_size=size).digest(), "big")


class Lane:
    """One substream of a case. ``draw()`` gives the next number of 16 bits."""

    __slots__ = ("draw",)

    def __init__(self, name: str, draws: Sequence[int]) -> None:
        self.draw = chain(draws, _more(name)).__next__

    def below(self, n: int) -> int:
        """A whole number in ``[0, n)``; ``n`` is at most 2**24.

        A number of 16 bits settles up to 1,024 outcomes, two settle the rest, so that no
        outcome is more than 1.6 % likelier than another.
        """
        if n <= _NARROW:
            return (self.draw() * n) >> 16
        return ((self.draw() << 16 | self.draw()) * n) >> 32

    def between(self, low: int, high: int) -> int:
        """A whole number in ``[low, high]``."""
        return low + self.below(high - low + 1)

    def chance(self, numerator: int, denominator: int) -> bool:
        """True in ``numerator`` of ``denominator`` draws."""
        return self.below(denominator) < numerator

    def pick(self, items: Sequence[T]) -> T:
        """One of ``items``, each as likely as the others."""
        n = len(items)
        if n <= _NARROW:
            return items[(self.draw() * n) >> 16]
        return items[((self.draw() << 16 | self.draw()) * n) >> 32]

    def weighted(self, items: Sequence[T], totals: Sequence[int]) -> T:
        """One of ``items``; ``totals`` are the running sums of their weights."""
        return items[bisect_right(totals, self.below(totals[-1]))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """``items`` in random order (Fisher-Yates)."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out


def _more(name: str) -> Iterator[int]:
    """Draws without end: blake2b in counter mode over a lane's full name."""
    serial = 0
    while True:
        block = blake2b(f"{name}#{serial}".encode(), digest_size=64).digest()
        yield from unpack("<32H", block)
        serial += 1


class Fixed(Lane):
    """A lane whose draws follow from its name alone, for sentences that are kept once built:
    CRC-32 in counter mode, cheap and the same everywhere."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        seed = crc32(name.encode())
        self.draw = map(partial(_mixed, seed), count()).__next__


def _mixed(seed: int, serial: int) -> int:
    return crc32(serial.to_bytes(4, "little"), seed) >> 8 & 0xFFFF


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
        self._block: tuple[int, list[int]] = (0, [])

    def _row(self, index: int) -> Sequence[int]:
        # Start and draws are replaced together, so that threads may share a source.
        start, draws = self._block
        at = index - start
        if not 0 <= at < _BLOCK or not draws:
            # A block starts at a multiple of its size, so any order of access reads the
            # same few blocks; one array a block is cheaper than one a case.
            start = index - index % _BLOCK
            raw = np.random.Philox(key=self._key, counter=start * (WORDS // 4)).random_raw(
                WORDS * _BLOCK
            )
            draws = raw.astype("<u8").view("<u2").tolist()
            self._block = (start, draws)
            at = index - start
        return draws[at * DRAWS : (at + 1) * DRAWS]

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
