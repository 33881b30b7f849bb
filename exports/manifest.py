"""What an export wrote, as ``manifest.json`` tells it.

The SHA-256 of rows is that of one line of JSON a row: columns and keys in the order in which
they are stored, UTF-8, no white space, each line ended by a newline. Parsed JSON columns stand
in it as what they hold, JSON strings as strings.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import orjson

from casegen import __version__
from casegen.config import SPLITS
from casegen.schemas import InputError, TablesRef
from casegen.schemas.case import STRICT
from casegen.schemas.pattern import Pattern

from .plan import Piece
from .recipe import recipe_from

if TYPE_CHECKING:
    from pydantic import TypeAdapter

NAME = "manifest.json"
FORMAT = "casegen-export-v0"
# A manifest may come from elsewhere; it names no file outside of its export.
FilePath = Annotated[str, Pattern(r"^data/[a-z_]+/[a-z]+-\d{5,}-of-\d{5,}\.parquet$")]
# How to go on where a manifest can't be read.
ANEW = "casegen export --overwrite makes the export anew"
ROW_HASH = (
    "SHA-256 of one line of JSON a row: columns and keys in the order in which they are stored, "
    "UTF-8, no white space, each line ended by a newline"
)


@dataclass(slots=True)
class FileEntry:
    """One file: its rows, size in bytes, size of its rows in memory (as Arrow holds them), the
    hash of its bytes and that of its rows."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    path: FilePath
    rows: int
    bytes: int
    memory: int
    sha256: str
    rows_sha256: str


@dataclass(slots=True)
class Tally:
    """Episodes of one agent and difficulty, and the sum of their scores."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    episodes: int
    score: float


@dataclass(slots=True)
class PieceEntry:
    """What was written of one piece. ``files`` by configuration, ``scores`` by agent and
    difficulty."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    family: str
    split: str
    lo: int
    hi: int
    number: int
    of: int
    files: dict[str, FileEntry]
    scores: dict[str, dict[str, Tally]]

    @property
    def piece(self) -> Piece:
        return Piece(self.family, self.split, self.lo, self.hi, self.number, self.of)


@dataclass(slots=True)
class Manifest:
    """The whole of an export. ``tables`` by family."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    recipe: dict[str, Any]
    tables: dict[str, TablesRef]
    pieces: list[PieceEntry] = field(default_factory=list)
    casegen: str = __version__
    row_hash: str = ROW_HASH
    format: Literal["casegen-export-v0"] = "casegen-export-v0"

    def files(self) -> Iterable[FileEntry]:
        """All files of rows, those of a piece by configuration, as a resumed export has them."""
        for entry in self.pieces:
            for name in sorted(entry.files):
                yield entry.files[name]

    def totals(self) -> dict[str, dict[str, Total]]:
        """What there is, by configuration and split; a split without cases is left out."""
        found: dict[str, dict[str, Total]] = {name: {} for name in self.recipe["configs"]}
        for split in SPLITS:
            for entry in self.pieces:
                if entry.split != split:
                    continue
                for config, file in entry.files.items():
                    total = found[config].setdefault(split, Total())
                    total.rows += file.rows
                    total.bytes += file.bytes
                    total.memory += file.memory
                    total.shards += 1
        return found

    def scores(self, family: str | None = None) -> dict[str, dict[str, Tally]]:
        """Episodes and mean score by agent, for each difficulty and ``all``; those of one family,
        or of all together."""
        parts: dict[str, dict[str, list[Tally]]] = {}
        for entry in self.pieces:
            if family not in (None, entry.family):
                continue
            for agent, tallies in entry.scores.items():
                own = parts.setdefault(agent, {})
                for difficulty, tally in tallies.items():
                    own.setdefault(difficulty, []).append(tally)
                    own.setdefault("all", []).append(tally)
        return {
            agent: {name: _mean(tallies) for name, tallies in own.items()}
            for agent, own in parts.items()
        }


@dataclass(slots=True)
class Total:
    """Rows, shards, bytes on disk and bytes in memory of a split of a configuration."""

    rows: int = 0
    shards: int = 0
    bytes: int = 0
    memory: int = 0


def _mean(tallies: list[Tally]) -> Tally:
    episodes = sum(tally.episodes for tally in tallies)
    return Tally(episodes, fsum(tally.score for tally in tallies) / episodes)


def to_bytes(data: Any) -> bytes:
    """A manifest, or an entry of one, as the JSON that a file holds."""
    return orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def read_manifest(path: Path) -> Manifest:
    """The manifest in a file. Raises InputError."""
    found: Manifest = _read(path, _adapters()[0])
    try:
        found.recipe = recipe_from(found.recipe).plain()
    except InputError as error:
        told = f"{error.mend}; {ANEW}"
        raise InputError(f"recipe.{error.field}", error.value, told, path=str(path)) from None
    return found


def read_entry(path: Path) -> PieceEntry:
    """The entry of one piece in a file. Raises InputError."""
    found: PieceEntry = _read(path, _adapters()[1])
    return found


@lru_cache(maxsize=1)
def _adapters() -> tuple[TypeAdapter[Manifest], TypeAdapter[PieceEntry]]:
    from pydantic import TypeAdapter

    return TypeAdapter(Manifest), TypeAdapter(PieceEntry)


def _read(path: Path, adapter: TypeAdapter[Any]) -> Any:
    from pydantic import ValidationError

    from casegen.schemas.serial import field_name

    try:
        if path.exists() and not path.is_file():  # reading a pipe would wait for ever
            told = f"is {'a folder' if path.is_dir() else 'no file'}; move it away, and {ANEW}"
            raise InputError("manifest", None, told, path=str(path))
        return adapter.validate_json(path.read_bytes())
    except FileNotFoundError:
        raise InputError("DIR", str(path.parent), f"holds no {path.name}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = field_name(first["loc"]) or "manifest"
        if place == "format":
            told = f"written by another version of casegen; this one reads {FORMAT} alone"
            raise InputError(place, first.get("input"), told, path=str(path)) from None
        told = f"{first['msg'].lower()}; {ANEW}"
        raise InputError(place, first.get("input"), told, path=str(path)) from None
