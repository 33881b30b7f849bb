"""Packs: named, versioned, hashed sets of tasks with the profile that they are played by.

A pack file is one JSON object, a ``PackFile``: it holds either a recipe, from which the cases
are made when they are asked for, or the cases whole. Both forms of one pack have one hash.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import index as as_int
from typing import Annotated, Any, ClassVar, Literal, Protocol

from annotated_types import Ge, Le

from .anycase import AnyCase, ByFamily
from .case import STRICT, Difficulty, Positive, Split, TablesRef, Text
from .errors import InputError
from .pack import Task
from .pattern import Pattern
from .play import Profile

PackName = Annotated[str, Pattern(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Sha256 = Annotated[str, Pattern(r"^[0-9a-f]{64}$")]
Seed = Annotated[int, Ge(0), Le((1 << 64) - 1)]


@dataclass(frozen=True, slots=True)
class Part:
    """Cases 0 to ``count`` of one generator, all of one difficulty.

    ``clean`` (of audits) is the share of clean cases, ``review`` (of coding) that of cases that a
    person has to look at and ``safe`` (of rx) that of safe prescriptions: none or all. A part has
    those of its family.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    seed: Seed
    difficulty: Difficulty
    clean: Literal[0, 1] | None = field(default=None, kw_only=True)
    review: Literal[0, 1] | None = field(default=None, kw_only=True)
    safe: Literal[0, 1] | None = field(default=None, kw_only=True)
    count: Positive

    def shares(self) -> dict[str, int]:
        """The shares that are told, by name."""
        told = {"clean": self.clean, "review": self.review, "safe": self.safe}
        return {name: share for name, share in told.items() if share is not None}


@dataclass(frozen=True, slots=True)
class Recipe:
    """What the cases of a pack are made from. The parts are mixed: see ``casegen.env.recipes``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    generator: Text
    split: Split
    parts: tuple[Part, ...]


@dataclass(slots=True)
class StoredTask:
    """One task of a pack file that holds its cases whole. Without ``id`` it is ``NAME/i``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    case: Annotated[AnyCase, ByFamily()]
    id: Text | None = None
    own_rules: dict[str, str] = field(default_factory=dict)
    reference_note: str | None = None


@dataclass(slots=True)
class PackFile:
    """A pack as it is stored. ``tables`` and ``sha256`` are written by ``casegen pack build``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    name: PackName
    family: Text
    profile: Profile
    version: Text = "1"
    about: str = ""
    format: Literal["casegen-pack"] = "casegen-pack"
    tables: TablesRef | None = None
    sha256: Sha256 | None = None
    recipe: Recipe | None = None
    cases: list[StoredTask] | None = None


class Tasks(Protocol):
    """The tasks of a pack. They may be made when they are asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> Task: ...

    def index_of(self, task_id: str) -> int | None: ...

    def difficulty_of(self, index: int) -> Difficulty: ...


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack to play. ``source`` is its name or file, for complaints.

    ``sha256`` is the recorded hash of the canonical content (see ``casegen.env.packs``).
    """

    name: str
    version: str
    family: str
    profile: Profile
    about: str
    tables: TablesRef
    sha256: str
    tasks: Tasks
    source: str
    recipe: Recipe | None = None

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[Task]:
        return map(self.task, range(len(self)))

    def task(self, index: int) -> Task:
        """The task of that index. Raises InputError."""
        return self.tasks[self.place(index)]

    def task_by_id(self, task_id: str) -> Task:
        """The task of that id. Raises InputError."""
        index = self.tasks.index_of(task_id) if isinstance(task_id, str) else None
        if index is None:
            told = f"the pack {self.name} has no such task; its first is {self.task(0).id}"
            raise InputError("task_id", task_id, told)
        return self.tasks[index]

    def place(self, index: object) -> int:
        """``index`` as an int, if it is a whole number (NumPy's among them) of a task of the
        pack. Raises InputError."""
        try:
            number = -1 if isinstance(index, bool) else as_int(index)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if not 0 <= number < len(self):
            told = f"a whole number from 0 to {len(self) - 1} in {self.name}"
            raise InputError("index", index, told)
        return number
