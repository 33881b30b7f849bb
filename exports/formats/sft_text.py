"""``sft_text``: the rows of ``sft`` for trainers without tools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..columns import features_of, head, head_features, texts_feature
from ..messages import text_messages
from ..model import RowFormat, Unit
from .sft import EXPERT, faultless

if TYPE_CHECKING:
    from datasets import Features


def features() -> Features:
    """The features. Messages have a role (system, user, assistant) and text, and nothing else."""
    from datasets import Value

    return features_of(head_features(), {"messages": texts_feature(), "num_steps": Value("int32")})


def rows(unit: Unit) -> Iterator[dict[str, Any]]:
    """The row of a case whose expert made no fault."""
    episode = faultless(unit)
    if episode is not None:
        yield {
            **head(episode),
            "messages": text_messages(episode),
            "num_steps": len(episode.steps),
        }


FORMAT = RowFormat(
    name="sft_text",
    about="The same episodes for trainers without tools: each act is JSON in the text.",
    features=features,
    agents=(EXPERT,),
    rows=rows,
)
