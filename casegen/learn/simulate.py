"""Prequential evaluation: each row is predicted before it is learned.

Rows are taken in batches. All rows of a batch are predicted by the model of the batches before,
then all are learned: no row is predicted by a model that has seen it or a later one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from .curve import Curve
from .learner import UNKNOWN, NaiveBayes, words
from .records import Broken
from .rows import Row

TOP = 5
FIRST_TOLD = 5  # broken rows that are named
MOST_CHARACTERS = 4_000_000  # of the texts of a batch; of longer ones it holds fewer rows


@dataclass(frozen=True, slots=True)
class Tally:
    """What was measured so far; counts are of rows.

    ``right`` and ``in_top`` are rows whose code was predicted first, or among the first
    ``TOP``; ``majority`` those that the commonest code so far would have got right; ``new``
    those whose code had not come before, which nothing can predict.
    """

    learned: int = 0
    warmup: int = 0
    evaluated: int = 0
    right: int = 0
    in_top: int = 0
    majority: int = 0
    new: int = 0
    codes: int = 0

    def share(self, count: int) -> float | None:
        """A count as a share of the rows evaluated; None where there are none."""
        return count / self.evaluated if self.evaluated else None


@dataclass(slots=True)
class Skipped:
    """The rows that were passed over: how many by kind, and the first few."""

    kinds: Counter[str] = field(default_factory=Counter)
    first: list[Broken] = field(default_factory=list)

    def add(self, row: Broken) -> bool:
        """Count one; whether it is one of the first, that are named."""
        self.kinds[row.kind] += 1
        if len(self.first) == FIRST_TOLD:
            return False
        self.first.append(row)
        return True


class Simulation:
    """A learner on its way through a stream. ``tally`` holds at every moment what whole batches
    gave, so that it can be told after an interruption."""

    def __init__(self, warmup: int, batch: int) -> None:
        self.warmup = warmup
        self.batch = batch
        self.model = NaiveBayes()
        self.tally = Tally()
        self.curve = Curve()
        self._words = words()

    def run(self, rows: Iterable[Row]) -> Iterator[int]:
        """Go through the rows; tells after each batch how many rows it had."""
        for batch in self._batches(rows):
            self._step(batch)
            yield len(batch)

    def _batches(self, rows: Iterable[Row]) -> Iterator[list[Row]]:
        """Batches; the warm-up ends with one."""
        batch: list[Row] = []
        size = 0
        for number, row in enumerate(rows, 1):
            batch.append(row)
            size += len(row.text)
            if len(batch) == self.batch or number == self.warmup or size > MOST_CHARACTERS:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _step(self, batch: list[Row]) -> None:
        codes = [row.code for row in batch]
        found = self._words.transform([row.text for row in batch])
        old = self.tally
        if old.learned < self.warmup:
            tally = replace(old, warmup=old.warmup + len(batch))
        else:
            ranks = self.model.ranks(found, codes)
            commonest = self.model.commonest()
            by_majority = codes.count(commonest) if commonest is not None else 0
            tally = replace(
                old,
                evaluated=old.evaluated + len(batch),
                right=old.right + int((ranks == 0).sum()),
                in_top=old.in_top + int(((ranks != UNKNOWN) & (ranks < TOP)).sum()),
                majority=old.majority + by_majority,
                new=old.new + int((ranks == UNKNOWN).sum()),
            )
        self.model.partial_fit(found, codes)
        known = len(self.model.numbers)
        self.tally = replace(tally, learned=old.learned + len(batch), codes=known)
        self.curve.add(old, self.tally)
