"""What a family brings so that shared code can play, serve and evaluate it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from casegen.schemas.pack import Task

if TYPE_CHECKING:
    from types import ModuleType

    from rich.console import Console

    from .caseform import Fault
    from .figures import Figures
    from .lessons import Lessons


class Episode(Protocol):
    """One case being played. Plain Python; nothing is shared between two episodes.

    ``start`` gives the first observation; ``step`` takes one act and gives the next. A step
    after the end raises EpisodeOverError, one after ``close`` or before ``start``
    EpisodeClosedError. All observations are new objects that a caller may keep.
    """

    id: str
    task: Task
    done: bool

    def start(self) -> Any: ...

    def step(self, action: Any) -> Any: ...

    @property
    def state(self) -> Any: ...

    def close(self) -> None: ...


class Agent(Protocol):
    """Chooses acts. One agent plays one episode; it is told nothing but observations."""

    def act(self, observation: Any) -> Any: ...


# Makes the agent for one episode. The task is for agents that know the answer (oracle, expert);
# the others must not look at it. The seed is for those that draw.
AgentMaker = Callable[[Task, int], Agent]


@dataclass(frozen=True, slots=True)
class Kinds:
    """What a reset may ask for by ``task``: the ``names`` of kinds of tasks, of which kind a case
    is, and the pack from which one is drawn unless another is named."""

    names: tuple[str, ...]
    of: Callable[[Any], str]
    pack: str


@dataclass(frozen=True, slots=True)
class Family:
    """A family of cases as an environment.

    - ``name``: ``audit``; ``generator``: the id for ``casegen.make`` (``audit-v0``).
    - ``port``: where its server listens unless told otherwise.
    - ``packs``: the packs that ship with it, by name.
    - ``episode(task, episode_id)``: a new episode.
    - ``action(data)``: a typed act from parsed JSON; raises InputError naming the field.
    - ``plain(observation)``: an observation as plain JSON values.
    - ``agents``: makers by name.
    - ``openenv``: the module with its OpenEnv models, environment and client, imported only
      when a server or client is wanted.
    - ``note``: the fields of an observation that hold the note.
    - ``sheet(seen, console)``: prints the first observation of an episode, as plain values.
    - ``spec(case)``: what may be told of a case before it is played, beside difficulty, step
      limit and setting.
    - ``faults(case)``: what does not hold among the fields that only some families have, of a
      case that was made elsewhere; see ``caseform``.
    - ``answer(case)``: the answer as plain values, for functions that reward one without play.
    - ``structure(case)``: its structural key, of a case that was written by hand.
    - ``lessons()``: which acts are right, and what is wrong with others, for exports.
    - ``figures()``: what an evaluation groups and counts.
    - ``shares``: the settings of its generator that each part of a pack's recipe fixes at none or
      all (``clean``).
    - ``columns``: the fields of a case that only some families have, in order: whether an agent
      sees them or they tell the answer. Each is a JSON column of an exported case.
    - ``kinds``: the kinds of tasks that a reset may ask for, None where there is one kind alone.
    """

    name: str
    title: str
    generator: str
    port: int
    packs: tuple[str, ...]
    episode: Callable[[Task, str], Episode]
    action: Callable[[Mapping[str, Any]], Any]
    plain: Callable[[Any], dict[str, Any]]
    agents: Callable[[], Mapping[str, AgentMaker]]
    openenv: Callable[[], ModuleType]
    note: tuple[str, ...]
    sheet: Callable[[Mapping[str, Any], Console], None]
    spec: Callable[[Any], dict[str, Any]]
    faults: Callable[[Any], Iterator[Fault]]
    answer: Callable[[Any], list[dict[str, Any]]]
    structure: Callable[[Any], str]
    figures: Callable[[], Figures]
    lessons: Callable[[], Lessons]
    shares: tuple[str, ...] = ()
    columns: Mapping[str, Literal["seen", "answer"]] = field(default_factory=dict)
    kinds: Kinds | None = None
