"""How a family's cases are grouped in an evaluation, and what is counted in its episodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Counts:
    """What an agent named in an episode: how much, how much of it was right, how much there was
    to be named, and how much of that it found."""

    named: float
    right: float
    wanted: int
    found: float


@dataclass(frozen=True, slots=True)
class Figures:
    """What an evaluation tells of a family beside scores.

    - ``group``: by what cases are grouped (``error_type``); ``kinds(case)`` names the groups of
      a case, and ``none`` is that of a case without any (``clean``).
    - ``noun``: what an agent names (``flag``); ``counts(case, metrics)`` counts it by the
      metrics of an episode, which are empty where it could not be played on.
    - ``side``: where an agent could profit from what most cases are like, on which side a case is
      (``safe``): the headline figure is then the mean of the means of both sides.
    """

    group: str
    none: str
    noun: str
    kinds: Callable[[Any], Iterable[str]]
    counts: Callable[[Any, Mapping[str, Any]], Counts]
    side: Callable[[Any], str] | None = None
