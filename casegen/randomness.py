"""Random draws that depend on a case's name alone.

A case is named ``(family, version, split, seed, index)``. All cases of one
``(family, version, split, seed)`` share one Philox-4x64 generator whose key is the blake2b
digest of that name; case ``index`` owns the row of ``WORDS`` 64-bit words at counter
``index * WORDS / 4``. The row is read as draws of 16 bits (low bits first), those of the note
as draws of 32 bits, and cut into fixed lanes, one for each substream, so that a new draw in
the note never moves the patient. A lane that runs dry goes on with blake2b in counter mode
over the full name of the lane.

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

# Draws of 16 bits for each lane, then those of 32 bits for the note; together they fill whole
# Philox blocks of four words.
LANES: dict[str, int] = {"plan": 40, "patient": 20, "chart": 68, "inject": 32}
NOTE_DRAWS = 88
DRAWS = sum(LANES.values())
WORDS = DRAWS // 4 + NOTE_DRAWS // 2
# Stream, index and attempt; strings are made of them only where a lane runs dry.
Name = tuple[str, int, int]
_BLOCK = 64
_NARROW = 1 << 10


def digest_int(name: str, size: int = 8) -> int:
    """The blake2b digest of ``name`` as an integer of ``size`` bytes."""
    return int.from_bytes(blake2b(name.encode(), digest_size=size).digest(), "big")


class Lane:
    """One substream of a case. ``draw()`` gives the next number of 16 bits."""

    __slots__ = ("draw",)

    def __init__(self, draws: Sequence[int], name: Name, lane: str) -> None:
        self.draw = chain(draws, _more(name, lane, "<32H")).__next__

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


class Wide:
    """A substream whose ``draw()`` gives numbers of 32 bits: one settles a whole sentence."""

    __slots__ = ("draw",)

    def __init__(self, draws: Sequence[int], name: Name) -> None:
        self.draw = chain(draws, _more(name, "note", "<16I")).__next__


def _more(name: Name, lane: str, shape: str) -> Iterator[int]:
    """Draws without end: blake2b in counter mode over a lane's full name."""
    stream, index, attempt = name
    serial = 0
    while True:
        text = f"{stream}/{index}/{attempt}/{lane}#{serial}"
        yield from unpack(shape, blake2b(text.encode(), digest_size=64).digest())
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
    inject: Lane
    note: Wide


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
        self._block: tuple[int, list[list[int]], list[list[int]]] = (0, [], [])

    def _rows(self, index: int) -> tuple[Sequence[int], Sequence[int]]:
        # Start and draws are replaced together, so that threads may share a source.
        start, narrow, wide = self._block
        at = index - start
        if not 0 <= at < _BLOCK or not narrow:
            # A block starts at a multiple of its size, so any order of access reads the
            # same few blocks; one array a block is cheaper than one a case.
            start = index - index % _BLOCK
            raw = np.random.Philox(key=self._key, counter=start * (WORDS // 4)).random_raw(
                WORDS * _BLOCK
            )
            rows = raw.astype("<u8").reshape(_BLOCK, WORDS)
            cut = DRAWS // 4
            narrow = np.ascontiguousarray(rows[:, :cut]).view("<u2").tolist()
            wide = np.ascontiguousarray(rows[:, cut:]).view("<u4").tolist()
            self._block = (start, narrow, wide)
            at = index - start
        return narrow[at], wide[at]

    def lanes(self, index: int, attempt: int = 0) -> Lanes:
        """The lanes of case ``index``; later attempts draw from blake2b alone."""
        name = (self.stream, index, attempt)
        if attempt:
            plan, patient, chart, inject = (Lane((), name, lane) for lane in LANES)
            return Lanes(plan, patient, chart, inject, Wide((), name))
        row, wide = self._rows(index)
        plan, patient, chart, inject = (Lane(row[at:to], name, lane) for lane, at, to in _CUTS)
        return Lanes(plan, patient, chart, inject, Wide(wide, name))


def _cuts() -> Iterator[tuple[str, int, int]]:
    at = 0
    for lane, size in LANES.items():
        yield lane, at, at + size
        at += size


_CUTS = tuple(_cuts())
