"""Tasks of a pack that holds its cases whole."""

from __future__ import annotations

from collections.abc import Sequence

from casegen.schemas.case import Difficulty
from casegen.schemas.pack import Task


class StoredTasks:
    """Tasks that are all at hand, found by index and by id."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = tuple(tasks)
        self._places = {task.id: index for index, task in enumerate(self._tasks)}

    def __len__(self) -> int:
        return len(self._tasks)

    def __getitem__(self, index: int) -> Task:
        return self._tasks[index]

    def index_of(self, task_id: str) -> int | None:
        """The index of the task of that id, None if there is none."""
        return self._places.get(task_id)

    def difficulty_of(self, index: int) -> Difficulty:
        """The difficulty of a task."""
        return self._tasks[index].case.difficulty
