"""Reads files of cases line by line; every complaint names file, line and field."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import orjson

from casegen.schemas import InputError
from casegen.schemas.anycase import AnyCase
from casegen.schemas.serial import case_from

from .doubled import doubled_field

_MANIFEST = "manifest.json"  # what an export ends with
_GZIP = b"\x1f\x8b"
TOO_LARGE = "is too large for the memory"
_CHUNK = 1 << 20
_DOCUMENT = 1 << 22  # how much is read to tell what a file holds that is none of cases


def shown_name(name: str) -> str:
    """What a person calls the input."""
    return "standard input" if name == "-" else name


def lines_of(name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number (from 1) and parsed object of each line; ``-`` is standard input.

    Compressed input is known by its first bytes, not by its name. Raises InputError.
    """
    shown = shown_name(name)
    number = 0
    try:
        with opened(name) as stream:
            for number, raw in enumerate(_raw_lines(stream, shown), 1):
                try:
                    data = _parsed(raw, shown, number)
                except InputError:
                    if number == 1:
                        _told_apart(raw, stream.read(_DOCUMENT), shown)
                    raise
                yield number, data
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError("file", shown, f"damaged gzip after line {number}: {error}") from None
    except OSError as error:
        raise InputError("file", shown, error.strerror or str(error)) from None
    if not number:
        raise InputError("file", shown, "is empty; there is no case to read")


def _raw_lines(stream: IO[bytes], shown: str) -> Iterator[bytes]:
    number = 0
    try:
        for number, raw in enumerate(stream, 1):  # noqa: B007
            yield raw
    except MemoryError:
        raise InputError("line", "", TOO_LARGE, path=shown, line=number + 1) from None


def _parsed(raw: bytes, shown: str, number: int) -> dict[str, Any]:
    if not raw.strip():
        raise InputError("line", "", "is blank; it must hold a case", path=shown, line=number)
    try:
        data = orjson.loads(raw)
    except MemoryError:
        raise InputError("line", "", TOO_LARGE, path=shown, line=number) from None
    except orjson.JSONDecodeError as error:
        text = raw[:40].decode("utf-8", "replace")
        raise InputError("line", text, f"no JSON: {error}", path=shown, line=number) from None
    if not isinstance(data, dict):
        raise InputError("line", data, "must be a JSON object", path=shown, line=number)
    _refuse_claim(data, shown)
    twice = doubled_field(raw, data)
    if twice is not None:
        raise InputError(twice, None, "stands twice in one object", path=shown, line=number)
    return data


def _refuse_claim(data: dict[str, Any], shown: str) -> None:
    if "lines" in data and "claim" not in data:
        raise InputError("file", shown, "is a claim and no file of cases; use casegen check")
    if "case_id" in data and "agent" in data:
        raise InputError(
            "file", shown, "is a file of episodes, of casegen rollout, and none of cases"
        )


def _told_apart(first: bytes, rest: bytes, shown: str) -> None:
    """Raise the InputError that tells what a file holds whose first line is no case: one JSON
    document over several lines. Does nothing where it is something else."""
    if not rest.strip():
        return
    try:
        data = orjson.loads(first + rest)
    except (MemoryError, orjson.JSONDecodeError):
        return
    if isinstance(data, dict):
        _refuse_claim(data, shown)
    told = "is one JSON document over several lines; cases stand as JSON lines, one a line"
    raise InputError("file", shown, told)


def cases_of(name: str) -> Iterator[tuple[int, AnyCase]]:
    """Line number and case of each line. Raises InputError."""
    shown = shown_name(name)
    for number, data in lines_of(name):
        yield number, case_from(data, path=shown, line=number)


def whole(name: str) -> bytes:
    """All that a file (or ``-``) holds. Raises InputError."""
    try:
        with opened(name) as stream:
            return stream.read()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError("file", shown_name(name), f"damaged gzip: {error}") from None
    except OSError as error:
        raise InputError("file", shown_name(name), error.strerror or str(error)) from None
    except MemoryError:
        raise InputError("file", shown_name(name), TOO_LARGE) from None


def count_lines(name: str) -> int | None:
    """How many lines a plain file holds; None of what can't be read twice or is packed."""
    try:
        path = Path(name)
        if name == "-" or not path.is_file():
            return None
        with path.open("rb") as stream:
            count, last = 0, b"\n"
            while chunk := stream.read(_CHUNK):
                if not count and last == b"\n" and chunk.startswith(_GZIP):
                    return None
                count += chunk.count(b"\n")
                last = chunk[-1:]
    except (OSError, ValueError):
        return None
    return count + (last != b"\n")


@contextmanager
def opened(name: str) -> Iterator[IO[bytes]]:
    """A binary stream that unpacks gzip. Standard input stays open."""
    if name == "-":
        if sys.stdin is None:
            raise InputError("file", "-", "standard input is closed")
        yield _unpacked(cast("io.BufferedReader", sys.stdin.buffer))
        return
    if not name or "\0" in name:
        raise InputError("file", name, "names no file")
    if (Path(name) / _MANIFEST).is_file():
        told = f"is the folder of an export; casegen report {name} writes a page about it"
        raise InputError("file", name, told)
    with Path(name).open("rb") as stream:
        yield _unpacked(stream)


def _unpacked(stream: io.BufferedReader) -> IO[bytes]:
    if not hasattr(stream, "peek"):
        stream = io.BufferedReader(stream)
    if stream.peek(2)[:2] == _GZIP:
        return cast("IO[bytes]", gzip.GzipFile(fileobj=stream, mode="rb"))
    return stream
