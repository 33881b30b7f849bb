"""Tasks by name: documented ones, those of packs, and generated cases by split and seed.

No id tells the answer to an agent that can't run casegen. One that can makes any case again
whose seed it guesses: see ``generated_id``.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import blake2b, sha256
from typing import Any

from casegen.config import BUNDLED, DIFFICULTIES, SPLITS, STREAM, check_seed, whole
from casegen.schemas import InputError
from casegen.schemas.anycase import AnyCase
from casegen.schemas.pack import Task
from casegen.schemas.packs import Pack
from casegen.schemas.play import Profile
from casegen.schemas.serial import content_hash as hash_of
from casegen.seeds.packs import PACKS

from .families import family
from .generators import generator_of, tables_named
from .packs import shipped

_PROFILE: Profile = "strict"


def find_task(
    family_name: str,
    *,
    seed: int | None = None,
    task_id: str | None = None,
    pack: str | Pack | None = None,
    split: str | None = None,
    index: int | None = None,
    difficulty: str | None = None,
    tables: str | None = None,
    content_hash: str | None = None,
    task: str | None = None,
) -> Task:
    """One task of a family.

    - ``task_id``: a documented task or one of a shipped pack (``audit-bench-v1/17``), which
      brings its pack and profile; with ``pack`` one of that pack.
    - ``pack``: a shipped pack by name, or any pack that was opened; the task of ``index``, or
      that which ``seed`` draws, or without either a fresh draw. ``split`` may name a pack, too.
    - else a generated case under profile ``strict``: of ``split`` (train), ``seed`` (0 where an
      index is given, else fresh) and ``index`` (0).
    - ``difficulty``: only such tasks.
    - ``tables``: the imported set that a generated case is made with, by name, alone or with its
      digest as in a row of ``prompts`` (``mine@0123456789ab``); the bundled tables without it.
    - ``task``: a kind of task (``dosage_check``), where the family has several: one of that kind
      is drawn from ``pack``, or from that which the family has for it, by a hash of kind and
      ``seed``, or afresh without a seed.
    - ``content_hash``: what the case must have. A case made with other tables, or by another
      version of casegen, is refused.

    One seed always gives one task. Raises InputError, with the field that can't be met.
    A string never names a file here, so that it may come from a client.
    """
    if task is None:
        found = _found(family_name, seed, task_id, pack, split, index, difficulty, tables)
    else:
        for name, value in (("task_id", task_id), ("index", index), ("tables", tables)):
            if value is not None:
                raise InputError(name, value, "leave it out; task draws a task of a pack")
        found = _of_kind(family_name, task, seed, pack, split, difficulty)
    if content_hash is not None and hash_of(found.case) != content_hash:
        told = f"the case made here, with the tables {found.case.tables.name}, is another: that "
        told += "one was made with other tables, or by another version of casegen"
        raise InputError("content_hash", content_hash, told)
    return found


def _found(
    family_name: str,
    seed: int | None,
    task_id: str | None,
    pack: str | Pack | None,
    split: str | None,
    index: int | None,
    difficulty: str | None,
    tables: str | None,
) -> Task:
    """The task, whatever it holds; see ``find_task``."""
    generator = family(family_name).generator
    seed = _checked(seed, difficulty)
    found = _pack_named(family_name, pack, split)
    if tables is not None and (found is not None or task_id is not None):
        raise InputError("tables", tables, "leave it out; the tasks of a pack have their own")
    if task_id is not None:
        return _by_id(family_name, task_id, found, split, index, difficulty)
    if found is not None:
        return _of_pack(found, seed, index, difficulty)
    name = _split("train" if split is None else split, family_name)
    at = 0 if index is None else whole("index", index, STREAM - 1)
    if seed is None:
        seed = 0 if index is not None else secrets.randbits(63)
    by = BUNDLED if tables is None else tables_named(tables)
    case = generator_of(generator, name, seed, difficulty, tables=by)[at]
    return Task(generated_id(case), family_name, _PROFILE, case)


def _checked(seed: int | None, difficulty: str | None) -> int | None:
    """The seed. Raises InputError for one, or a difficulty, that there is not."""
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise InputError("difficulty", difficulty, f"one of {', '.join(DIFFICULTIES)}")
    return None if seed is None else check_seed(seed)


def _of_kind(
    family_name: str,
    kind: object,
    seed: int | None,
    pack: str | Pack | None,
    split: str | None,
    difficulty: str | None,
) -> Task:
    """The task of a kind that a seed draws from a pack, whatever it holds; see ``find_task``."""
    kinds = family(family_name).kinds
    if kinds is None:
        raise InputError("task", kind, f"no such setting; {family_name} has one kind of tasks")
    if not isinstance(kind, str) or kind not in kinds.names:
        raise InputError("task", kind, f"one of {', '.join(kinds.names)}")
    seed = _checked(seed, difficulty)
    if pack is None and split in SPLITS:
        raise InputError("split", split, "leave it out; task draws a task of a pack")
    found = _pack_named(family_name, pack, split) or shipped(kinds.pack)
    places = [
        at
        for at in range(len(found))
        if difficulty in (None, found.tasks.difficulty_of(at))
        and kinds.of(found.task(at).case) == kind
    ]
    if not places:
        raise InputError("task", kind, f"{found.name} has no such task")
    return found.task(_drawn(places, f"{found.name}/{kind}", seed))


def _drawn(places: Sequence[int], what: str, seed: int | None) -> int:
    """One of the places, by a hash of what is drawn and of the seed; afresh without a seed."""
    if seed is None:
        return secrets.choice(places)
    drawn = blake2b(f"{what}/{seed}".encode(), digest_size=8).digest()
    return places[int.from_bytes(drawn) % len(places)]


def generates(
    family_name: str, task_id: object, pack: object, split: object, task: object = None
) -> bool:
    """Whether such settings ask for a generated case, and not for a task of a pack."""
    named = task_id is not None or pack is not None or task is not None
    return not named and split not in family(family_name).packs


def splits(family_name: str) -> list[str]:
    """The splits of a family, and its packs, which may be asked for as splits."""
    return [*SPLITS, *family(family_name).packs]


def count(family_name: str, split: str) -> int:
    """How many tasks a split or a pack holds. Raises InputError."""
    if split in family(family_name).packs:
        return len(shipped(split))
    _split(split, family_name)
    return STREAM


def spec(family_name: str, split: str, index: int, *, tables: str | None = None) -> dict[str, Any]:
    """What may be told of a task before it is played: id, index, split, difficulty, step limit,
    setting, and what the family tells (``codes``, how many there are). Nothing of the answer.
    ``tables`` are those of generated cases. Raises InputError."""
    if not generates(family_name, None, None, split):
        tables = None
    task = find_task(family_name, split=split, index=index, tables=tables)
    case = task.case
    return {
        "id": task.id,
        "index": index,
        "split": split,
        "difficulty": case.difficulty,
        "max_steps": case.max_steps,
        **family(family_name).spec(case),
        "setting": case.encounter.setting,
    }


def generated_id(case: AnyCase) -> str:
    """The id of a generated case in play.

    It does not spell out the recipe of the case, but it is no secret: who has casegen and
    guesses the seed can make cases until the id fits, and has the answers with them. The note,
    which an agent must be shown, gives a case away in the same manner. Score what you don't
    trust on seeds that it can't guess, and keep casegen out of its reach.
    """
    told = sha256(case.id.encode()).hexdigest()[:12]
    return f"{case.family}-{case.version}/{case.split}/{told}"


def _split(split: object, family_name: str) -> str:
    if not isinstance(split, str) or split not in SPLITS:
        raise InputError("split", split, f"one of {', '.join(splits(family_name))}")
    return split


def _pack_named(family_name: str, pack: str | Pack | None, split: object) -> Pack | None:
    """The pack that ``pack`` or ``split`` names, None if neither names one."""
    names = family(family_name).packs
    if pack is None:
        return shipped(split) if isinstance(split, str) and split in names else None
    if isinstance(pack, Pack):
        found = pack
    elif isinstance(pack, str) and pack in names:
        found = shipped(pack)
    else:
        raise InputError("pack", pack, f"one of {', '.join(names)}")
    if found.family != family_name:
        raise InputError("pack", found.name, f"is of the family {found.family}")
    if split is not None and split != found.name:
        raise InputError("split", split, f"leave it out; the pack {found.name} is asked for")
    return found


def _by_id(
    family_name: str,
    task_id: object,
    found: Pack | None,
    split: object,
    index: object,
    difficulty: str | None,
) -> Task:
    if found is None:
        found = _home(family_name, task_id)
        if split is not None:
            raise InputError("split", split, f"leave it out; task_id is of {found.name}")
    task = found.task_by_id(task_id)  # type: ignore[arg-type]
    if index is not None and found.tasks.index_of(task.id) != index:
        raise InputError("index", index, f"leave it out; task_id {task.id} names another")
    if difficulty is not None and task.case.difficulty != difficulty:
        raise InputError("difficulty", difficulty, f"{task.id} is {task.case.difficulty}")
    return task


def _home(family_name: str, task_id: object) -> Pack:
    """The shipped pack that holds the task. Raises InputError."""
    names = family(family_name).packs
    for name in names if isinstance(task_id, str) else ():
        if name not in PACKS:
            continue
        found = shipped(name)
        if found.tasks.index_of(str(task_id)) is not None:
            return found
    told = (
        f"a documented task, or one of {', '.join(names)} such as {shipped(names[-1]).task(0).id}"
    )
    raise InputError("task_id", task_id, told)


def _of_pack(found: Pack, seed: int | None, index: object, difficulty: str | None) -> Task:
    if index is not None:
        at = found.place(index)
        if difficulty not in (None, found.tasks.difficulty_of(at)):
            told = f"task {at} of {found.name} is {found.tasks.difficulty_of(at)}"
            raise InputError("difficulty", difficulty, told)
        return found.task(at)
    places: Sequence[int] = range(len(found))
    if difficulty is not None:
        places = [at for at in places if found.tasks.difficulty_of(at) == difficulty]
    if not places:
        raise InputError("difficulty", difficulty, f"{found.name} has no such task")
    return found.task(_drawn(places, found.name, seed))
