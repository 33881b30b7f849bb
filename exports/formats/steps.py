"""``steps``: one row a step of an episode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import orjson

from ..model import RowFormat, Unit
from ..recipe import AGENTS

if TYPE_CHECKING:
    from datasets import Features


def features() -> Features:
    """The features. ``observation`` and ``result`` are JSON strings: they hold fractions, which
    a ``Json()`` column does not keep to the last digit."""
    from datasets import Features, Json, Value

    text, flag = Value("string"), Value("bool")
    return Features(
        {
            "episode_id": text,
            "family": text,
            "case_id": text,
            "task_id": text,
            "split": text,
            "difficulty": text,
            "agent": text,
            "step": Value("int32"),
            "observation": text,
            "action": Json(),
            "reward": Value("float64"),
            "terminated": flag,
            "truncated": flag,
            "is_first": flag,
            "is_last": flag,
            "result": text,
            "rationale": text,
            "mistake": text,
        }
    )


def rows(unit: Unit) -> Iterator[dict[str, Any]]:
    """A row for each step of each episode, in order. An episode ends with its last step."""
    for episode in unit.episodes.values():
        last = len(episode.steps) - 1
        for at, step in enumerate(episode.steps):
            yield {
                "episode_id": episode.id,
                "family": episode.family,
                "case_id": episode.case_id,
                "task_id": episode.task_id,
                "split": episode.split,
                "difficulty": episode.difficulty,
                "agent": episode.agent,
                "step": at,
                "observation": orjson.dumps(step.observation).decode(),
                "action": step.action,
                "reward": step.reward,
                "terminated": at == last and episode.terminated,
                "truncated": at == last and episode.truncated,
                "is_first": at == 0,
                "is_last": at == last,
                "result": orjson.dumps(step.result).decode(),
                "rationale": step.rationale,
                "mistake": step.mistake,
            }


FORMAT = RowFormat(
    name="steps",
    about="One row a step of an episode: what the agent saw, did and got.",
    features=features,
    agents=AGENTS,
    rows=rows,
)
