"""``sft``: episodes without a fault as messages with tool calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casegen.schemas.trajectory import Trajectory

from ..columns import features_of, head, head_features, messages_feature
from ..messages import messages, tools_of
from ..model import RowFormat, Unit

if TYPE_CHECKING:
    from datasets import Features

EXPERT = "expert"


def features() -> Features:
    """The features. ``messages`` and ``tools`` are lists of JSON objects, as TRL takes them."""
    from datasets import Value

    own = {"messages": messages_feature(), "tools": messages_feature()}
    return features_of(head_features(), own, {"num_steps": Value("int32")})


def faultless(unit: Unit) -> Trajectory | None:
    """The expert's episode, if it scored 1, was handed in, and gave a reason for each act.
    Others are left out."""
    episode = unit.episodes.get(EXPERT)
    if episode is None or episode.score != 1.0 or not episode.terminated:
        return None
    return episode if all(step.rationale for step in episode.steps) else None


def rows(unit: Unit) -> Iterator[dict[str, Any]]:
    """The row of a case whose expert made no fault."""
    episode = faultless(unit)
    if episode is not None:
        yield {
            **head(episode),
            "messages": messages(episode),
            "tools": tools_of(episode.family),
            "num_steps": len(episode.steps),
        }


FORMAT = RowFormat(
    name="sft",
    about="Fine-tuning: episodes that investigate, reason and score 1, with tool calls.",
    features=features,
    agents=(EXPERT,),
    rows=rows,
)
