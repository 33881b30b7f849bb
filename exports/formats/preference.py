"""``preference``: of one case and one history, a sound turn and one that is surely worse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casegen.env.families import family
from casegen.schemas.trajectory import Trajectory

from ..columns import features_of, head, head_features, messages_feature
from ..messages import messages, tools_of, turn, turn_of
from ..model import RowFormat, Unit
from ..partings import Parting, partings
from .sft import EXPERT, faultless

if TYPE_CHECKING:
    from datasets import Features


def features() -> Features:
    """The features. ``agent`` is that of the rejected turn, ``why_rejected`` the kind of its
    mistake and what is wrong with it, ``why_chosen`` what is right with the other; the scores are
    the best that can be reached after either turn."""
    from datasets import Value

    kind, score = messages_feature(), Value("float64")
    own = {"prompt": kind, "chosen": kind, "rejected": kind, "tools": kind}
    scores = {"score_chosen": score, "score_rejected": score}
    told = {"why_chosen": Value("string"), "why_rejected": Value("string")}
    return features_of(head_features(), own, told, scores)


def rows(unit: Unit) -> Iterator[dict[str, Any]]:
    """A row for each mistake that is surely worse than what its guide does there. Those who follow
    speak like those who are followed, so that no voice is the better one."""
    for name, followed in family(unit.task.family).lessons().follows:
        other, guide = unit.episodes.get(name), unit.episodes.get(followed)
        if followed == EXPERT:
            guide = faultless(unit)
        if other is not None and guide is not None:
            seen: set[tuple[int, str]] = set()
            for one in partings(unit.task, guide, other):
                told = (one.at, repr(one.rejected.action))
                if told not in seen:
                    seen.add(told)
                    yield _row(unit, guide, one, name)


def _row(unit: Unit, guide: Trajectory, one: Parting, name: str) -> dict[str, Any]:
    identity = f"{unit.task.case.id}#{guide.agent}>{name}/{one.at}/{one.number}"
    return {
        **head(guide, identity),
        "agent": name,
        "prompt": messages(guide, one.at),
        "chosen": [turn_of(guide, one.at)],
        "rejected": [turn(guide.family, one.rejected)],
        "tools": tools_of(guide.family),
        "why_chosen": one.merit,
        "why_rejected": one.why,
        "score_chosen": 1.0,
        "score_rejected": one.score,
    }


FORMAT = RowFormat(
    name="preference",
    about="Pairs of turns after one history: a sound one, and one that is surely worse.",
    features=features,
    agents=(EXPERT, "careless", "noisy", "rules"),
    rows=rows,
)
