"""What a row format is: the wall between those who make rows and the one who writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from casegen.schemas.pack import Task
from casegen.schemas.trajectory import Trajectory

if TYPE_CHECKING:
    from datasets import Features


@dataclass(frozen=True, slots=True)
class Unit:
    """One case with the episodes that were played on it, by agent."""

    task: Task
    content_hash: str
    episodes: Mapping[str, Trajectory]


@dataclass(frozen=True, slots=True)
class RowFormat:
    """One configuration of a dataset.

    - ``name``: the configuration; ``about``: a sentence for the card.
    - ``features()``: the explicit features; every configuration has ``family``.
    - ``agents``: whose episodes its rows are made of; none for ``cases`` and ``prompts``.
    - ``rows(unit)``: the rows of one case, as plain dictionaries with exactly the columns of the
      features; a pure function of the unit.
    """

    name: str
    about: str
    features: Callable[[], Features]
    agents: tuple[str, ...]
    rows: Callable[[Unit], Iterator[dict[str, Any]]]
