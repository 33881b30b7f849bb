"""Keeps the sets: one folder a name, committed by its manifest.

An import writes its files under names that hold a digest of their content, and only then the
new manifest, by renaming. Until then the old manifest and the files that it names are
untouched; what an interrupted import leaves is named nowhere and goes with the next one.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from casegen.schemas import InputError, TableError

from . import checksums
from .model import FILE, Manifest, Part, Stored, Taken, manifest_from

MANIFEST = "manifest.json"
# Names under which cases cite the bundled tables.
RESERVED = ("bundled", "icd10cm-2026-04")
_LOCK = ".lock"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_OWN = re.compile(
    rf"{FILE.pattern}(?:\.tmp)?|compiled-[0-9a-f]{{12}}\..+|"
    rf"{re.escape(checksums.REMEMBERED)}(?:\.\d+\.tmp)?"
)
# Names that Windows gives to devices, whatever stands behind a dot.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_SHORT = 12  # characters of a digest in file names and in the recipe of a case


def home() -> Path:
    """Where the sets are kept: $CASEGEN_TABLES, else in the user's data folder. Raises
    InputError where that is something else than a folder."""
    chosen = os.environ.get("CASEGEN_TABLES")
    if chosen:
        found = Path(chosen)
        if found.exists() and not found.is_dir():
            raise InputError("CASEGEN_TABLES", chosen, "is no folder for sets of tables")
        return found
    from platformdirs import user_data_dir

    return Path(user_data_dir("casegen", appauthor=False)) / "tables"


def check_name(name: object, field: str = "name") -> str:
    """The name, if a set may be called by it. Raises InputError."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name in RESERVED:
        told = f"letters, digits, '.', '_' and '-', at most 64, and none of {', '.join(RESERVED)}"
        raise InputError(field, name, told)
    return name


def check_new_name(name: object, field: str = "name") -> str:
    """The name, if a set may be made under it: on every system it must be one of its own.
    Raises InputError."""
    name = check_name(name, field)
    if (home() / name / MANIFEST).is_file():
        return name
    if name.lower() in RESERVED:
        raise InputError(field, name, "the bundled tables are called so, but for capitals")
    if name.endswith(".") or _DEVICE.fullmatch(name):
        raise InputError(field, name, "not every system can have a folder of that name")
    for other in names():
        if other != name and other.lower() == name.lower():
            told = f"differs from the set {other} in capitals alone; not every system tells them"
            raise InputError(field, name, f"{told} apart")
    return name


def read_manifest(name: str) -> Manifest | None:
    """What the set holds; None if there is none. Raises TableError for a damaged manifest."""
    from ..icd10cm.cache import read_regular

    path = home() / name / MANIFEST
    try:
        raw = read_regular(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise TableError(f"{path}: {error.strerror or error}; {_ANEW.format(name)}") from error
    try:
        return manifest_from(json.loads(raw), name)
    except (ValueError, RecursionError) as error:
        raise TableError(
            f"{path}: no manifest of an import of this version ({error}); {_ANEW.format(name)}"
        ) from error


_ANEW = "casegen import remove {} and import the files again"


def names() -> list[str]:
    """The names of all sets, sorted, those with a damaged manifest among them."""
    try:
        found = sorted(entry.name for entry in home().iterdir() if _NAME.fullmatch(entry.name))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise TableError(f"{home()}: {error.strerror or error}") from error
    return [name for name in found if _stands(home() / name / MANIFEST)]


def _stands(path: Path) -> bool:
    """Whether there is anything at all of that name."""
    try:
        path.lstat()
    except OSError:
        return False
    return True


def need(name: str) -> Manifest:
    """The manifest of a set that must be there. Raises InputError naming those that are."""
    manifest = read_manifest(check_name(name, "tables"))
    if manifest is None:
        raise _unknown(name)
    return manifest


def _unknown(name: str) -> InputError:
    known = ", ".join(names()) or "none yet"
    told = f"no imported set of that name here (there are: {known}); make it with casegen import"
    return InputError("tables", name, told)


def file_of(name: str, part: Part, role: str) -> Path:
    """A file of a part, if it holds what was written. Raises TableError."""
    stored = part.stored[role]
    path = home() / name / stored
    fault = checksums.fault_of(path, part.files[stored])
    if fault is not None:
        given = ", ".join(one.file for one in part.sources)
        raise TableError(f"{path}: {fault}; import its files again ({given})")
    return path


def damaged(name: str, part: Part) -> list[str]:
    """The files of a part that no longer hold what was written."""
    folder = home() / name
    return [
        stored for stored, told in part.files.items() if checksums.fault_of(folder / stored, told)
    ]


@contextmanager
def keeping(name: str) -> Iterator[Path]:
    """The folder of a set, made if need be, held against other imports into it.

    Raises InputError where it can't be written or holds what no import made.
    """
    folder = home() / check_new_name(name)
    _refuse_link(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        strange = _strangers(folder)
        if strange and not (folder / MANIFEST).exists():
            raise InputError("name", name, f"{folder} holds other files, such as {strange[0]}")
        with (folder / _LOCK).open("a+b") as lock:
            if not stat.S_ISREG(os.fstat(lock.fileno()).st_mode):
                raise InputError("name", name, f"{folder / _LOCK} is no regular file")
            if not _locked(lock.fileno()):
                raise InputError("name", name, "another import into this set is running")
            try:
                yield folder
            finally:
                _sweep(folder, name)
    except OSError as error:
        raise InputError("folder", str(folder), error.strerror or str(error)) from None


def _refuse_link(folder: Path) -> None:
    """Raise InputError for a set that is a link to a folder elsewhere: what stands there is not
    ours to change."""
    if folder.is_symlink():
        mend = f"{folder} is a symbolic link; it can be read by --tables, and not changed"
        raise InputError("name", folder.name, mend)


def _locked(descriptor: int) -> bool:
    """Take the lock, which the system gives back when the file is closed. Where there are no
    such locks (Windows), imports run on without."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks
    return True


def commit(folder: Path, old: Manifest | None, taken: Taken) -> Manifest:
    """Write what was taken and then the manifest that names it."""
    stored: dict[str, str] = {}
    files: dict[str, Stored] = {}
    for role, (ending, content) in taken.data.items():
        digest = sha256(content).hexdigest()
        name = f"{taken.kind}-{role}-{digest[:_SHORT]}.{ending}"
        _write(folder / name, content)
        stored[role] = name
        files[name] = Stored(len(content), digest)
    part = Part(
        taken.edition, taken.effective, taken.digest, taken.counts, taken.sources, stored, files,
        taken.facts,
    )  # fmt: skip
    parts = {**(old.parts if old else {}), taken.kind: part}
    manifest = Manifest(folder.name, parts)
    text = json.dumps(manifest.as_dict(), indent=2, ensure_ascii=False) + "\n"
    _write(folder / MANIFEST, text.encode())
    return manifest


def _write(path: Path, content: Any) -> None:
    scratch = path.with_name(path.name + ".tmp")
    with scratch.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)


def remove(name: str) -> None:
    """Remove a set: the files that imports made, then its folder if nothing else is in it.

    Raises InputError for a name without a set, and where something else would be left over.
    """
    folder = home() / check_name(name)
    if not _stands(folder / MANIFEST):
        raise _unknown(name)
    _refuse_link(folder)
    strange = _strangers(folder)
    try:
        (folder / MANIFEST).unlink()
        for path in sorted(folder.iterdir()):
            if _OWN.fullmatch(path.name) or path.name == _LOCK:
                path.unlink()
        if not strange:
            folder.rmdir()
    except OSError as error:
        raise InputError("folder", str(folder), error.strerror or str(error)) from None
    if strange:
        raise InputError("name", name, f"removed, but {folder} also holds {strange[0]}, left there")


def _strangers(folder: Path) -> list[str]:
    """What stands in the folder and no import made."""
    ours = (MANIFEST, f"{MANIFEST}.tmp", _LOCK)
    found = sorted(path.name for path in folder.iterdir())
    return [name for name in found if name not in ours and not _OWN.fullmatch(name)]


def _sweep(folder: Path, name: str) -> None:
    """Remove what no manifest names: replaced files, and those of an interrupted import. A
    folder without a set goes, if it is empty then."""
    try:
        manifest = read_manifest(name)
    except TableError:
        return
    kept: Mapping[str, Part] = manifest.parts if manifest else {}
    named = {stored for part in kept.values() for stored in part.files}
    try:
        for path in folder.iterdir():
            own = _OWN.fullmatch(path.name) or path.name == f"{MANIFEST}.tmp"
            if own and path.name not in named:
                path.unlink()
        if manifest is None:
            (folder / _LOCK).unlink(missing_ok=True)
            folder.rmdir()
    except OSError:
        pass  # only a leftover
