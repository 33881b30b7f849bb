"""From a recipe to cases with the episodes that were played on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from importlib import import_module

import casegen
from casegen.env.families import family
from casegen.env.family import Family
from casegen.env.tasks import generated_id
from casegen.schemas.pack import Task
from casegen.schemas.serial import content_hash
from casegen.schemas.trajectory import Trajectory

from .formats import row_format
from .model import Unit
from .plan import Piece
from .recipe import Recipe

Rollout = Callable[[Task, str, int], Trajectory]
# Where the function stands that plays an episode; a name, so that it reaches other processes.
ROLLOUT = "casegen.exports.rollout:rollout"


def players(recipe: Recipe, found: Family) -> tuple[str, ...]:
    """The agents of the recipe whose episodes a chosen configuration is made of, of those that
    the family has."""
    wanted = {agent for name in recipe.configs for agent in row_format(name).agents}
    known = found.agents() if wanted else {}
    return tuple(agent for agent in recipe.agents if agent in wanted and agent in known)


def units(recipe: Recipe, piece: Piece, rollout: str = ROLLOUT) -> Iterator[Unit]:
    """The cases of a piece, each made once and played once by each agent that is needed.

    ``rollout`` names the function that plays (``module:function``). Raises InputError.
    """
    found = family(piece.family)
    agents = players(recipe, found)
    play = _named(rollout) if agents else None
    generator = casegen.make(
        found.generator, seed=recipe.seed, split=piece.split, **dict(recipe.options)
    )
    for case in generator.cases(piece.lo, piece.hi - piece.lo):
        task = Task(generated_id(case), found.name, "strict", case)
        episodes = {}
        if play is not None:
            for agent in agents:
                episodes[agent] = play(task, agent, episode_seed(case.id, agent))
        yield Unit(task, content_hash(case), episodes)


def episode_seed(case_id: str, agent: str) -> int:
    """The seed of an agent that draws: another one for each case, and the same each time."""
    drawn = blake2b(f"{case_id}#{agent}".encode(), digest_size=8).digest()
    return int.from_bytes(drawn) >> 1


def _named(name: str) -> Rollout:
    module, _, function = name.partition(":")
    found: Rollout = getattr(import_module(module), function)
    return found
