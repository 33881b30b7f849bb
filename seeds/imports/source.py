"""Opens the files that a user gives: plain, packed with gzip, or in a zip archive."""

from __future__ import annotations

import gzip
import io
import lzma
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, cast

from casegen.schemas import InputError

from .model import SourceFile

_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_CHUNK = 1 << 20
_MOST_MEMBERS = 100  # files of an archive that are read
MOST_WHOLE = 64_000_000  # bytes, unpacked, of a file that is read whole; a list has 10 million
MOST_LINES = 2_000_000_000  # bytes, unpacked, of a file that is read line by line
_MOST_LINE = 100_000  # characters; what follows counts as the next line
# What damaged archives raise while they are read. RuntimeError: a password, or (as
# NotImplementedError) a method or version that Python doesn't know.
_DAMAGE = (
    zipfile.BadZipFile, gzip.BadGzipFile, EOFError, zlib.error, lzma.LZMAError, RuntimeError,
    struct.error,
)  # fmt: skip
_EXCEL = "xl/workbook.xml"  # stands in every .xlsx, which is a zip archive itself


@dataclass(frozen=True, slots=True)
class Member:
    """One readable file: ``path`` as given, ``inside`` its name in an archive ("" for none)."""

    path: str
    inside: str

    @property
    def shown(self) -> str:
        """How errors and refusals call it."""
        return f"{self.path}:{self.inside}" if self.inside else self.path

    @property
    def name(self) -> str:
        """The file's own name, without folders."""
        return (self.inside or self.path).replace("\\", "/").rpartition("/")[2]


def sources_of(paths: Sequence[str]) -> tuple[SourceFile, ...]:
    """Name and SHA-256 of each file as given. Raises InputError."""
    found = []
    for path in paths:
        total = sha256()
        with _readable(path) as stream:
            while chunk := stream.read(_CHUNK):
                total.update(chunk)
        found.append(SourceFile(Path(path).name, total.hexdigest()))
    return tuple(found)


@contextmanager
def _readable(path: str) -> Iterator[IO[bytes]]:
    """The file, if it can be read again and again: a pipe would lose what was read once, and a
    device never ends. Raises InputError."""
    try:
        mode = Path(path).stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise InputError(
                "file", path, "is a pipe or a device, which can be read only once: save what it "
                "gives to a file first"
            )  # fmt: skip
        with Path(path).open("rb") as stream:
            yield stream
    except OSError as error:
        raise InputError("file", path, error.strerror or str(error)) from None
    except ValueError:
        raise InputError("file", path, "names no file") from None


def members(paths: Sequence[str], endings: Sequence[str]) -> list[Member]:
    """The files to read: those given, and of archives what ends in ``endings``.

    Raises InputError for what can't be read, for workbooks, for archives without such a file,
    and for a file that is given twice. They come by their names, so that of lines that
    contradict each other the same one is taken in whatever order the files are given.
    """
    found: list[Member] = []
    for path in paths:
        if path in {member.path for member in found}:
            raise InputError("file", path, "is given twice")
        head = _head(path)
        if head.startswith(_ZIP):
            found += _inside(path, endings)
        elif head.startswith(b"\xd0\xcf\x11\xe0"):
            raise InputError("file", path, _workbook(endings))
        elif not head:
            raise InputError("file", path, "is empty")
        else:
            found.append(Member(path, ""))
    return sorted(found, key=lambda member: (member.name, member.path, member.inside))


def _workbook(endings: Sequence[str]) -> str:
    return f"is a workbook of Excel, which isn't read; {_saved(endings)}"


def _saved(endings: Sequence[str]) -> str:
    """How to come from a workbook to a file that is read."""
    if ".xml" in endings:
        return "give the .xml file"
    form = "CSV (comma delimited)" if ".csv" in endings else "Text (tab delimited)"
    told = f"give the published {' or '.join(endings)} file"
    return f"{told}, or save the sheet in the spreadsheet program as {form}"


def _head(path: str) -> bytes:
    with _readable(path) as stream:
        return stream.read(4)


def _inside(path: str, endings: Sequence[str]) -> list[Member]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [one.filename for one in archive.infolist() if not one.is_dir()]
    except (*_DAMAGE, OSError, ValueError, LookupError) as error:
        raise InputError("file", path, f"damaged zip archive: {error}") from None
    if _EXCEL in names:
        raise InputError("file", path, _workbook(endings))
    fit = [n for n in names if n.lower().endswith(tuple(endings)) and "__MACOSX" not in n]
    if not fit:
        excel = any(name.lower().endswith((".xlsx", ".xls")) for name in names)
        told = f"holds no {' or '.join(endings)} file"
        if excel:
            told = f"holds only workbooks of Excel, which aren't read; {_saved(endings)}"
        raise InputError("file", path, told)
    twice = [name for name, count in Counter(fit).items() if count > 1]
    if twice:
        raise InputError("file", path, f"holds two files of the name {twice[0]}")
    if len(fit) > _MOST_MEMBERS:
        raise InputError("file", path, f"holds {len(fit)} files; {_MOST_MEMBERS} are the most")
    return [Member(path, name) for name in sorted(fit)]


class _Bounded(io.RawIOBase):
    """A stream that complains once it has given more than ``most`` bytes: a small archive can
    unpack to more than any disk holds."""

    def __init__(self, stream: IO[bytes], most: int, shown: str) -> None:
        super().__init__()
        self._stream = stream
        self._most = self._left = most
        self._shown = shown

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self._stream.read(len(buffer))
        self._left -= len(found)
        if self._left < 0:
            told = f"holds more than {self._most:,} bytes when unpacked, far more than such tables"
            raise InputError("file", self._shown, told)
        buffer[: len(found)] = found
        return len(found)


@contextmanager
def opened(member: Member, most: int = MOST_WHOLE) -> Iterator[IO[bytes]]:
    """A binary stream of what the file holds, unpacked. Raises InputError, also for damage that
    only shows while it is read and for more than ``most`` bytes."""
    try:
        with _unpacked(member) as inner:
            yield io.BufferedReader(_Bounded(inner, most, member.shown), _CHUNK)
    except _DAMAGE as error:
        raise InputError("file", member.shown, f"damaged or locked: {error}") from None
    except OSError as error:
        raise InputError("file", member.shown, error.strerror or str(error)) from None
    except MemoryError:
        raise InputError("file", member.shown, "is too large for the memory") from None


@contextmanager
def _unpacked(member: Member) -> Iterator[IO[bytes]]:
    if not member.inside:
        with Path(member.path).open("rb") as stream:
            packed = stream.peek(2)[:2] == _GZIP
            yield cast("IO[bytes]", gzip.GzipFile(fileobj=stream)) if packed else stream
        return
    with zipfile.ZipFile(member.path) as archive:
        try:
            inner = archive.open(member.inside)
        except (ValueError, LookupError) as error:
            # Of names that don't decode, or differ between the archive and its directory.
            raise zipfile.BadZipFile(str(error)) from None
        with inner:
            yield inner


def whole(member: Member) -> bytes:
    """All that the file holds. Raises InputError."""
    with opened(member) as stream:
        return stream.read()


def text_of(member: Member) -> str:
    """All of it as text: UTF-8, else Windows-1252 as CMS writes it. Raises InputError."""
    raw = whole(member)
    if b"\0" in raw[:4096]:
        raise InputError("file", member.shown, "is no plain text (save it as UTF-8)")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


@contextmanager
def lines(member: Member) -> Iterator[Iterator[str]]:
    """The lines of a large text, read as Latin-1: only ASCII matters in them."""
    with (
        opened(member, MOST_LINES) as stream,
        io.TextIOWrapper(stream, encoding="latin-1", newline="") as text,
    ):
        yield iter(partial(text.readline, _MOST_LINE), "")
