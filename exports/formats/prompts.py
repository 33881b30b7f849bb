"""``prompts``: rows for online training. What recreates the case, and the answer for rewards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casegen.env.families import family
from casegen.schemas.anycase import AnyCase
from casegen.schemas.pack import Task

from ..columns import features_of, head_features, messages_feature
from ..messages import first_messages, tools_of
from ..model import RowFormat, Unit

if TYPE_CHECKING:
    from datasets import Features


def features() -> Features:
    """The features. ``reset`` holds the arguments for ``find_task(family, **reset)`` and for
    ``reset`` of the environment; ``answer`` tells what reward functions need."""
    from datasets import Json, List, Value

    kind = messages_feature()
    own = {"prompt": kind, "tools": kind, "reset": Json(), "answer": List(Json())}
    return features_of(head_features(agent=False), own, {"content_hash": Value("string")})


def reset_of(task: Task) -> dict[str, Any]:
    """The arguments by which the environment makes the case again."""
    case = task.case
    if task.pack is not None:
        return {"task_id": task.id}
    return {"split": case.split, "seed": case.seed, "index": case.index, **case.options}


def answer_of(case: AnyCase) -> list[dict[str, Any]]:
    """The answer of a case, as its family tells it to reward functions."""
    return family(case.family).answer(case)


def rows(unit: Unit) -> Iterator[dict[str, Any]]:
    """The row of the case."""
    task = unit.task
    played = family(task.family)
    episode = played.episode(task, "prompt")
    seen = episode.start()
    episode.close()
    yield {
        "id": task.case.id,
        "family": task.family,
        "case_id": task.case.id,
        "split": task.case.split,
        "difficulty": task.case.difficulty,
        "prompt": first_messages(task.family, seen),
        "tools": tools_of(task.family),
        "reset": reset_of(task),
        "answer": answer_of(task.case),
        "content_hash": unit.content_hash,
    }


FORMAT = RowFormat(
    name="prompts",
    about="Online training: the first prompt, what recreates the case, and the answer.",
    features=features,
    agents=(),
    rows=rows,
)
