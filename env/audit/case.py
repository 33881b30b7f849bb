"""The case of an audit."""

from __future__ import annotations

from typing import cast

from casegen.schemas import Case
from casegen.schemas.pack import Task


def case_of(task: Task) -> Case:
    """The case of a task of this family, as what it is: a family plays its own tasks alone."""
    return cast("Case", task.case)
