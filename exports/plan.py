"""Which cases stand in which shard: a function of the recipe alone."""

from __future__ import annotations

from dataclasses import dataclass

from casegen.config import SPLITS

from .recipe import Recipe, counts

# More worker processes than any machine has use for are a slip of the finger.
MOST_JOBS = 256


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of cases of one family and split, made in one go. Each configuration has one
    file of it: shard ``number`` of the ``of`` shards of the split."""

    family: str
    split: str
    lo: int
    hi: int
    number: int
    of: int

    @property
    def name(self) -> str:
        """``train-00000-of-00004``."""
        return f"{self.split}-{self.number:05}-of-{self.of:05}"

    def path(self, config: str) -> str:
        """Where the rows of a configuration lie, from the folder of the export."""
        return f"data/{config}/{self.name}.parquet"


def pieces(recipe: Recipe) -> list[Piece]:
    """The pieces of an export, split by split. Those of one family and split differ in size by
    one case at most."""
    families = counts(recipe.cases, (1,) * len(recipe.families))
    by_family = {
        name: dict(zip(SPLITS, counts(total, recipe.shares), strict=True))
        for name, total in zip(recipe.families, families, strict=True)
    }
    found = []
    for split in SPLITS:
        ranges = [
            (family, lo, hi)
            for family, split_counts in by_family.items()
            for lo, hi in _ranges(split_counts[split], recipe.shard)
        ]
        found += [
            Piece(family, split, lo, hi, number, len(ranges))
            for number, (family, lo, hi) in enumerate(ranges)
        ]
    return found


def _ranges(count: int, most: int) -> list[tuple[int, int]]:
    number = -(-count // most)
    return [(count * at // number, count * (at + 1) // number) for at in range(number)]
