"""Pieces made by worker processes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor
from concurrent.futures import wait as await_some
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import wait
from pathlib import Path

import pyarrow as pa

from casegen.schemas import CasegenError

from .manifest import PieceEntry
from .plan import Piece
from .recipe import Recipe
from .shard import PART, WORK, write_piece

_RARELY = 100_000  # objects made before the next search for cycles
_AHEAD = 2  # pieces that wait or are made, as a multiple of the workers
_ENDED = "a worker ended before its time (out of memory?); --resume goes on with what is whole"


@dataclass(frozen=True, slots=True)
class _Failed:
    """An error of ours on its way between processes; its class may not survive the journey."""

    told: str


def in_processes(
    recipe: Recipe,
    missing: list[Piece],
    folder: Path,
    schemas: Mapping[str, pa.Schema],
    rollout: str,
    jobs: int,
) -> Iterator[PieceEntry]:
    """The entries of the pieces, as they are done. Raises CasegenError, OSError."""
    before = {child.pid for child in multiprocessing.active_children()}
    # Not fork: threads of Arrow would be missing in the child.
    context = multiprocessing.get_context("spawn")
    done = False
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin)
    try:
        left = iter(missing)
        waiting: set[Future[PieceEntry | _Failed]] = set()
        while True:
            # A few ahead, so that no worker waits; all of a large export would fill the memory.
            for piece in islice(left, _AHEAD * jobs - len(waiting)):
                waiting.add(pool.submit(_made, recipe, piece, folder, schemas, rollout))
            if not waiting:
                break
            ready, waiting = await_some(waiting, return_when=FIRST_COMPLETED)
            for future in ready:
                made = future.result()
                if isinstance(made, _Failed):
                    raise CasegenError(made.told)
                yield made
        done = True
    except BrokenProcessPool:
        raise CasegenError(_ENDED) from None
    finally:
        if not done:
            # Nobody waits for pieces that nobody wants.
            ours = [one for one in multiprocessing.active_children() if one.pid not in before]
            for child in ours:
                child.kill()
            for child in ours:
                child.join()
            for part in (folder / WORK).glob(f"*{PART}"):
                part.unlink(missing_ok=True)
        pool.shutdown(wait=True, cancel_futures=True)


def _made(
    recipe: Recipe, piece: Piece, folder: Path, schemas: Mapping[str, pa.Schema], rollout: str
) -> PieceEntry | _Failed:
    try:
        return write_piece(recipe, piece, folder, schemas, rollout)
    except CasegenError as error:
        return _Failed(str(error))


def _begin() -> None:
    """Begin a worker: it makes many objects that stay and hardly a cycle, leaves Ctrl-C to its
    parent, and ends when that is gone, however it went."""
    gc.set_threshold(_RARELY)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
