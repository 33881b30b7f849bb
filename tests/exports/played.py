"""Episodes that several tests read, each played once."""

from __future__ import annotations

from functools import cache

from casegen.env.packs import pack
from casegen.env.tasks import find_task
from casegen.exports.model import Unit
from casegen.exports.rollout import rollout
from casegen.exports.units import episode_seed
from casegen.schemas.pack import Task
from casegen.schemas.serial import content_hash
from casegen.schemas.trajectory import Trajectory

SEED = 77
WRITTEN = ("expert", "careless", "rules", "noisy")
AGENTS = (*WRITTEN, "random")


@cache
def task(index: int, difficulty: str | None = None, split: str = "train") -> Task:
    return find_task("audit", split=split, seed=SEED, index=index, difficulty=difficulty)


@cache
def tasks(count: int = 120) -> tuple[Task, ...]:
    """Cases of the usual mix, and hard ones."""
    # Other places of the stream: one place is one patient, whatever the difficulty.
    hard = tuple(task(1000 + index, "expert") for index in range(count // 4))
    return tuple(map(task, range(count))) + hard


@cache
def documented() -> tuple[Task, ...]:
    return tuple(pack("audit-seed-v1"))


_kept: dict[tuple[str, str], Trajectory] = {}


def played(one: Task, agent: str) -> Trajectory:
    key = (one.case.id, agent)
    if key not in _kept:
        _kept[key] = rollout(one, agent, episode_seed(one.case.id, agent))
    return _kept[key]


def unit(one: Task) -> Unit:
    return Unit(one, content_hash(one.case), {agent: played(one, agent) for agent in AGENTS})
