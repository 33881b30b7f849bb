"""Which split a chart belongs to: the splits partition the combinations of problems."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from .model import Problem

_BUCKETS = 20
# Shares of the hash range: 80 % train, 10 % validation, 10 % test.
_RANGES = {"train": (0, 16), "validation": (16, 18), "test": (18, 20)}


def mix_of(origin: str, base: str) -> int:
    """The part of one problem in the hash of its combination; parts are added up, so that
    their order does not matter and one more can be tried without the others."""
    return crc32(f"{origin}:{base}".encode())


def tail_mix(code: str) -> int:
    """The part of a problem of the long tail."""
    return mix_of(f"tail.{code}", code)


def within(mix: int, split: str) -> bool:
    """Whether a combination whose parts add up to ``mix`` belongs to a split."""
    return mix % _BUCKETS in range(*_RANGES[split])


class Goal:
    """A chart of ``wanted`` diagnoses whose combination of problems belongs to ``split``;
    ``problems`` may grow meanwhile."""

    __slots__ = ("_counted", "_mix", "_problems", "_range", "wanted")

    def __init__(self, split: str, wanted: int, problems: Sequence[Problem]) -> None:
        self.wanted = wanted
        self._range = range(*_RANGES[split])
        self._problems = problems
        self._counted = 0
        self._mix = 0

    def _so_far(self) -> int:
        """The hash of the problems that stand; those that have joined since are added."""
        if len(self._problems) > self._counted:
            for problem in self._problems[self._counted :]:
                if problem.status == "active":
                    self._mix += mix_of(problem.origin, problem.base)
            self._counted = len(self._problems)
        return self._mix

    def reached(self) -> bool:
        """Whether the chart as it stands belongs to the split."""
        return self._so_far() % _BUCKETS in self._range

    def takes(self, lines: int, mix: int) -> bool:
        """Whether problems may join that make ``lines`` diagnoses in all and add ``mix`` to
        the hash: the last ones must bring the chart into its split."""
        return lines < self.wanted or (self._so_far() + mix) % _BUCKETS in self._range
