"""Pack files: one JSON object, plain or gzip, that holds a recipe or whole cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from casegen.config import SPLITS
from casegen.families import FAMILIES
from casegen.schemas import InputError
from casegen.schemas.anycase import UNKNOWN, AnyCase
from casegen.schemas.packs import PackFile, Recipe, StoredTask
from casegen.schemas.serial import (
    HASH,
    TOO_DEEP,
    case_from,
    content_hash,
    deep_field,
    field_name,
)
from casegen.seeds.packs import PACKS, path_of, read_documents

from .caseform import fault_of
from .families import family as family_of

if TYPE_CHECKING:
    from pydantic import TypeAdapter

ENDINGS = (".json", ".json.gz")
MOST_TASKS = 100_000
_HEAD = ("name", "family", "profile", "version", "about")


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[PackFile]:
    from pydantic import TypeAdapter

    return TypeAdapter(PackFile)


def read_file(path: str) -> PackFile:
    """The pack file ``path`` (``-`` is standard input). Raises InputError, with path and field."""
    from casegen.cli.source import shown_name, whole

    shown = shown_name(path)
    try:
        data = orjson.loads(whole(path))
    except orjson.JSONDecodeError as error:
        raise InputError("pack", shown, f"no JSON: {error}", path=shown) from None
    return parsed(data, shown)


def parsed(data: Any, path: str) -> PackFile:
    """The pack in parsed JSON. Raises InputError, with path and field."""
    from pydantic import ValidationError

    if not isinstance(data, dict):
        raise InputError("pack", data, "must be a JSON object", path=path)
    hashes = _taken_hashes(data)
    try:
        file = _adapter().validate_json(orjson.dumps(data))
    except TypeError:  # orjson writes no deeper nesting than 254
        raise InputError(deep_field(data) or "pack", None, TOO_DEEP, path=path) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = _place(first)
        value = None if first["type"] == "missing" else first.get("input")
        if first["type"] == UNKNOWN:
            value = first["input"]["family"]
        told = first["msg"][:1].lower() + first["msg"][1:]  # what it quotes keeps its case
        raise InputError(field, value, told, path=path) from None
    checked(file, path)
    for index, told in hashes.items():
        if file.cases is not None and told != content_hash(file.cases[index].case):
            field = f"cases[{index}].case.{HASH}"
            raise InputError(field, told, "does not fit what the case holds", path=path)
    return file


def _place(fault: Mapping[str, Any]) -> str:
    """Where a pack file does not fit. A place in a case begins with its family, which is no
    field."""
    match fault["loc"]:
        case ("cases", index, "case", _, *rest):
            return field_name(("cases", index, "case", *rest))
        case ("cases", _, "case") as place if fault["type"] == UNKNOWN:
            return field_name((*place, "family"))
        case place:
            return field_name(place) or "pack"


def _taken_hashes(data: dict[str, Any]) -> dict[int, Any]:
    """The content hashes that stored cases carry beside their fields, by index; ``data`` is
    left without them."""
    hashes: dict[int, Any] = {}
    cases = data.get("cases")
    for index, task in enumerate(cases if isinstance(cases, list) else ()):
        case = task.get("case") if isinstance(task, dict) else None
        if isinstance(case, dict) and HASH in case:
            hashes[index] = case.pop(HASH)
    return hashes


def checked(file: PackFile, path: str | None = None) -> None:
    """Raise InputError where the parts of a pack file don't fit one another."""

    def fail(field: str, value: object, mend: str) -> None:
        raise InputError(field, value, mend, path=path)

    if file.name in SPLITS:
        fail("name", file.name, "is the name of a split; take another")
    if file.name in PACKS and not _is_shipped(file.name, path):
        fail("name", file.name, "is the name of a pack that ships with casegen; take another")
    if file.family not in FAMILIES:
        fail("family", file.family, f"one of {', '.join(FAMILIES)}")
    if (file.recipe is None) == (file.cases is None):
        value = None if file.recipe is None else "both"
        fail("recipe", value, "a pack holds either a recipe or cases")
    if file.recipe is not None:
        _check_recipe(file.recipe, file.family, fail)
    if file.cases is not None:
        _check_cases(file, file.cases, fail)


def _is_shipped(name: str, path: str | None) -> bool:
    """Whether the file is the one that ships with casegen under that name."""
    try:
        return path is not None and Path(path).samefile(path_of(name))
    except (OSError, ValueError):
        return False


def _check_recipe(recipe: Recipe, family_name: str, fail: Any) -> None:
    generator, shares = FAMILIES[family_name], family_of(family_name).shares
    if recipe.generator != generator:
        fail("recipe.generator", recipe.generator, f"must be {generator}")
    seen: set[tuple[object, ...]] = set()
    for number, part in enumerate(recipe.parts):
        where, told = f"recipe.parts[{number}]", part.shares()
        for name in shares:
            if name not in told:
                fail(f"{where}.{name}", None, "field required")
        for name, share in told.items():
            if name not in shares:
                fail(f"{where}.{name}", share, f"is no setting of {generator}")
        key = (part.seed, part.difficulty, *told.items())
        if key in seen:
            same = f"same seed, difficulty and {' and '.join(told)}"
            fail(where, part.seed, f"another part has the {same}, and so the same cases")
        seen.add(key)
    count = sum(part.count for part in recipe.parts)
    if not 1 <= count <= MOST_TASKS:
        fail("recipe.parts", count, f"1 to {MOST_TASKS} cases in all")


def _check_cases(file: PackFile, cases: list[StoredTask], fail: Any) -> None:
    if not 1 <= len(cases) <= MOST_TASKS:
        fail("cases", len(cases), f"1 to {MOST_TASKS} cases")
    ids: set[str] = set()
    hashes: dict[str, int] = {}
    for index, task in enumerate(cases):
        case, where = task.case, f"cases[{index}]"
        if case.family != file.family:
            fail(f"{where}.case.family", case.family, f"must be {file.family} as the pack is")
        if case.tables != cases[0].case.tables:
            told = "all cases of a pack must be made with the same tables"
            fail(f"{where}.case.tables", case.tables.name, told)
        fault = fault_of(case)
        if fault is not None:
            fail(f"{where}.case.{fault.field}", fault.value, fault.mend)
        first = hashes.setdefault(content_hash(case), index)
        if first != index:
            fail(f"{where}.case", case.id, f"is the same case as cases[{first}]")
        name = task_id(file, index, task)
        _check_id(f"{where}.id", name, fail)
        if name in ids:
            fail(f"{where}.id", name, "another task has the same id")
        ids.add(name)


def _check_id(field: str, name: str, fail: Any) -> None:
    if not name.isprintable() or name != name.strip() or not name:
        fail(field, name, "must be printable text that begins and ends with no blank")
    # Who asks for a task by its id alone must get the shipped one.
    home = name.rsplit("/", 1)[0]
    if home in PACKS or name in _documented_ids():
        fail(field, name, "is the id of a task that ships with casegen; take another")


@lru_cache(maxsize=1)
def _documented_ids() -> frozenset[str]:
    """The ids of the shipped tasks that are not numbered."""
    paths = (path_of(name) for name in PACKS)
    written = (read_documents(path) for path in paths if path.suffix == ".yaml")
    return frozenset(task.id for documents in written for task in documents.tasks)


def size(file: PackFile) -> int:
    """How many tasks a pack file holds or makes."""
    if file.recipe is not None:
        return sum(part.count for part in file.recipe.parts)
    return len(file.cases or ())


def task_id(file: PackFile, index: int, task: StoredTask) -> str:
    """The id of a stored task."""
    return f"{file.name}/{index}" if task.id is None else task.id


def cases_to_pack(path: str) -> list[AnyCase]:
    """The cases of a file of JSON lines, each with the hash and the form that a pack asks for,
    and none twice. Raises InputError, with path, line and field."""
    from casegen.cli.source import lines_of, shown_name

    shown = shown_name(path)
    lines: dict[str, int] = {}
    cases: list[AnyCase] = []
    for number, data in lines_of(path):

        def fail(field: str, value: object, mend: str, line: int = number) -> None:
            raise InputError(field, value, mend, path=shown, line=line)

        case = case_from(data, path=shown, line=number)
        right = content_hash(case)
        if data.get(HASH) is None:
            fail(HASH, None, "is missing; a stored case carries its hash")
        if data[HASH] != right:
            fail(HASH, data[HASH], "does not fit what the case holds")
        fault = fault_of(case)
        if fault is not None:
            fail(*fault)
        first = lines.setdefault(right, number)
        if first != number:
            fail("id", case.id, f"the same case stands on line {first} already")
        cases.append(case)
    return cases


def file_of_cases(
    cases: Iterable[AnyCase], *, name: str, profile: str, version: str = "1"
) -> PackFile:
    """A pack file of whole cases, of the family of the first. Raises InputError where they make
    no pack."""
    stored = [StoredTask(case) for case in cases]
    family_name = stored[0].case.family if stored else next(iter(FAMILIES))
    head = {"name": name, "profile": profile, "family": family_name, "version": version}
    file = parsed({**head, "recipe": _any_recipe(family_name)}, name or "pack")
    file.recipe, file.cases = None, stored
    checked(file)
    return file


def _any_recipe(family_name: str) -> dict[str, Any]:
    """What stands in for the cases while the head is checked."""
    shares = dict.fromkeys(family_of(family_name).shares, 0)
    part = {"seed": 0, "difficulty": "easy", **shares, "count": 1}
    return {"generator": FAMILIES[family_name], "split": "test", "parts": [part]}


def _plain(recipe: Recipe) -> dict[str, Any]:
    """A recipe without what its parts do not tell."""
    parts = [
        {name: value for name, value in asdict(part).items() if value is not None}
        for part in recipe.parts
    ]
    return {"generator": recipe.generator, "split": recipe.split, "parts": parts}


def file_bytes(file: PackFile) -> bytes:
    """A pack file as JSON: a recipe indented for reading, cases without white space. Each case
    carries its content hash."""
    plain: dict[str, Any] = {"format": file.format}
    plain |= {name: getattr(file, name) for name in (*_HEAD, "tables", "sha256")}
    if file.recipe is not None:
        plain["recipe"] = _plain(file.recipe)
        return orjson.dumps(plain, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    plain["cases"] = [
        {
            "id": task_id(file, index, task),
            "own_rules": task.own_rules,
            "reference_note": task.reference_note,
            "case": {HASH: content_hash(task.case), **orjson.loads(orjson.dumps(task.case))},
        }
        for index, task in enumerate(file.cases or ())
    ]
    return orjson.dumps(plain, option=orjson.OPT_APPEND_NEWLINE)
