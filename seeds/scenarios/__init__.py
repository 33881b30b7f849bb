"""Curated Excludes1 pairs and their decoys.

A pair is one condition under two codes that an Excludes1 note keeps apart: the record settles
which of the two is right. A decoy is two codes that look like such a pair and are both right.
The data stand in the files of the folder ``excludes1``, by chapter of the first member and by
kind of decoy; ``load`` gives them typed. Only form is judged here; the tests hold codes, terms
and notes against the tabular list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from casegen.schemas.errors import TableError

from ..data import parse

Member = Literal["a", "b"]
DecoyKind = Literal["excludes2", "code_also", "unrelated", "does_not_reach"]

MEMBERS: tuple[Member, Member] = ("a", "b")
DECOY_KINDS = ("excludes2", "code_also", "unrelated", "does_not_reach")
SETTINGS = ("office", "emergency", "inpatient", "outpatient_surgery", "telehealth")
SEXES = ("any", "female", "male")
COURSES = ("acute", "chronic", "injury", "status", "screening", "pregnancy", "newborn")
AUTHORITIES = ("tabular", "guideline")
SYSTEMS = frozenset(
    "constitutional eyes ent cardiovascular respiratory gastrointestinal genitourinary "
    "musculoskeletal skin neurologic psychiatric endocrine hematologic infectious obstetric "
    "newborn".split()
)


@dataclass(frozen=True, slots=True)
class ListNote:
    """A line of the tabular list, verbatim, and the code or block (``K50-K52``) under which
    it stands."""

    stands_on: str
    text: str


@dataclass(frozen=True, slots=True)
class Extra:
    """A code that stands beside a side's own code (long-term drug): code and official title."""

    code: str
    term: str


@dataclass(frozen=True, slots=True)
class Side:
    """One member: a complete code, the official wording that names it, and how it is told.

    ``names`` are noun phrases that fit into a sentence. ``story``, ``exam`` and ``plan`` are
    full sentences with the slots of the condition files; they are empty for a member of a pair
    that is never the right one.
    """

    term: str
    code: str
    system: str
    course: str
    names: tuple[str, ...]
    story: tuple[str, ...]
    exam: tuple[str, ...]
    plan: tuple[str, ...]
    drugs: tuple[str, ...]
    adds: tuple[Extra, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """An Excludes1 pair. ``keep`` names the members that may be the right one; ``settle`` maps
    each of them to sentences, with ``{keep}`` and ``{drop}``, that make it so.

    ``groups`` are condition groups, ``clashes`` code prefixes, that the rest of the chart must
    not hold. ``age`` is inclusive, in completed years.
    """

    id: str
    note: ListNote
    groups: tuple[str, ...]
    clashes: tuple[str, ...]
    sex: str
    age: tuple[int, int]
    settings: tuple[str, ...]
    sides: Mapping[str, Side] = field(hash=False)
    keep: tuple[Member, ...]
    settle: Mapping[str, tuple[str, ...]] = field(hash=False)


@dataclass(frozen=True, slots=True)
class DecoyPair:
    """Two right codes that tempt to an Excludes1 flag.

    ``source`` and ``reference`` say who allows both, ``reason`` why in one sentence;
    ``relation`` holds sentences, with ``{a}`` and ``{b}``, that state how the two stand to each
    other. The other fields are those of ``Pair``.
    """

    id: str
    kind: DecoyKind
    note: ListNote
    source: str
    reference: str
    reason: str
    groups: tuple[str, ...]
    clashes: tuple[str, ...]
    sex: str
    age: tuple[int, int]
    settings: tuple[str, ...]
    sides: Mapping[str, Side] = field(hash=False)
    relation: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scenarios:
    """All pairs and decoys, in the order of the files."""

    pairs: tuple[Pair, ...]
    decoys: tuple[DecoyPair, ...]


_COMMON = frozenset("id note groups clashes sex age settings sides".split())
_PAIR = _COMMON | {"keep", "settle"}
_DECOY = _COMMON | {"kind", "authority", "reason", "relation"}
_SIDE = frozenset("term code system course names story exam plan drugs adds".split())
_CODE = re.compile(r"[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?")
_PREFIX = re.compile(r"[A-Z](?:\d(?:[0-9A-Z](?:\.[0-9A-Z]{1,4})?)?)?")


class Row:
    """One mapping of the file; every complaint names file, row and field."""

    def __init__(self, where: str, data: object, allowed: Iterable[str]) -> None:
        if not isinstance(data, dict):
            raise TableError(f"{where}: must be a mapping, not {type(data).__name__}")
        self.where = where
        self.data: dict[str, Any] = data
        for key in data:
            if key not in allowed:
                raise self.fail(str(key), "no such field")

    def fail(self, name: str, what: str) -> TableError:
        return TableError(f"{self.where}: {name}: {what}")

    def row(self, name: str, allowed: Iterable[str]) -> Row:
        return Row(f"{self.where}: {name}", self.data.get(name), allowed)

    def text(self, name: str) -> str:
        value = self.data.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self.fail(name, f"must be a text, not {value!r}")
        return value

    def word(self, name: str, words: Iterable[str]) -> Any:
        value = self.data.get(name)
        if not isinstance(value, str) or value not in words:
            raise self.fail(name, f"{value!r} is none of {', '.join(sorted(words))}")
        return value

    def code(self, name: str) -> str:
        value = self.text(name)
        if not _CODE.fullmatch(value):
            raise self.fail(name, f"{value!r} is no ICD-10-CM code")
        return value

    def texts(
        self,
        name: str,
        least: int = 0,
        words: Iterable[str] | None = None,
        holding: Sequence[str] = (),
    ) -> tuple[Any, ...]:
        value = self.data.get(name)
        if not isinstance(value, list) or len(value) < least:
            raise self.fail(name, f"must be a list of at least {least}")
        for item in value:
            if not isinstance(item, str) or not item or item.isspace():
                raise self.fail(name, f"holds {item!r}, which is no text (quote it)")
        if words is not None:
            for item in value:
                if item not in words:
                    raise self.fail(name, f"{item!r} is none of {', '.join(sorted(words))}")
        for slot in holding:
            for item in value:
                if slot not in item:
                    raise self.fail(name, f"{item!r} lacks {slot}")
        if len(set(value)) != len(value):
            raise self.fail(name, "holds an entry twice")
        return tuple(value)

    def ages(self, name: str) -> tuple[int, int]:
        value = self.data.get(name)
        if (
            not isinstance(value, list)
            or len(value) != 2
            or any(type(item) is not int for item in value)
            or not 0 <= value[0] <= value[1] <= 120
        ):
            raise self.fail(name, f"must be [low, high] within 0 to 120, not {value!r}")
        return value[0], value[1]


def _side(parent: Row, member: str, told: bool) -> Side:
    row = parent.row(member, _SIDE)
    least = 3 if told else 0
    adds = row.data.get("adds")
    if not isinstance(adds, list):
        raise row.fail("adds", "must be a list")
    extras = [Row(f"{row.where}: adds", item, ("code", "term")) for item in adds]
    return Side(
        term=row.text("term"),
        code=row.code("code"),
        system=row.word("system", SYSTEMS),
        course=row.word("course", COURSES),
        names=row.texts("names", 5),
        story=row.texts("story", least),
        exam=row.texts("exam", least),
        plan=row.texts("plan", least),
        drugs=row.texts("drugs"),
        adds=tuple(Extra(one.code("code"), one.text("term")) for one in extras),
    )


def _common(row: Row, told: Iterable[str]) -> dict[str, Any]:
    note = row.row("note", ("stands_on", "text"))
    sides = row.row("sides", MEMBERS)
    clashes = row.texts("clashes", 1)
    for prefix in clashes:
        if not _PREFIX.fullmatch(prefix):
            raise row.fail("clashes", f"{prefix!r} is no start of an ICD-10-CM code")
    both = {member: _side(sides, member, member in told) for member in MEMBERS}
    for side in both.values():
        if not side.code.startswith(clashes):
            raise row.fail("clashes", f"must cover the pair's own {side.code}")
    return {
        "id": row.text("id"),
        "note": ListNote(note.text("stands_on"), note.text("text")),
        "groups": row.texts("groups"),
        "clashes": clashes,
        "sex": row.word("sex", SEXES),
        "age": row.ages("age"),
        "settings": row.texts("settings", 1, SETTINGS),
        "sides": both,
    }


def _pair(where: str, data: object) -> Pair:
    row = Row(where, data, _PAIR)
    keep = row.texts("keep", 1, MEMBERS)
    settle = row.row("settle", keep)
    sentences = {one: settle.texts(one, 4, holding=("{keep}", "{drop}")) for one in keep}
    return Pair(keep=keep, settle=sentences, **_common(row, keep))


def _decoy(where: str, data: object) -> DecoyPair:
    row = Row(where, data, _DECOY)
    authority = row.row("authority", ("source", "reference"))
    return DecoyPair(
        kind=row.word("kind", DECOY_KINDS),
        source=authority.word("source", AUTHORITIES),
        reference=authority.text("reference"),
        reason=row.text("reason"),
        relation=row.texts("relation", 3, holding=("{a}", "{b}")),
        **_common(row, MEMBERS),
    )


def read(path: Path) -> Scenarios:
    """The pairs and decoys of one file. Raises TableError (file, row, field, reason) for
    anything that the models don't allow and for an id that stands there twice."""
    return _join([path])


def read_folder(folder: Path) -> Scenarios:
    """The pairs and decoys of all YAML files of a folder, in the order of their names. Raises
    TableError as ``read``, also for an id that stands in two files."""
    try:
        names = sorted(path.name for path in folder.iterdir() if path.suffix == ".yaml")
    except OSError as error:
        raise TableError(f"{folder.name}: can't be read: {error}") from error
    return _join([folder / name for name in names])


def _join(paths: Iterable[Path]) -> Scenarios:
    seen: set[str] = set()
    pairs: list[Pair] = []
    decoys: list[DecoyPair] = []
    for path in paths:
        try:
            text = path.read_bytes()
        except OSError as error:
            raise TableError(f"{path.name}: can't be read: {error}") from error
        top = Row(path.name, parse(text, path.name), ("pairs", "decoys"))
        for part in ("pairs", "decoys"):
            if not isinstance(top.data.get(part), list):
                raise top.fail(part, "must be a list")
            for entry in top.data[part]:
                name = entry.get("id") if isinstance(entry, dict) else None
                if not isinstance(name, str) or name in seen:
                    raise top.fail(part, f"the id {name!r} is missing or stands there twice")
                seen.add(name)
        pairs += [_pair(f"{path.name}: {one['id']}", one) for one in top.data["pairs"]]
        decoys += [_decoy(f"{path.name}: {one['id']}", one) for one in top.data["decoys"]]
    return Scenarios(tuple(pairs), tuple(decoys))


@lru_cache(maxsize=1)
def load() -> Scenarios:
    """The bundled pairs and decoys, read once per process. Raises TableError as ``read``."""
    return read_folder(Path(__file__).with_name("excludes1"))
