"""``preference``: of one case and one history, the expert's turn and a worse one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..columns import features_of, head, head_features, messages_feature
from ..messages import messages, tools_of, turn
from ..model import RowFormat, Unit
from ..partings import Parting, partings
from .sft import EXPERT, faultless

if TYPE_CHECKING:
    from datasets import Features

OTHERS = ("noisy", "rules", "random")


def features() -> Features:
    """The features. ``agent`` is that of the rejected turn, ``why_rejected`` what is wrong with
    it; the scores are the best that can be reached after either turn."""
    from datasets import Value

    kind, score = messages_feature(), Value("float64")
    own = {"prompt": kind, "chosen": kind, "rejected": kind, "tools": kind}
    scores = {"score_chosen": score, "score_rejected": score}
    return features_of(head_features(), own, {"why_rejected": Value("string")}, scores)


def rows(unit: Unit) -> Iterator[dict[str, Any]]:
    """A row for each place where another agent's act is surely worse than the expert's."""
    expert = faultless(unit)
    if expert is None:
        return
    seen: set[tuple[int, str]] = set()
    for name in OTHERS:
        other = unit.episodes.get(name)
        if other is None:
            continue
        for one in partings(unit.task, expert, other):
            told = (one.at, repr(one.rejected.action))
            if told not in seen:
                seen.add(told)
                yield _row(unit, one, name)


def _row(unit: Unit, one: Parting, name: str) -> dict[str, Any]:
    expert = unit.episodes[EXPERT]
    return {
        **head(expert, f"{unit.task.case.id}#{EXPERT}>{name}/{one.at}/{one.number}"),
        "agent": name,
        "prompt": messages(expert, one.at),
        "chosen": [turn(expert.family, expert.steps[one.at])],
        "rejected": [turn(expert.family, one.rejected)],
        "tools": tools_of(expert.family),
        "why_rejected": one.why,
        "score_chosen": expert.score,
        "score_rejected": one.score,
    }


FORMAT = RowFormat(
    name="preference",
    about="Pairs of turns after one history: the expert's, and one that is surely worse.",
    features=features,
    agents=(EXPERT, *OTHERS),
    rows=rows,
)
