"""Writes results so that nothing half-written is ever left under the target's name."""

from __future__ import annotations

import gzip
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO, NoReturn, cast

from casegen.schemas import InputError

_ENDINGS = (".jsonl", ".jsonl.gz")
_PART = ".part"
_STDOUT = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


class UnfinishedError(Exception):
    """Raised within ``target`` to end there and keep what was written, to the last line.

    A file gets its name all the same; but where one stands under it already, that stays, and the
    new one is named with ``.part`` before its ending. ``name`` is that of the file that was
    written, empty where it is a stream.
    """

    name = ""


@contextmanager
def target(
    name: str, endings: tuple[str, ...] = _ENDINGS, what: str = "cases are JSON lines"
) -> Iterator[IO[bytes]]:
    """A binary stream to ``name``: ``-`` is standard output, ``.gz`` is compressed.

    A regular file is named .jsonl or .jsonl.gz (or as ``endings`` say, and ``what`` why). It is
    written under a temporary name beside it and renamed at the end; a device or pipe is written
    directly; a symbolic link is resolved first. Raises InputError where the target can't be
    written, or not to its end. Nothing but ``UnfinishedError`` leaves a file that is not whole.
    """
    try:
        if name in _STDOUT:
            if sys.stdout is None:
                _fail(name, "standard output is closed")
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
            return
        mode = _mode(name)
        if mode is None or stat.S_ISREG(mode):
            _check_ending(name, endings, what)
            with _renamed(name, mode, endings) as stream, _compressed(stream, name) as out:
                yield out
        else:
            with _direct(name) as stream, _compressed(stream, name) as out:
                yield out
    except BrokenPipeError:
        raise
    except OSError as error:
        _fail(name, error.strerror or str(error))


def need_other_file(option: str, name: str | None, source: str | None, what: str) -> None:
    """Raise InputError where ``name`` is to be written and is the file that is read; ``what``
    tells of what that file is. ``-`` is none, and neither is a terminal or a pipe."""
    if name is None or source is None:
        return
    with suppress(OSError, ValueError):  # one of them is not there yet, or can't be
        if Path(source).is_file() and Path(source).samefile(name):
            raise InputError(option, name, f"is the file of {what}; name another")


def _mode(name: str) -> int | None:
    """The mode of what stands under the name, None if there is nothing yet."""
    if not name:
        _fail(name, "names no file")
    try:
        mode = Path(name).stat().st_mode
    except FileNotFoundError:
        if name.endswith(("/", os.sep)):
            _fail(name, "names no file")
        folder = Path(os.path.realpath(name)).parent
        if not folder.is_dir():
            _fail(name, f"there is no folder {folder}")
        return None
    if stat.S_ISDIR(mode):
        _fail(name, "is a folder; name a file")
    if not os.access(name, os.W_OK):
        _fail(name, "is write-protected")
    return mode


def _check_ending(name: str, endings: tuple[str, ...], what: str) -> None:
    """Refuse names that promise another format; a descriptor of the shell promises none."""
    if not name.endswith(endings) and not name.startswith(("/dev/", "/proc/")):
        _fail(name, f"{what}: name it {' or '.join(endings)}, or write to - or a pipe")


@contextmanager
def _renamed(name: str, mode: int | None, endings: tuple[str, ...]) -> Iterator[IO[bytes]]:
    """A stream to a temporary file that gets its name only when all is written."""
    path = Path(os.path.realpath(name))
    unfinished: UnfinishedError | None = None
    # A short name of its own: the target's may already be as long as the system allows.
    part = path.with_name(f".casegen-{token_hex(6)}.part")
    try:
        # Within the try: a signal may arrive as soon as the file is there.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(part, flags, 0o666), "wb") as stream:
            try:
                yield stream
            except UnfinishedError as stop:
                unfinished = stop
            stream.flush()
            os.fsync(stream.fileno())
        if unfinished is not None:
            # A name without ending is a descriptor of the shell, which began that file.
            if mode is not None and name.endswith(endings):
                path = _beside(path, endings)
                unfinished.name = str(path)
            else:
                unfinished.name = name
        if mode is not None:
            part.chmod(stat.S_IMODE(mode))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    if unfinished is not None:
        raise unfinished


def _beside(path: Path, endings: tuple[str, ...]) -> Path:
    """The file in the same folder with ``.part`` before its ending."""
    ending = max((one for one in endings if path.name.endswith(one)), key=len, default="")
    return path.with_name(f"{path.name.removesuffix(ending)}{_PART}{ending}")


@contextmanager
def _direct(name: str) -> Iterator[IO[bytes]]:
    """A stream to a device or pipe."""
    with Path(name).open("wb") as stream:
        try:
            yield stream
            stream.flush()
        except UnfinishedError:
            stream.flush()
            raise
        except BaseException:
            # Closing writes what is buffered, which may wait for a reader or fail again.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
            raise


@contextmanager
def _compressed(stream: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    if not name.endswith(".gz"):
        yield stream
        return
    # No name and no time in the header: the same cases give the same bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0, compresslevel=6) as packed:
        yield cast("IO[bytes]", packed)


def _fail(name: str, mend: str) -> NoReturn:
    raise InputError("output", name, mend) from None
