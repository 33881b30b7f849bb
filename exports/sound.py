"""Whether a manifest tells what its recipe plans: it may come from elsewhere."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any

from casegen.config import DIFFICULTIES
from casegen.env.families import family
from casegen.schemas import InputError

from .manifest import ANEW, Manifest, PieceEntry, Tally
from .plan import pieces
from .recipe import Recipe, recipe_from
from .units import players

_LEEWAY = 1e-9  # what a sum of scores may be above the number of episodes
# Field, value and what would be right.
Flaw = tuple[str, Any, str]


def need_sound(manifest: Manifest, path: Path) -> None:
    """Raise InputError, with the first field that can't be, unless the pieces of a manifest are
    those of its recipe, each with its files, and with scores of as many episodes as it has cases.

    ``path`` is that of the manifest. Of rows and bytes the files themselves tell.
    """
    recipe = recipe_from(manifest.recipe)
    flaw = _flaw_of_all(manifest, recipe)
    for at, entry in enumerate(manifest.pieces):
        if flaw is not None:
            break
        found = flaw_of(entry, recipe)
        flaw = None if found is None else (f"pieces[{at}].{found[0]}", *found[1:])
    if flaw is not None:
        raise InputError(flaw[0], flaw[1], f"{flaw[2]}; {ANEW}", path=str(path))


def _flaw_of_all(manifest: Manifest, recipe: Recipe) -> Flaw | None:
    plan = pieces(recipe)
    if len(manifest.pieces) != len(plan):
        return "pieces", len(manifest.pieces), f"its recipe makes {len(plan)}"
    for at, (entry, piece) in enumerate(zip(manifest.pieces, plan, strict=True)):
        if entry.piece != piece:
            return f"pieces[{at}]", entry.piece.name, "is not the piece that its recipe makes"
    if set(manifest.tables) != set(recipe.families):
        return "tables", ", ".join(manifest.tables), "must be those of the families of its recipe"
    return None


def flaw_of(entry: PieceEntry, recipe: Recipe) -> Flaw | None:
    """What can't be in the entry of a piece of a recipe, None where it is sound."""
    if set(entry.files) != set(recipe.configs):
        return "files", ", ".join(entry.files), f"must be {', '.join(recipe.configs)}"
    for config, file in entry.files.items():
        place = f"files.{config}"
        if file.path != entry.piece.path(config):
            return f"{place}.path", file.path, f"must be {entry.piece.path(config)}"
        for name in ("rows", "bytes", "memory"):
            if getattr(file, name) < 0:
                return f"{place}.{name}", getattr(file, name), "must be 0 or more"
    agents = players(recipe, family(entry.family))
    if set(entry.scores) != set(agents):
        told = f"must be of {', '.join(agents)}" if agents else "there are no episodes"
        return "scores", ", ".join(entry.scores), told
    for agent, tallies in entry.scores.items():
        place = f"scores.{agent}"
        for difficulty, tally in tallies.items():
            flaw = _flaw_of_tally(difficulty, tally)
            if flaw is not None:
                return f"{place}.{difficulty}{flaw[0]}", *flaw[1:]
        episodes = sum(tally.episodes for tally in tallies.values())
        if episodes != entry.hi - entry.lo:
            return place, episodes, f"must be of {entry.hi - entry.lo} episodes, one a case"
    return None


def _flaw_of_tally(difficulty: str, tally: Tally) -> Flaw | None:
    if difficulty not in DIFFICULTIES:
        return "", None, f"no such difficulty; there are {', '.join(DIFFICULTIES)}"
    if tally.episodes < 1:
        return ".episodes", tally.episodes, "must be 1 or more"
    if not (isfinite(tally.score) and 0 <= tally.score <= tally.episodes + _LEEWAY):
        return ".score", tally.score, f"must be from 0 to {tally.episodes}, 1 an episode"
    return None
