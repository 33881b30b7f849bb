"""The case of coding."""

from __future__ import annotations

from typing import cast

from casegen.schemas.coding_case import CodingCase
from casegen.schemas.pack import Task


def case_of(task: Task) -> CodingCase:
    """The case of a task of this family, as what it is: a family plays its own tasks alone."""
    return cast("CodingCase", task.case)
