"""Charts that are coded by a guideline which binds several facts, from ``guidelines/*.yaml``.

A chart tells facts, never codes of the claim: ``code`` is what the wording of a part names by
itself, before any guideline. ``load`` gives the charts typed and judges their form; the tests
hold codes and terms against the tabular list, and the answers against claims made by hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from casegen.schemas.errors import TableError

from ..conditions import Condition, Value
from ..conditions import load as load_conditions
from ..data import parse
from . import COURSES, SETTINGS, SEXES, SYSTEMS, Extra, Row

# The families of guidelines; every one has its share of the cases.
KINDS = (
    "uncertain", "integral", "linked", "unlinked", "etiology", "cancer", "stroke", "infarction",
    "drug", "pregnancy", "sepsis", "screening", "fragility",
)  # fmt: skip
# Kinds that coding cases alone have: what injuries leave, what stands together against all looks,
# and charts in which something stays open.
CODING_KINDS = ("injury", "together")
# Kinds of the charts' twins in which what was open has been settled.
SETTLED_KINDS = ("worked_up", "agreed", "treated")
OPEN_KINDS = ("open_workup", "conflict_diagnosis", "treatment_unclear")
RELATIONS = ("integral", "due_to", "minor_trauma", "found_by", "unrelated", "both", *OPEN_KINDS)
STATUSES = ("active", "history", "uncertain")
SEVENTHS = ("none", "injury", "fracture")
ATTRIBUTES = ("side", "phase", "fracture", "handedness", "weeks_ago")
_NAMES = "abcde"
_CHART = frozenset(
    "id kind section source sex age settings stays groups clashes closed parts relations slips "
    "odd services".split()
)
_PART = frozenset(
    "use term code system course status quiet reason seventh attributes weeks names story exam "
    "plan drugs adds".split()
)
_RELATION = frozenset(("term", "about", "say", "say_stay"))
_SLIP = frozenset(("code", "wrong", "kind"))
_ODD = frozenset(("codes", "section", "reason"))
_CODE = re.compile(r"[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?")


@dataclass(frozen=True, slots=True)
class Part:
    """One problem: a ``condition`` with its ``value`` from the condition files, or its own words.

    ``attributes`` maps a name to the values of which one is drawn; ``weeks`` are weeks of
    gestation of which one is drawn and told. ``quiet``: told in the sentence of a relation
    alone. The other fields are those of ``scenarios.Side``.
    """

    name: str
    condition: Condition | None
    value: Value | None
    term: str
    code: str
    system: str
    course: str
    status: str
    quiet: bool
    reason: bool
    seventh: str
    attributes: Mapping[str, tuple[str, ...]] = field(hash=False)
    weeks: tuple[int, ...]
    names: tuple[str, ...]
    story: tuple[str, ...]
    exam: tuple[str, ...]
    plan: tuple[str, ...]
    drugs: tuple[str, ...]
    adds: tuple[Extra, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """How parts (by name) stand to each other, in sentences with their names as places;
    ``say_stay`` replaces ``say`` where the hospital bills a stay."""

    term: str
    about: tuple[str, ...]
    say: tuple[str, ...]
    say_stay: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """A code of the right claim, and a code of its category that somebody bills who overlooks
    the guideline; ``kind`` as in findings of specificity."""

    code: str
    wrong: str
    kind: str


@dataclass(frozen=True, slots=True)
class Odd:
    """Codes of the right claim that look wrong to who overlooks the guideline, the section that
    bears them out, and the reason in one sentence."""

    codes: tuple[str, ...]
    section: str
    reason: str


@dataclass(frozen=True, slots=True)
class GuidedChart:
    """A chart of one ``kind``; ``section`` of the guidelines, ``source`` of the clinical facts.

    ``settings`` are those of professional claims; with ``stays`` the chart may also be an
    inpatient stay that the hospital bills. ``closed``: only statuses may join.
    """

    id: str
    kind: str
    section: str
    source: str
    sex: str
    age: tuple[int, int]
    settings: tuple[str, ...]
    stays: bool
    groups: tuple[str, ...]
    clashes: tuple[str, ...]
    closed: bool
    parts: tuple[Part, ...]
    relations: tuple[Relation, ...]
    slips: tuple[Slip, ...]
    odd: tuple[Odd, ...]
    services: tuple[str, ...]


def _value(row: Row, name: str) -> tuple[Condition, Value]:
    wanted, _, which = name.partition(".")
    for condition in load_conditions():
        if condition.id == wanted:
            for value in condition.values:
                if value.id == which:
                    return condition, value
    raise row.fail("use", f"no condition has the value {name!r}")


def _numbers(row: Row, name: str) -> tuple[int, ...]:
    value = row.data.get(name, [])
    if not isinstance(value, list) or any(type(item) is not int for item in value):
        raise row.fail(name, f"must be a list of whole numbers, not {value!r}")
    return tuple(value)


def _attributes(row: Row) -> dict[str, tuple[str, ...]]:
    value = row.data.get("attributes", {})
    if not isinstance(value, dict):
        raise row.fail("attributes", "must be a mapping")
    inner = Row(f"{row.where}: attributes", value, ATTRIBUTES)
    return {name: inner.texts(name, 1) for name in value}


def _flag(row: Row, name: str) -> bool:
    value = row.data.get(name, False)
    if not isinstance(value, bool):
        raise row.fail(name, f"must be true or false, not {value!r}")
    return value


def _optional(row: Row, name: str, words: Sequence[str], default: str) -> str:
    return default if name not in row.data else row.word(name, words)


def _list(row: Row, name: str, least: int = 0) -> tuple[Any, ...]:
    return row.texts(name, least) if least or name in row.data else ()


def _rows(row: Row, name: str, allowed: frozenset[str]) -> list[Row]:
    value = row.data.get(name, [])
    if not isinstance(value, list):
        raise row.fail(name, "must be a list")
    return [Row(f"{row.where}: {name} {at}", item, allowed) for at, item in enumerate(value)]


def _part(row: Row, name: str) -> Part:
    condition = value = None
    quiet = _flag(row, "quiet")
    if "use" in row.data:
        condition, value = _value(row, row.text("use"))
        code = value.code or next(iter(value.codes.values()))
        term, system, course = value.term, condition.system, value.course
        names: tuple[str, ...] = value.names
    else:
        term, code = row.text("term"), row.text("code")
        if not _CODE.fullmatch(code):
            raise row.fail("code", f"{code!r} is no ICD-10-CM code")
        system, course = row.word("system", SYSTEMS), row.word("course", COURSES)
        names = row.texts("names", 2)
    return Part(
        name, condition, value, term, code, system, course,
        status=_optional(row, "status", STATUSES, "active"),
        quiet=quiet,
        reason=_flag(row, "reason"),
        seventh=_optional(row, "seventh", SEVENTHS, "none"),
        attributes=_attributes(row),
        weeks=_numbers(row, "weeks"),
        names=names,
        story=_list(row, "story"),
        exam=_list(row, "exam"),
        plan=_list(row, "plan"),
        drugs=_list(row, "drugs"),
        adds=tuple(
            Extra(one.code("code"), one.text("term"))
            for one in _rows(row, "adds", frozenset(("code", "term")))
        ),
    )  # fmt: skip


def _relation(row: Row, names: Sequence[str]) -> Relation:
    term = row.word("term", RELATIONS)
    # A question about treatment is one about a tumor alone.
    about = row.texts("about", 1 if term == "treatment_unclear" else 2, names)
    for field_name in ("say", "say_stay"):
        for text in row.data.get(field_name, []):
            for place in re.findall(r"\{([a-e])\}", str(text)):
                if place not in names:
                    raise row.fail(field_name, f"{text!r} names {place}, which is no part")
    return Relation(term, about, row.texts("say", 2), _list(row, "say_stay"))


def _chart(where: str, data: object) -> GuidedChart:
    row = Row(where, data, _CHART)
    parts_data = row.data.get("parts")
    if not isinstance(parts_data, dict) or not parts_data:
        raise row.fail("parts", "must be a mapping of at least one part")
    parts = tuple(
        _part(Row(f"{where}: {name}", part, _PART), row_name(row, name))
        for name, part in parts_data.items()
    )
    names = [part.name for part in parts]
    relations = tuple(_relation(one, names) for one in _rows(row, "relations", _RELATION))
    told = " ".join(text for one in relations for text in one.say)
    for part in parts:
        if (part.quiet or part.status == "uncertain") and f"{{{part.name}}}" not in told:
            raise row.fail("relations", f"none names the part {part.name}, which is told nowhere")
    return GuidedChart(
        id=row.text("id"),
        kind=row.word("kind", (*KINDS, *CODING_KINDS, *OPEN_KINDS)),
        section=row.text("section"),
        source=row.text("source"),
        sex=row.word("sex", SEXES),
        age=row.ages("age"),
        settings=_settings(row),
        stays=_flag(row, "stays"),
        groups=_list(row, "groups"),
        clashes=_list(row, "clashes"),
        closed=_flag(row, "closed"),
        parts=parts,
        relations=relations,
        slips=tuple(
            Slip(one.code("code"), one.code("wrong"), one.text("kind"))
            for one in _rows(row, "slips", _SLIP)
        ),
        odd=tuple(
            Odd(one.texts("codes", 1), one.text("section"), one.text("reason"))
            for one in _rows(row, "odd", _ODD)
        ),
        services=_list(row, "services"),
    )


def _settings(row: Row) -> tuple[str, ...]:
    found = row.texts("settings", 0, SETTINGS)
    if not found and not row.data.get("stays"):
        raise row.fail("settings", "names none, and the chart is no stay")
    return found


def row_name(row: Row, name: object) -> str:
    """The name of a part: one letter, so that sentences can hold its place."""
    if not isinstance(name, str) or name not in _NAMES or len(name) != 1:
        raise row.fail("parts", f"{name!r} is none of {', '.join(_NAMES)}")
    return name


def read(path: Path) -> tuple[GuidedChart, ...]:
    """The charts of one file. Raises TableError (file, row, field, reason) for anything that
    the models don't allow and for an id that stands there twice."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise TableError(f"{path.name}: can't be read: {error}") from error
    top = Row(path.name, parse(text, path.name), ("charts",))
    entries = top.data.get("charts")
    if not isinstance(entries, list):
        raise top.fail("charts", "must be a list")
    seen: set[str] = set()
    found = []
    for entry in entries:
        name = entry.get("id") if isinstance(entry, dict) else None
        if not isinstance(name, str) or name in seen:
            raise top.fail("charts", f"the id {name!r} is missing or stands there twice")
        seen.add(name)
        found.append(_chart(f"{path.name}: {name}", entry))
    return tuple(found)


@lru_cache(maxsize=1)
def load() -> tuple[GuidedChart, ...]:
    """The bundled charts in the order of the files' names, read once per process."""
    folder = Path(__file__).with_name("guidelines")
    return tuple(chart for path in sorted(folder.glob("*.yaml")) for chart in read(path))
