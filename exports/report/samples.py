"""The cases that a report shows whole, with what the agents did on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from casegen.config import DIFFICULTIES

from ..manifest import Manifest, PieceEntry
from .read import rows
from .views import view

_PIECES = 4  # files of each split and family that samples are taken from
_HEAD = (
    "id", "family", "split", "difficulty", "setting", "max_steps", "note", "claim_type",
)  # fmt: skip
_EPISODE = ("case_id", "agent", "score", "terminated", "num_steps", "steps")


@dataclass(slots=True)
class Sample:
    """A case, and its episodes by agent."""

    row: dict[str, Any]
    episodes: dict[str, dict[str, Any]] = field(default_factory=dict)


def samples(folder: Path, manifest: Manifest, number: int) -> list[Sample]:
    """Some cases of each family, of all difficulties and splits. Raises InputError."""
    found: list[Sample] = []
    for name in manifest.recipe["families"]:
        own = [one for one in manifest.pieces if one.family == name and "cases" in one.files]
        chosen = _spread(own)
        for at, piece in enumerate(chosen):
            # The first pieces take what does not divide evenly.
            count = number // len(chosen) + (at < number % len(chosen))
            found += _of_piece(folder, piece, count, at)
    order = {level: at for at, level in enumerate(DIFFICULTIES)}
    return sorted(found, key=lambda one: order.get(one.row["difficulty"], len(order)))


def _spread(pieces: list[PieceEntry]) -> list[PieceEntry]:
    """A few pieces of each split, evenly spread."""
    found: list[PieceEntry] = []
    for split in dict.fromkeys(piece.split for piece in pieces):
        own = [piece for piece in pieces if piece.split == split]
        step = max(1, len(own) // _PIECES)
        found += own[::step][:_PIECES]
    return found


def _of_piece(folder: Path, piece: PieceEntry, number: int, turn: int) -> list[Sample]:
    cases = piece.files["cases"]
    levels: dict[str, list[int]] = {}
    for at, row in enumerate(rows(folder, cases, ("difficulty",))):
        levels.setdefault(row["difficulty"], []).append(at)
    wanted = _rounds(levels, number, turn)
    columns = tuple(dict.fromkeys((*_HEAD, *view(piece.family).columns)))
    found = {row["id"]: Sample(dict(row)) for row in rows(folder, cases, columns, wanted)}
    if "trajectories" in piece.files:
        played = piece.files["trajectories"]
        places = [
            at
            for at, row in enumerate(rows(folder, played, ("case_id",)))
            if row["case_id"] in found
        ]
        for row in rows(folder, played, _EPISODE, places):
            episode = {**row, "steps": orjson.loads(row["steps"])}
            found[row["case_id"]].episodes[row["agent"]] = episode
    return list(found.values())


def _rounds(levels: dict[str, list[int]], number: int, turn: int) -> list[int]:
    """Rows of one difficulty after the other, so that each has as many as another."""
    names = [name for name in DIFFICULTIES if name in levels]
    wanted: list[int] = []
    at = turn
    while names and len(wanted) < number:
        name = names[at % len(names)]
        left = [row for row in levels[name] if row not in wanted]
        if left:
            wanted.append(left[0])
            at += 1
        else:
            names.remove(name)
    return wanted
