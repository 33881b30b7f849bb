"""Reads the condition files and refuses what the models don't allow.

Here only form is judged (fields, types, words of fixed lists); whether codes and terms are
those of the tabular list is judged by the tests, which have the tables at hand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from casegen.schemas import TableError

from ..data import parse
from ..filecache import remembered
from .model import Addition, Condition, Value

SYSTEMS = frozenset(
    "constitutional eyes ent cardiovascular respiratory gastrointestinal genitourinary "
    "musculoskeletal skin neurologic psychiatric endocrine hematologic infectious obstetric "
    "newborn".split()
)
SETTINGS = ("office", "emergency", "inpatient", "outpatient_surgery", "telehealth")
ROLES = ("reason", "background")
SEXES = ("any", "female", "male")
COURSES = ("acute", "chronic", "injury", "status", "screening", "pregnancy", "newborn")
SEVENTHS = ("none", "injury", "fracture")
ATTRIBUTES = ("phase", "fracture", "healing", "seventh")
SIDES = ("right", "left", "bilateral")

_FILE = frozenset({"chapter", "source", "conditions"})
_CONDITION = frozenset(
    "id system also_systems sex age age_days settings roles weight groups incompatible "
    "compatible presupposes values".split()
)
_VALUE = frozenset(
    "id weight course roles settings term code codes unspecified terms seventh less_specific "
    "names story background exam results plan drugs services adds attributes "
    "source".split()
)


class _Reader:
    """Reads fields of one mapping; every complaint names file, condition and field."""

    def __init__(self, where: str, data: object, allowed: frozenset[str]) -> None:
        if not isinstance(data, dict):
            raise TableError(f"{where}: must be a mapping, not {type(data).__name__}")
        self.where = where
        self.data: dict[str, Any] = data
        for key in data:
            if key not in allowed:
                raise TableError(f"{where}: {key}: no such field")

    def fail(self, field: str, what: str) -> TableError:
        return TableError(f"{self.where}: {field}: {what}")

    def text(self, field: str) -> str:
        value = self.data.get(field)
        if not isinstance(value, str) or not value.strip():
            raise self.fail(field, f"must be a text, not {value!r}")
        return value

    def optional(self, field: str) -> str | None:
        return None if self.data.get(field) is None else self.text(field)

    def number(self, field: str) -> int:
        value = self.data.get(field)
        if type(value) is not int or value < 1:
            raise self.fail(field, f"must be a whole number from 1, not {value!r}")
        return value

    def word(self, field: str, words: Collection[str], default: str | None = None) -> Any:
        value = self.data.get(field, default)
        if value not in words:
            raise self.fail(field, f"{value!r} is none of {', '.join(sorted(words))}")
        return value

    def texts(
        self, field: str, words: Iterable[str] | None = None, default: Sequence[str] = ()
    ) -> tuple[Any, ...]:
        value = self.data.get(field)
        if value is None:
            return tuple(default)
        if not isinstance(value, list):
            raise self.fail(field, "must be a list")
        for item in value:
            if not isinstance(item, str) or not item.strip():
                raise self.fail(field, f"holds {item!r}, which is no text (quote it)")
            if words is not None and item not in words:
                raise self.fail(field, f"{item!r} is none of {', '.join(sorted(words))}")
        if len(set(value)) != len(value):
            raise self.fail(field, "holds an entry twice")
        return tuple(value)

    def span(self, field: str, highest: int) -> tuple[int, int] | None:
        value = self.data.get(field)
        if value is None:
            return None
        if (
            not isinstance(value, list)
            or len(value) != 2
            or any(type(item) is not int for item in value)
            or not 0 <= value[0] <= value[1] <= highest
        ):
            raise self.fail(field, f"must be [low, high] within 0 to {highest}, not {value!r}")
        return value[0], value[1]

    def mapping(self, field: str, keys: Iterable[str] = SIDES) -> Mapping[str, str]:
        value = self.data.get(field)
        if value is None:
            return {}
        if not isinstance(value, dict) or not value:
            raise self.fail(field, f"must map {', '.join(keys)} to texts")
        for key, text in value.items():
            if key not in keys or not isinstance(text, str) or not text:
                raise self.fail(
                    field, f"{key!r}: {text!r} must be one of {', '.join(keys)} with a text"
                )
        return dict(value)


def _addition(where: str, data: object) -> Addition:
    reader = _Reader(where, data, frozenset({"code", "term", "seventh"}))
    return Addition(
        code=reader.text("code"),
        term=reader.text("term"),
        seventh=reader.word("seventh", ("none", "same"), "none"),
    )


def _value(where: str, data: object, condition: _Reader) -> Value:
    name = data.get("id") if isinstance(data, dict) else None
    reader = _Reader(f"{where}.{name}", data, _VALUE)
    code, codes = reader.optional("code"), reader.mapping("codes")
    if (code is None) == (not codes):
        raise reader.fail("code", "needs either code or codes")
    unspecified = reader.optional("unspecified")
    if unspecified is not None and not codes:
        raise reader.fail("unspecified", "stands only beside codes by side")
    terms = reader.mapping("terms")
    if not terms.keys() <= codes.keys():
        raise reader.fail("terms", "names a side that codes lacks")
    roles = reader.texts("roles", ROLES, default=condition.texts("roles", ROLES))
    settings = reader.texts("settings", SETTINGS, default=condition.texts("settings", SETTINGS))
    for field, own in (("roles", roles), ("settings", settings)):
        if not own or not set(own) <= set(condition.texts(field)):
            raise reader.fail(field, "may only narrow those of the condition")
    adds = reader.data.get("adds") or []
    if not isinstance(adds, list):
        raise reader.fail("adds", "must be a list")
    return Value(
        id=reader.text("id"),
        weight=reader.number("weight"),
        course=reader.word("course", COURSES),
        roles=roles,
        settings=settings,
        term=reader.text("term"),
        code=code,
        codes=codes,
        unspecified=unspecified,
        terms=terms,
        seventh=reader.word("seventh", SEVENTHS, "none"),
        less_specific=reader.optional("less_specific"),
        names=reader.texts("names"),
        story=reader.texts("story"),
        background=reader.texts("background"),
        exam=reader.texts("exam"),
        results=reader.texts("results"),
        plan=reader.texts("plan"),
        drugs=reader.texts("drugs"),
        services=reader.texts("services"),
        adds=tuple(_addition(f"{reader.where}: adds", item) for item in adds),
        attributes=reader.mapping("attributes", ATTRIBUTES),
        source=reader.text("source"),
    )


def _condition(path: str, chapter: int, source: str, data: object) -> Condition:
    name = data.get("id") if isinstance(data, dict) else None
    reader = _Reader(f"{path}: {name}", data, _CONDITION)
    age, age_days = reader.span("age", 120), reader.span("age_days", 365)
    if (age is None) == (age_days is None):
        raise reader.fail("age", "needs either age (years) or age_days")
    if not reader.texts("roles", ROLES) or not reader.texts("settings", SETTINGS):
        raise reader.fail("roles", "needs at least one role and one setting")
    if reader.texts("compatible") and "*" not in reader.texts("incompatible"):
        raise reader.fail("compatible", 'only takes conditions out of incompatible: ["*"]')
    rows = reader.data.get("values")
    if not isinstance(rows, list) or not rows:
        raise reader.fail("values", "must be a list of values")
    values = tuple(_value(reader.where, row, reader) for row in rows)
    if len({value.id for value in values}) != len(values):
        raise reader.fail("values", "two values share an id")
    return Condition(
        id=reader.text("id"),
        chapter=chapter,
        system=reader.word("system", SYSTEMS),
        also_systems=reader.texts("also_systems", SYSTEMS),
        sex=reader.word("sex", SEXES, "any"),
        age=age or (0, 0),
        age_days=age_days,
        settings=reader.texts("settings", SETTINGS),
        roles=reader.texts("roles", ROLES),
        weight=reader.number("weight"),
        groups=reader.texts("groups"),
        incompatible=reader.texts("incompatible"),
        compatible=reader.texts("compatible"),
        presupposes=reader.texts("presupposes"),
        values=values,
        source=source,
    )


def _parse(name: str, text: bytes) -> list[Condition]:
    reader = _Reader(name, parse(text, name), _FILE)
    rows = reader.data.get("conditions")
    if not isinstance(rows, list):
        raise reader.fail("conditions", "must be a list")
    chapter, source = reader.number("chapter"), reader.text("source")
    return [_condition(name, chapter, source, row) for row in rows]


def _symmetric(conditions: Sequence[Condition]) -> tuple[Condition, ...]:
    """Let ``incompatible`` hold in both directions: one file says it, both conditions have it.
    ``*`` stays as it is."""
    against: dict[str, set[str]] = {one.id: set(one.incompatible) for one in conditions}
    for one in conditions:
        for other in one.incompatible:
            if other in against:
                against[other].add(one.id)
    return tuple(replace(one, incompatible=tuple(sorted(against[one.id]))) for one in conditions)


def read(folder: Path) -> tuple[Condition, ...]:
    """All conditions of the ``*.yaml`` files in ``folder``, by file name, then file order.

    Raises TableError (file, condition, field, reason) for anything the models don't allow
    and for an id that two conditions share.
    """
    conditions: list[Condition] = []
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    if not names:
        raise TableError(f"{folder}: holds no condition files")
    seen: dict[str, str] = {}
    for name in names:
        for one in _parse(name, (folder / name).read_bytes()):
            if one.id in seen:
                raise TableError(f"{name}: {one.id}: id: also stands in {seen[one.id]}")
            seen[one.id] = name
            conditions.append(one)
    return _symmetric(conditions)


@lru_cache(maxsize=1)
def load() -> tuple[Condition, ...]:
    """The bundled conditions, read once per process and kept in the user's cache as judged.

    Raises TableError as ``read`` does.
    """
    folder = Path(__file__).parent
    digest = sha256()
    for path in sorted((*folder.glob("*.yaml"), *folder.glob("*.py"))):
        digest.update(sha256(path.read_bytes()).digest())
    rows = remembered("conditions", digest.hexdigest(), lambda: list(map(astuple, read(folder))))
    return tuple(map(_restored, rows))


def _restored(row: tuple[Any, ...]) -> Condition:
    """The inverse of ``astuple``."""
    *fields, values, source = row
    fields += (tuple(map(_restored_value, values)), source)
    return Condition(*fields)


def _restored_value(row: tuple[Any, ...]) -> Value:
    *fields, adds, attributes, source = row
    fields += (tuple(Addition(*one) for one in adds), attributes, source)
    return Value(*fields)
