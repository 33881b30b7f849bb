"""The columns that rows of episodes share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casegen.schemas.trajectory import Trajectory

if TYPE_CHECKING:
    from datasets import Features

_TEXTS = ("id", "family", "case_id", "split", "difficulty", "agent")


def head_features(agent: bool = True) -> dict[str, Any]:
    """The features of the columns that name a row."""
    from datasets import Value

    return {name: Value("string") for name in _TEXTS if agent or name != "agent"}


def head(trajectory: Trajectory, identity: str | None = None) -> dict[str, Any]:
    """The columns that name a row of an episode."""
    return {
        "id": identity or trajectory.id,
        "family": trajectory.family,
        "case_id": trajectory.case_id,
        "split": trajectory.split,
        "difficulty": trajectory.difficulty,
        "agent": trajectory.agent,
    }


def messages_feature() -> Any:
    """Messages as a list of JSON objects: no key of one is put into another as null."""
    from datasets import Json, List

    return List(Json())


def texts_feature() -> Any:
    """Messages of roles and text alone."""
    from datasets import List, Value

    return List({"role": Value("string"), "content": Value("string")})


def features_of(*parts: dict[str, Any]) -> Features:
    """Columns as features."""
    from datasets import Features

    return Features({name: kind for part in parts for name, kind in part.items()})
