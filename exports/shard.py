"""Writes the files of one piece: a pure function of recipe and piece, safe to repeat.

Nothing waits for the disk: who resumes compares each file with its hash, so that one of which a
power cut left a part is made again.

One pass over the cases makes the rows of all configurations, so that each case is made and
played once. It takes some cases at a time: the same work on several in a row is done faster. Rows
wait until they fill a row group and no longer, so that memory does not grow. A thread hashes,
compresses and writes them while the next are made.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from hashlib import file_digest, sha256
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from .arrow import Encoder, Shared
from .formats import row_format
from .manifest import FileEntry, PieceEntry, Tally, to_bytes
from .model import RowFormat, Unit
from .plan import Piece
from .recipe import Recipe
from .units import ROLLOUT, units

# Where unfinished files and the entries of finished pieces lie until the export is done.
WORK = ".casegen"
PART = ".part"
# A row group ends with whichever comes first.
GROUP_ROWS = 1000
GROUP_BYTES = 4 << 20
# Lines are hashed so many bytes at a time.
_LOT = 256 << 10
_AT_A_TIME = 8
_MOST_LATER = 2


class Later:
    """A thread that does one thing after another, of all files of a piece. Few of them wait at a
    time, so that they take little memory."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._waiting: deque[Future[Any]] = deque()

    def do(self, what: Callable[..., Any], *given: Any) -> None:
        """Have it done. Raises what went wrong with something before."""
        while len(self._waiting) >= _MOST_LATER:
            self._waiting.popleft().result()
        self._waiting.append(self._thread.submit(what, *given))

    def done(self) -> None:
        """Wait until nothing is left to do. Raises what went wrong with it."""
        while self._waiting:
            self._waiting.popleft().result()

    def give_up(self) -> None:
        """Wait until nothing is left to do, whatever went wrong with it."""
        wait(self._waiting)
        self._waiting.clear()

    def __enter__(self) -> Later:
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown()


class RowFile:
    """A Parquet file that is being written."""

    def __init__(
        self,
        form: RowFormat,
        schema: pa.Schema,
        part: Path,
        stream: BinaryIO,
        later: Later,
        shared: Shared,
    ) -> None:
        self.form = form
        self.part = part
        self.rows = 0
        self.memory = 0
        self._encoder = Encoder(form.name, schema, shared)
        self._lines: list[bytes] = []
        self._lot = 0  # bytes of these lines
        self._group = 0  # bytes of the lines of the row group
        self._hash = sha256()
        self._stream = stream
        self._later = later
        self._writer = pq.ParquetWriter(
            self._stream, self._encoder.schema, compression="zstd", write_page_index=True
        )

    def add(self, unit: Unit) -> None:
        """Write the rows of one case."""
        for row in self.form.rows(unit):
            line = self._encoder.add(row)
            self._lines.append(line)
            self._lot += len(line)
            self._group += len(line)
            if self._lot >= _LOT:
                self._hash_lot()
            if self._group >= GROUP_BYTES or len(self._encoder) >= GROUP_ROWS:
                self._flush()

    def _hash_lot(self) -> None:
        self._later.do(self._hash.update, b"".join(self._lines))
        self._lines, self._lot = [], 0

    def _flush(self) -> None:
        table = self._encoder.table()
        self._group = 0
        self.memory += table.nbytes
        self.rows += table.num_rows
        self._later.do(self._writer.write_table, table)

    def finish(self, path: str) -> FileEntry:
        """Write what waits, and the end; the entry of the file, which is to lie at ``path``."""
        if self._lines:
            self._hash_lot()
        if len(self._encoder):
            self._flush()
        self._later.done()
        self._writer.close()
        self._stream.close()
        size, digest = measured(self.part)
        return FileEntry(path, self.rows, size, self.memory, digest, self._hash.hexdigest())

    def give_up(self) -> None:
        """Let go of what is unfinished, so that nobody tries again to write it."""
        try:
            self._later.give_up()
            self._writer.close()
        except (OSError, ValueError, pa.ArrowException):
            pass  # what could not be written before can't be now


def write_piece(
    recipe: Recipe,
    piece: Piece,
    folder: Path,
    schemas: Mapping[str, pa.Schema],
    rollout: str = ROLLOUT,
    told: Callable[[int], None] = lambda _: None,
) -> PieceEntry:
    """Write the files of a piece and then its entry, each under a temporary name first.

    ``schemas`` by configuration; ``told`` hears of each case that is done. Raises CasegenError,
    OSError.
    """
    work = folder / WORK
    scores: dict[str, dict[str, Tally]] = {}
    with ExitStack() as stack:
        later, shared = stack.enter_context(Later()), Shared()
        files = {
            name: stack.enter_context(_row_file(name, schemas[name], work, later, shared))
            for name in recipe.configs
        }
        restricted = {name: row_format(name).agents for name in recipe.configs}
        played = units(recipe, piece, rollout)
        while some := list(islice(played, _AT_A_TIME)):
            for unit in some:
                _count(scores, unit)
            for name, file in files.items():
                for unit in some:
                    file.add(_for(unit, restricted[name]))
            shared.forget()
            told(len(some))
        entry = PieceEntry(
            piece.family,
            piece.split,
            piece.lo,
            piece.hi,
            piece.number,
            piece.of,
            {name: file.finish(piece.path(name)) for name, file in files.items()},
            scores,
        )
        for name, file in files.items():
            path = folder / piece.path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            file.part.replace(path)
    write_whole(work / f"{piece.name}.json", to_bytes(entry), work)
    return entry


@contextmanager
def _row_file(
    config: str, schema: pa.Schema, work: Path, later: Later, shared: Shared
) -> Iterator[RowFile]:
    part = work / f"{token_hex(6)}{PART}"
    try:
        with part.open("xb") as stream:
            file = RowFile(row_format(config), schema, part, stream, later, shared)
            try:
                yield file
            finally:
                file.give_up()
    finally:
        part.unlink(missing_ok=True)


def _for(unit: Unit, agents: tuple[str, ...]) -> Unit:
    """The case with the episodes of these agents alone, so that the rows of a configuration do
    not hang on which others are written."""
    episodes = {name: unit.episodes[name] for name in agents if name in unit.episodes}
    return Unit(unit.task, unit.content_hash, episodes)


def _count(scores: dict[str, dict[str, Tally]], unit: Unit) -> None:
    for agent, episode in unit.episodes.items():
        own = scores.setdefault(agent, {})
        tally = own.setdefault(episode.difficulty, Tally(0, 0.0))
        tally.episodes += 1
        tally.score += episode.score


def measured(path: Path) -> tuple[int, str]:
    """Size and SHA-256 of a file."""
    with path.open("rb") as stream:
        digest = file_digest(stream, "sha256").hexdigest()
        return stream.tell(), digest


def flaw_of(folder: Path, file: FileEntry, *, whole: bool = True) -> str | None:
    """What is wrong with a file of an export, None where it is there and as it was written.

    With ``whole`` false only its number of rows is looked at, which takes no time. Raises
    OSError.
    """
    path = folder / file.path
    if not path.is_file():
        return "is missing"
    if whole and measured(path) != (file.bytes, file.sha256):
        return "is damaged"
    try:
        rows = pq.read_metadata(path).num_rows
    except pa.ArrowException:
        return "is damaged"
    if rows != file.rows:
        return f"holds {rows} rows, and the manifest tells of {file.rows}"
    return None


def intact(folder: Path, file: FileEntry) -> bool:
    """Whether a file of an export is there and as it was written."""
    return flaw_of(folder, file) is None


def write_whole(path: Path, data: bytes, work: Path) -> None:
    """Write a small file under a temporary name in ``work``, then rename it."""
    part = work / f"{token_hex(6)}{PART}"
    try:
        with part.open("xb") as stream:
            stream.write(data)
        path.parent.mkdir(parents=True, exist_ok=True)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
