"""The substream of the note as one of 16 bits."""

from __future__ import annotations

from collections.abc import Iterator

from ..randomness import Lane, Wide


class Narrow(Lane):
    """Each draw of 32 bits gives two of 16, the lower half first."""

    __slots__ = ()

    def __init__(self, wide: Wide) -> None:
        self.draw = _halves(wide).__next__


def _halves(wide: Wide) -> Iterator[int]:
    while True:
        word = wide.draw()
        yield word & 0xFFFF
        yield word >> 16
