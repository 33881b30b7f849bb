"""Tasks of a recipe, made when they are asked for."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from hashlib import blake2b

from casegen.schemas import InputError
from casegen.schemas.case import Difficulty
from casegen.schemas.pack import Task
from casegen.schemas.packs import PackFile, Part, Recipe

from .generators import generator_of

_KEPT = 32


class RecipeTasks:
    """The tasks of a pack that holds a recipe. Any of them costs one case.

    They are played in the order of a keyed hash of (pack, part, position), so that the index
    of a task tells neither its difficulty nor whether it is clean.
    """

    def __init__(self, file: PackFile, recipe: Recipe) -> None:
        self._file = file
        self._recipe = recipe
        self._count = sum(part.count for part in recipe.parts)
        self._kept = lru_cache(maxsize=_KEPT)(self._made)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> Task:
        if not 0 <= index < self._count:
            raise IndexError(index)
        return self._kept(index)

    def index_of(self, task_id: str) -> int | None:
        """The index that an id of the form ``NAME/i`` names, None if it names none."""
        return numbered(self._file.name, task_id, self._count)

    def difficulty_of(self, index: int) -> Difficulty:
        """The difficulty of a task, without making its case."""
        return self._part(index)[0].difficulty

    def _part(self, index: int) -> tuple[Part, int]:
        part, position = self._order[index]
        return self._recipe.parts[part], position

    def _made(self, index: int) -> Task:
        file = self._file
        part, position = self._part(index)
        generator = generator_of(
            self._recipe.generator,
            self._recipe.split,
            part.seed,
            part.difficulty,
            **{name: float(share) for name, share in part.shares().items()},
        )
        case = generator[position]
        if file.tables is not None and case.tables != file.tables:
            told = f"the pack was made with other tables than these ({case.tables.digest})"
            raise InputError("tables.digest", file.tables.digest, told, path=file.name)
        return Task(f"{file.name}/{index}", file.family, file.profile, case, file.name)

    @cached_property
    def _order(self) -> list[tuple[int, int]]:
        key = self._file.name.encode()
        places = [
            (number, position)
            for number, part in enumerate(self._recipe.parts)
            for position in range(part.count)
        ]

        def by_hash(place: tuple[int, int]) -> bytes:
            return blake2b("{}/{}".format(*place).encode(), key=key, digest_size=16).digest()

        return sorted(places, key=by_hash)


def numbered(name: str, task_id: str, count: int) -> int | None:
    """The index in ``NAME/i``, None where it is no task of such a pack."""
    match = re.fullmatch(rf"{re.escape(name)}/(0|[1-9][0-9]{{0,8}})", task_id)
    index = -1 if match is None else int(match[1])
    return index if 0 <= index < count else None
