"""``trajectories``: one row an episode, with all its steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import orjson

from ..model import RowFormat, Unit
from ..recipe import AGENTS

if TYPE_CHECKING:
    from datasets import Features

_SAME = (
    "id", "family", "task_id", "case_id", "content_hash", "split", "difficulty", "profile",
    "pack", "agent", "seed", "score", "total_reward", "terminated", "truncated",
)  # fmt: skip


def features() -> Features:
    """The features. ``steps`` and ``metrics`` are JSON strings: they hold fractions, which a
    ``Json()`` column does not keep to the last digit."""
    from datasets import Features, Value

    text = Value("string")
    kinds = {
        "seed": Value("uint64"),
        "score": Value("float64"),
        "total_reward": Value("float64"),
        "terminated": Value("bool"),
        "truncated": Value("bool"),
    }
    return Features(
        {
            **{name: kinds.get(name, text) for name in _SAME},
            "num_steps": Value("int32"),
            "metrics": text,
            "steps": text,
        }
    )


def rows(unit: Unit) -> Iterator[dict[str, Any]]:
    """A row for each episode that was played."""
    for episode in unit.episodes.values():
        row = {name: getattr(episode, name) for name in _SAME}
        row["num_steps"] = len(episode.steps)
        row["metrics"] = orjson.dumps(episode.metrics).decode()
        row["steps"] = orjson.dumps(episode.steps).decode()
        yield row


FORMAT = RowFormat(
    name="trajectories",
    about="One row an episode of one agent, with its steps, score and metrics.",
    features=features,
    agents=AGENTS,
    rows=rows,
)
