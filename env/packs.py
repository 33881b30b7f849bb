"""Packs of tasks: found by name or file, built, hashed and verified.

The hash of a pack is the SHA-256 of one line of JSON for its head (name, version, family,
profile and tables) and one for each task (id, content hash of the case, own rules, reference
note). Keys are sorted, the text is UTF-8 without white space, each line ends with a newline;
``about`` and the form in which the pack is stored do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256

import orjson

from casegen.schemas import CasegenError, InputError, TablesRef
from casegen.schemas.pack import Task
from casegen.schemas.packs import Pack, PackFile, StoredTask
from casegen.schemas.serial import HASH, case_bytes, content_hash
from casegen.seeds.packs import PACKS, path_of

from .caseform import fault_of
from .packfile import ENDINGS, read_file, task_id
from .recipes import RecipeTasks
from .stored import StoredTasks

_LINE = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE


def pack(name_or_path: str) -> Pack:
    """The shipped pack of that name, or the pack in a file (.json, .json.gz). Raises InputError."""
    if not isinstance(name_or_path, str) or not name_or_path:
        raise InputError("pack", name_or_path, _there_are())
    if name_or_path in PACKS:
        return shipped(name_or_path)
    if not name_or_path.endswith(ENDINGS):
        raise InputError("pack", name_or_path, _there_are())
    return pack_of(read_file(name_or_path), name_or_path)


def _there_are() -> str:
    return f"one of {', '.join(PACKS)}, or a file .json or .json.gz"


@lru_cache(maxsize=len(PACKS))
def shipped(name: str) -> Pack:
    """A pack that ships with casegen. Raises InputError."""
    if name not in PACKS:
        raise InputError("pack", name, f"one of {', '.join(PACKS)}")
    path = path_of(name)
    if path.suffix == ".yaml":
        from .documented import documented_pack

        return documented_pack(path)
    return pack_of(read_file(str(path)), name)


def pack_of(file: PackFile, source: str) -> Pack:
    """The pack in a built file; the hash of whole cases is compared. Raises InputError."""
    for field in ("tables", "sha256"):
        if getattr(file, field) is None:
            raise InputError(field, None, "is missing; build it: casegen pack build", path=source)
    found = _pack(file, source)
    if file.recipe is None and digest(found) != found.sha256:
        told = "does not fit what the pack holds; casegen pack build writes it anew"
        raise InputError("sha256", found.sha256, told, path=source)
    return found


def _pack(file: PackFile, source: str) -> Pack:
    tasks = (
        RecipeTasks(file, file.recipe)
        if file.recipe is not None
        else StoredTasks(
            [
                Task(
                    task_id(file, index, one),
                    file.family,
                    file.profile,
                    one.case,
                    file.name,
                    one.own_rules,
                    one.reference_note,
                )
                for index, one in enumerate(file.cases or ())
            ]
        )
    )
    return Pack(
        name=file.name,
        version=file.version,
        family=file.family,
        profile=file.profile,
        about=file.about,
        tables=file.tables or TablesRef("", ""),
        sha256=file.sha256 or "",
        tasks=tasks,
        source=source,
        recipe=file.recipe,
    )


def digest(found: Pack, told: Callable[[int], None] | None = None) -> str:
    """The hash of what a pack holds, all of its cases made; see the top of this module.

    ``told`` is called with 1 after each task.
    """
    tables = {"name": found.tables.name, "digest": found.tables.digest}
    head = {name: getattr(found, name) for name in ("name", "version", "family", "profile")}
    total = sha256(orjson.dumps({**head, "tables": tables}, option=_LINE))
    for task in found:
        line = {
            "id": task.id,
            "case": content_hash(task.case),
            "own_rules": task.own_rules,
            "reference_note": task.reference_note,
        }
        total.update(orjson.dumps(line, option=_LINE))
        if told is not None:
            told(1)
    return total.hexdigest()


def build(
    file: PackFile, *, whole: bool = False, told: Callable[[int], None] | None = None
) -> PackFile:
    """The file with its tables and its hash, whatever stood there; ``whole`` puts the cases of
    a recipe in its place. Raises InputError."""
    first = _pack(replace(file, tables=None, sha256=None), file.name).task(0)
    file = replace(file, tables=first.case.tables)
    made = _pack(file, file.name)
    file = replace(file, sha256=digest(made, told))
    if whole and file.recipe is not None:
        file = replace(file, recipe=None, cases=_stored(made))
    return file


def _stored(tasks: Iterable[Task]) -> list[StoredTask]:
    return [StoredTask(t.case, t.id, t.own_rules, t.reference_note) for t in tasks]


def confirm(found: Pack, told: Callable[[int], None] | None = None) -> None:
    """Raise InputError where the recorded hash of a pack is not that of what it holds."""
    right = digest(found, told)
    if right != found.sha256:
        told_hash = f"what the pack holds has the hash {right}"
        raise InputError("sha256", found.sha256, told_hash, path=found.source)


def confirm_file(found: Pack) -> None:
    """``confirm`` a pack that was read from a file with a recipe. The hash of whole cases was
    compared when they were read; the packs that ship with casegen are tested."""
    if not is_shipped(found) and found.recipe is not None:
        confirm(found)


def is_shipped(found: Pack) -> bool:
    """Whether a pack was opened by its name, and ships with casegen."""
    return found.source in PACKS


def verify(found: Pack, told: Callable[[int], None] | None = None) -> int:
    """Make the pack again: its hash must be the recorded one, and the checker must find in each
    generated case exactly its findings. How many cases the checker certified is returned.

    Tasks written by hand, which bring rules or notes of their own, are held to their form and
    to the words of the note alone; see ``by_hand``.
    Raises InputError naming the task and field that don't hold.
    """
    confirm(found)
    from casegen.cli.examine import Examiner

    examiner: Examiner | None = None
    certified = 0
    for index, task in enumerate(found):
        try:
            if by_hand(task):
                _conforms(task)
            else:
                examiner = examiner or Examiner()
                stored = {HASH: content_hash(task.case), **orjson.loads(case_bytes(task.case))}
                examiner.examine(stored, found.source, index + 1)
                certified += 1
        except InputError as error:
            field = f"task {task.id}: {error.field}"
            raise InputError(field, error.value, error.mend, path=found.source) from None
        except CasegenError as error:
            raise InputError(f"task {task.id}", None, str(error), path=found.source) from None
        if told is not None:
            told(1)
    return certified


def by_hand(task: Task) -> bool:
    """Whether a task is a documented one, or brings rules or notes of its own, for which official
    tables don't speak."""
    documented = task.pack is not None and task.case.options.get("pack") == task.pack
    return documented or bool(task.own_rules) or task.reference_note is not None


def _conforms(task: Task) -> None:
    """Raise CertificationError or InputError where a documented case is not of the form of a
    case, or where a finding or a span stands elsewhere than it says."""
    from casegen.conform import conform

    conform(task.case)
    fault = fault_of(task.case)
    if fault is not None:
        raise InputError(*fault)
