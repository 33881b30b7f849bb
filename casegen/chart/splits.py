"""Which split a chart belongs to: the splits partition the combinations of problems."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from .model import Problem
from .options import Option

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


def option_mix(option: Option, side: str) -> int:
    """The part of a curated problem on one side ("" where its code has none)."""
    value = option.value
    return mix_of(option.key, value.codes[side] if value.code is None else value.code)


class Goal:
    """A chart of ``wanted`` diagnoses whose combination of problems belongs to ``split``."""

    __slots__ = ("_count", "_mix", "_problems", "_range", "wanted")

    def __init__(self, split: str, wanted: int, problems: Sequence[Problem]) -> None:
        self.wanted = wanted
        self._range = range(*_RANGES[split])
        self._problems = problems
        self._count = -1
        self._mix = 0

    def _so_far(self) -> int:
        """The hash of the problems that stand; made anew where some have joined."""
        if len(self._problems) != self._count:
            self._count = len(self._problems)
            self._mix = 0
            for problem in self._problems:
                if problem.status == "active":
                    self._mix += mix_of(problem.origin, problem.base)
        return self._mix

    def reached(self) -> bool:
        """Whether the chart as it stands belongs to the split."""
        return self._so_far() % _BUCKETS in self._range

    def takes(self, lines: int, mix: int) -> bool:
        """Whether problems may join that make ``lines`` diagnoses in all and add ``mix`` to
        the hash: the last ones must bring the chart into its split."""
        return lines < self.wanted or (self._so_far() + mix) % _BUCKETS in self._range
