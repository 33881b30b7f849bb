"""NCCI scenarios and decoys: pairs of services and how a note settles them.

The data stand in ``ncci.yaml``; here they are read into typed records. Whether pairs and
indicators are those of the NCCI tables, and terms those of the tabular list, is judged by the
tests, which have the tables at hand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from casegen.schemas import TableError

from .. import filecache as cache
from ..conditions.model import Condition, Value
from ..services.reader import SETTINGS, parse

VariantKind = Literal["bundled", "unjustified_modifier", "justified"]
Relation = Literal["same", "separate", "decision_only", "separate_problem"]
KINDS = ("bundled", "unjustified_modifier", "justified")
RELATIONS = ("same", "separate", "decision_only", "separate_problem")


@dataclass(frozen=True, slots=True)
class Variant:
    """One way in which the note settles a pair.

    ``kind``: ``bundled`` (both billed without a modifier), ``unjustified_modifier``,
    ``justified`` (right, a decoy). ``col2_in_note``: the note states the second service.
    ``relation`` is the fact that ``say`` states, None if ``say`` only tells of column 1.
    ``modifier`` goes on column 2; ``modifiers_ok`` are all that would be right.
    ``says1`` and ``says2`` are sentences that stand for the services' own, or ().
    ``uses_other``: ``say`` holds ``{other}``, the name of another active problem.
    ``uses_second``: the chart must hold the scenario's second problem. ``sole``: the visit
    may deal with no problem besides the scenario's, or the visit would be separate work.
    """

    kind: VariantKind
    col2_in_note: bool
    relation: Relation | None
    modifier: str | None
    modifiers_ok: tuple[str, ...]
    say: tuple[str, ...]
    says1: tuple[str, ...]
    says2: tuple[str, ...]
    uses_other: bool
    uses_second: bool
    sole: bool


@dataclass(frozen=True, slots=True)
class Scenario:
    """A pair that an edit joins, with the charts that it fits and its variants.

    ``sex`` is ``any``, ``female`` or ``male``; ``age`` in years, inclusive. ``fits`` are
    ICD-10-CM prefixes of chart problems that make the pair plausible (``""``: any), ``needs``
    the organ system of one. ``problem`` is a problem that the scenario brings, as a condition
    with one value; injuries among them are in active treatment (``phase``). ``also`` are
    services that stand on the claim with the pair.
    """

    id: str
    column1: str
    column2: str
    indicator: int
    settings: tuple[str, ...]
    sex: Literal["any", "female", "male"]
    age: tuple[int, int]
    fits: tuple[str, ...]
    needs: str | None
    problem: Condition | None
    second: Condition | None
    phase: Literal["active"] | None
    also: tuple[str, ...]
    variants: tuple[Variant, ...]
    why: str

    def of_kind(self, kind: VariantKind) -> tuple[Variant, ...]:
        """The variants of one kind, in file order."""
        return tuple(one for one in self.variants if one.kind == kind)


@dataclass(frozen=True, slots=True)
class PairDecoy:
    """A pair that looks bundled and isn't: its edit was deleted, or there never was one.

    ``deleted_on`` is the last date of a deleted edit. ``modifiers`` are those that belong on
    the lines. ``says_a`` and ``says_b`` stand for the services' own sentences, or are ().
    """

    id: str
    kind: Literal["deleted_pair", "no_pair"]
    a: str
    b: str
    deleted_on: str | None
    modifiers: Mapping[str, str] = field(hash=False)
    settings: tuple[str, ...]
    sex: Literal["any", "female", "male"]
    age: tuple[int, int]
    fits: tuple[str, ...]
    needs: str | None
    problem: Condition | None
    phase: Literal["active"] | None
    say: tuple[str, ...]
    says_a: tuple[str, ...]
    says_b: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class NcciScenarios:
    scenarios: tuple[Scenario, ...]
    decoys: tuple[PairDecoy, ...]


def load(cache_dir: Path | None = None) -> NcciScenarios:
    """The bundled scenarios and decoys, read once per process.

    The parsed file is kept in ``cache_dir`` (default: the user's cache). Raises TableError
    (scenario, field, reason) for anything the records don't allow.
    """
    return _load(None if cache_dir is None else str(cache_dir))


@lru_cache(maxsize=4)
def _load(cache_dir: str | None) -> NcciScenarios:
    text = Path(__file__).with_name("ncci.yaml").read_bytes()
    path = cache.path_for(cache_dir, "ncci-scenarios", hashlib.sha256(text).hexdigest())
    data = cache.read(path)
    if not isinstance(data, dict):
        data = parse(text, "ncci.yaml")
        cache.write(path, data)
    return build(data)


def build(data: Mapping[str, Any]) -> NcciScenarios:
    """The records of a parsed file. Raises TableError."""
    problems: dict[str, Condition] = {}
    scenarios = tuple(_scenario(row, problems) for row in data.get("scenarios") or ())
    decoys = tuple(_decoy(row, problems) for row in data.get("decoys") or ())
    names = [one.id for one in scenarios] + [one.id for one in decoys]
    for name in names:
        if names.count(name) > 1:
            raise TableError(f"ncci.yaml: {name}: id: stands twice")
    return NcciScenarios(scenarios, decoys)


_CHART = frozenset("id settings sex age fits needs problem".split())
_SCENARIO = _CHART | frozenset(
    "column1 column2 indicator second also variants why says1 says2".split()
)
_DECOY = _CHART | frozenset("kind a b deleted_on modifiers say says_a says_b reason".split())
_VARIANT = frozenset(
    "col2_in_note relation modifier modifiers_ok say says1 says2 uses_second".split()
)
_PROBLEM = frozenset(
    "id system course sex age term terms code codes unspecified seventh names story exam plan "
    "drugs source".split()
)


def _fail(where: str, name: str, what: str) -> TableError:
    return TableError(f"ncci.yaml: {where}: {name}: {what}")


def _known(row: Any, allowed: frozenset[str], where: str) -> None:
    if not isinstance(row, dict):
        raise TableError(f"ncci.yaml: {where}: must be a mapping")
    for key in row:
        if key not in allowed:
            raise _fail(where, key, "no such field")


def _text(row: Mapping[str, Any], name: str, where: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value:
        raise _fail(where, name, f"must be a text, not {value!r}")
    return value


def _texts(row: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    value = row.get(name) or []
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _fail(where, name, "must be a list of texts")
    if len(set(value)) != len(value):
        raise _fail(where, name, "holds an entry twice")
    return tuple(value)


def _one_of(value: Any, words: tuple[Any, ...], name: str, where: str) -> Any:
    if value not in words:
        raise _fail(where, name, f"{value!r} is none of {words}")
    return value


def _chart(row: Mapping[str, Any], where: str, problems: dict[str, Condition]) -> dict[str, Any]:
    """The fields that scenarios and decoys share; age is cut to that of the problem."""
    settings = _texts(row, "settings", where)
    if not settings or not set(settings) <= set(SETTINGS):
        raise _fail(where, "settings", f"must be some of {', '.join(SETTINGS)}")
    problem = _problem(row.get("problem"), where, problems)
    needs = row.get("needs")
    age = tuple(row.get("age") or (0, 99))
    sex = _one_of(row.get("sex", "any"), ("any", "female", "male"), "sex", where)
    if problem is not None:
        age = (max(age[0], problem.age[0]), min(age[1], problem.age[1]))
        if problem.sex != "any":
            sex = problem.sex
    if age[0] > age[1]:
        raise _fail(where, "age", "no age is left between scenario and problem")
    injury = problem is not None and problem.values[0].seventh != "none"
    return {
        "id": where,
        "settings": settings,
        "sex": sex,
        "age": age,
        "fits": _texts(row, "fits", where),
        "needs": None if needs is None else _text(needs, "system", where),
        "problem": problem,
        "phase": "active" if injury else None,
    }


def _scenario(row: Any, problems: dict[str, Condition]) -> Scenario:
    where = str(row.get("id") if isinstance(row, dict) else row)
    _known(row, _SCENARIO, where)
    variants = []
    for kind in KINDS:
        for one in (row.get("variants") or {}).get(kind) or ():
            variants.append(_variant(kind, one, row, f"{where}.{kind}"))
    if not variants or not set(row["variants"]) <= set(KINDS):
        raise _fail(where, "variants", f"must hold some of {', '.join(KINDS)}")
    indicator = _one_of(row.get("indicator"), (0, 1), "indicator", where)
    second = _problem(row.get("second"), where, problems)
    if indicator == 0 and any(one.kind == "justified" for one in variants):
        raise _fail(where, "variants", "no modifier lifts an edit of indicator 0")
    if any(one.uses_second for one in variants) and second is None:
        raise _fail(where, "second", "is missing")
    return Scenario(
        column1=_text(row, "column1", where),
        column2=_text(row, "column2", where),
        indicator=indicator,
        second=second,
        also=_texts(row, "also", where),
        variants=tuple(variants),
        why=_text(row, "why", where),
        **_chart(row, where, problems),
    )


def _variant(kind: Any, row: Any, scenario: Mapping[str, Any], where: str) -> Variant:
    _known(row, _VARIANT, where)
    relation = _one_of(row.get("relation"), (None, *RELATIONS), "relation", where)
    modifier = row.get("modifier")
    if (modifier is None) != (kind == "bundled"):
        raise _fail(where, "modifier", "stands in all variants but bundled ones")
    if (kind == "justified") != (relation in ("separate", "separate_problem")):
        raise _fail(where, "relation", f"{relation!r} doesn't go with {kind}")
    col2_in_note = row.get("col2_in_note", True)
    if (relation is None) == col2_in_note:
        raise _fail(where, "relation", "goes with a second service in the note")
    say = _texts(row, "say", where)
    if len(say) < (3 if kind == "bundled" else 4):
        raise _fail(where, "say", "needs three sentences (bundled) or four")
    modifiers_ok = _texts(row, "modifiers_ok", where)
    if kind == "justified" and modifier not in modifiers_ok:
        raise _fail(where, "modifiers_ok", "must hold the modifier")
    return Variant(
        kind=kind,
        col2_in_note=col2_in_note,
        relation=relation,
        modifier=modifier,
        modifiers_ok=modifiers_ok,
        say=say,
        says1=_texts(row, "says1", where) or _texts(scenario, "says1", where),
        says2=_texts(row, "says2", where) or _texts(scenario, "says2", where),
        uses_other=any("{other}" in text for text in say),
        uses_second=bool(row.get("uses_second", False)),
        sole=relation == "decision_only",
    )


def _decoy(row: Any, problems: dict[str, Condition]) -> PairDecoy:
    where = str(row.get("id") if isinstance(row, dict) else row)
    _known(row, _DECOY, where)
    kind = _one_of(row.get("kind"), ("deleted_pair", "no_pair"), "kind", where)
    deleted_on = row.get("deleted_on")
    if (deleted_on is None) != (kind == "no_pair"):
        raise _fail(where, "deleted_on", "stands exactly with deleted pairs")
    return PairDecoy(
        kind=kind,
        a=_text(row, "a", where),
        b=_text(row, "b", where),
        deleted_on=deleted_on,
        modifiers=dict(row.get("modifiers") or {}),
        say=_texts(row, "say", where),
        says_a=_texts(row, "says_a", where),
        says_b=_texts(row, "says_b", where),
        reason=_text(row, "reason", where),
        **_chart(row, where, problems),
    )


def _problem(row: Any, where: str, problems: dict[str, Condition]) -> Condition | None:
    if row is None:
        return None
    _known(row, _PROBLEM, f"{where}.problem")
    name = _text(row, "id", f"{where}.problem")
    if name in problems:
        return problems[name]
    where = f"{where}.{name}"
    code, codes = row.get("code"), row.get("codes") or {}
    if (code is None) == (not codes):
        raise _fail(where, "code", "needs either code or codes")
    value = Value(
        id=name,
        weight=1,
        course=row["course"],
        roles=("reason",),
        settings=SETTINGS,
        term=_text(row, "term", where),
        code=code,
        codes=dict(codes),
        unspecified=row.get("unspecified"),
        terms=dict(row.get("terms") or {}),
        seventh=row.get("seventh", "none"),
        less_specific=None,
        names=_texts(row, "names", where),
        story=_texts(row, "story", where),
        background=(),
        exam=_texts(row, "exam", where),
        results=(),
        plan=_texts(row, "plan", where),
        drugs=_texts(row, "drugs", where),
        services=(),
        adds=(),
        attributes={},
        source=_text(row, "source", where),
    )
    if len(value.names) < 5 or len(value.story) < 3 or len(value.plan) < 3:
        raise _fail(where, "names", "needs five names, three stories and three plans")
    age = row.get("age") or (0, 99)
    problems[name] = Condition(
        id=f"ncci_{name}",
        chapter=0,  # not of a chapter file
        system=_text(row, "system", where),
        also_systems=(),
        sex=row.get("sex", "any"),
        age=(age[0], age[1]),
        age_days=None,
        settings=SETTINGS,
        roles=("reason",),
        weight=1,
        groups=(),
        incompatible=(),
        compatible=(),
        presupposes=(),
        values=(value,),
        source=value.source,
    )
    return problems[name]
