"""Loads what the families draw from and indexes it, once a process and split."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from casegen.seeds import data
from casegen.seeds.collector import paused
from casegen.seeds.conditions import load as load_conditions
from casegen.seeds.editions import editions_of
from casegen.seeds.icd10cm.listing import billable_below
from casegen.seeds.names import pool as names
from casegen.seeds.phrases import Style
from casegen.seeds.phrases import load as load_phrases
from casegen.seeds.services import Service
from casegen.seeds.services import load as load_services

from .chart.options import ALONE, SETTINGS, Option, make_option, pool
from .config import BUNDLED
from .fitting import Fitting
from .guidelines import compile_guidelines
from .longtail import longtail
from .randomness import Fixed, digest_int, running_sums
from .scenarios import compile_ncci, compile_pairs, compile_surprises
from .world import EncounterRules, Level, NoteStyle, QuestionForms, Ties, World

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

AUTHORS = 96


@lru_cache(maxsize=1)
def reference() -> tuple[Tables, Services]:
    """The bundled reference tables: ICD-10-CM, and services with the NCCI tables."""
    from casegen.seeds.icd10cm.tables import load as load_tables

    return load_tables(), load_services()


def reference_of(name: str) -> tuple[Tables, Services]:
    """The tables of an imported set, or ``bundled``. Raises InputError."""
    if name == BUNDLED:
        return reference()
    from casegen.seeds.imports.sets import load

    found = load(name)
    return found.tables, found.services


def _held_out(option: Option) -> bool:
    """Rare values that only the test split draws: one in twelve of the least common half."""
    return option.weight <= 8 and digest_int(option.key) % 12 == 0


@lru_cache(maxsize=3)
def world_of(split: str, name: str = BUNDLED) -> World:
    """All that one split draws from, by the tables of that name."""
    with paused():
        return _world_of(split, name)


def _world_of(split: str, name: str) -> World:
    tables, judged_by = reference_of(name)
    services = judged_by.within(*tables.window)
    fitting = None if name == BUNDLED else Fitting(tables, services, reference()[0])
    phrases = load_phrases()
    conditions = load_conditions()
    options = [make_option(c, v) for c in conditions for v in c.values]
    if fitting is not None:
        fits = fitting.conditions(conditions)
        options = [o for o in options if o.value.id in fits.get(o.condition.id, ())]
    drawn = list(services) if fitting is None else fitting.kept("services", services, fitting.units)
    if split != "test":
        options = [o for o in options if not _held_out(o)]
    ncci, quiet = compile_ncci(fitting)
    pairs, decoy_pairs = compile_pairs(fitting)
    rules = data.read("encounters.yaml")
    tail = longtail(tables)
    return World(
        split=split,
        tables=tables,
        services=services,
        judged_by=judged_by,
        editions=editions_of(tables, judged_by),
        left_out={} if fitting is None else dict(fitting.left_out),
        difficulties=_levels(data.read("difficulty.yaml")),
        encounters=EncounterRules(
            rules["settings"],
            rules["inpatient_facility_percent"],
            tuple(rules["stay_days"]),
            {payer: tuple(plans) for payer, plans in rules["insurance"].items()},
            tuple(rules["never"]),
        ),
        questions={
            topic: QuestionForms(
                tuple(forms["keywords"]), {v: tuple(a) for v, a in forms["answers"].items()}
            )
            for topic, forms in data.read("questions.yaml").items()
        },
        names=(names("female"), names("male")),
        last_names=names("last"),
        banks=phrases.banks,
        drugs_apart=_drugs_apart(),
        styles=_styles(phrases.styles, phrases.headings),
        reasons={
            setting: pool(o for o in options if o.reason and setting in _settings(o))
            for setting in SETTINGS
        },
        backgrounds=pool(
            o for o in options if o.background and ALONE not in o.condition.incompatible
        ),
        companions=_companion_pool(options),
        by_condition=_by_condition(options),
        barred_by=_barred_by(options),
        exams=[o for o in options if o.category == "Z00" and o.condition.age_days is None],
        exam_codes=[c for c in billable_below(tables, "Z00") if tables.age_by_meaning(c)],
        axis_pools=_axis_pools(options, tables),
        axis_codes=tail.axes,
        pairs=pairs,
        decoy_pairs=decoy_pairs,
        ncci=ncci,
        quiet_pairs=quiet,
        guidelines=compile_guidelines(),
        rivals=tail.rivals,
        foreign_sex={"female": tail.male, "male": tail.female},
        age_codes=tail.age,
        surprises=compile_surprises(tables),
        odd_codes=tail.odd,
        future_children=tail.future,
        retired_services=_retired(services, tables.window[0]),
        visit_services={s: [v for v in drawn if v.em and s in v.settings] for s in SETTINGS},
        other_services=_other_services(drawn),
        apart=_apart(tables, data.read("presumed_links.yaml")["apart"]),
        ages=sorted(
            {a for b in phrases.banks.values() for e in b for a in (e.ages[0], e.ages[1] + 1)}
        ),
        ties=Ties(tables.store.ties["bits"], tables.store.ties["masks"]),
    )


def _settings(option: Option) -> tuple[str, ...]:
    return option.value.settings or option.condition.settings


def _levels(table: Mapping[str, Any]) -> dict[str, Level]:
    return {
        name: Level(
            row["weight"],
            tuple(row["codes"]),
            tuple(row["errors"]),
            tuple(running_sums(row["errors"])),
            tuple(row["decoys"]),
            row["ambiguous"],
            row["max_steps"],
            dict(row["types"]),
        )
        for name, row in table.items()
    }


def _drugs_apart() -> dict[str, frozenset[str]]:
    """For each drug of the data file those that it is not listed with."""
    found: dict[str, set[str]] = {}
    for row in data.read("drugs_apart.yaml")["apart"]:
        for one in row["one"]:
            for other in row.get("other", row["one"]):
                if one != other:
                    found.setdefault(one, set()).add(other)
                    found.setdefault(other, set()).add(one)
    return {drug: frozenset(others) for drug, others in found.items()}


def _authors(headings: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """Writers of notes, each with the headings that he always uses."""
    authors = []
    for number in range(AUTHORS):
        lane = Fixed(f"author/{number}")
        authors.append({section: lane.pick(forms) for section, forms in headings.items()})
    return authors


def _styles(
    styles: Mapping[str, Style], headings: Mapping[str, Sequence[str]]
) -> dict[str, list[NoteStyle]]:
    """By setting the styles of its notes, each with its authors."""
    shared = _authors(headings)
    made = {
        name: NoteStyle(
            name,
            style.orders,
            _authors({**headings, **style.headings}) if style.headings else shared,
        )
        for name, style in styles.items()
    }
    return {
        setting: [made[name] for name, style in styles.items() if setting in style.settings]
        for setting in SETTINGS
    }


def _companion_pool(options: Iterable[Option]) -> Any:
    options = list(options)
    named = {c for o in options for c in o.condition.compatible}
    return pool(o for o in options if o.condition.id in named)


def _by_condition(options: Iterable[Option]) -> dict[str, list[Option]]:
    """The background options of each condition, for those that another presupposes."""
    out: dict[str, list[Option]] = {}
    for option in options:
        if option.background:
            out.setdefault(option.condition.id, []).append(option)
    return out


def _barred_by(options: Iterable[Option]) -> dict[str, tuple[str, ...]]:
    barred: dict[str, set[str]] = {}
    for option in options:
        for other in option.condition.incompatible:
            barred.setdefault(other, set()).add(option.condition.id)
    return {key: tuple(sorted(ids)) for key, ids in barred.items()}


def _axis_pools(options: Iterable[Option], tables: Tables) -> dict[str, list[Option]]:
    options = list(options)
    sevenths = [o for o in options if o.value.seventh != "none"]
    fractures = [o for o in sevenths if o.value.seventh == "fracture"]
    return {
        "phase": sevenths,
        "injury": [o for o in sevenths if o.value.seventh == "injury"],
        "healing": fractures,
        "fracture_type": fractures,
        "laterality": [o for o in options if len(o.sides) > 1],
        "unspecified": [o for o in options if o.value.unspecified or o.value.less_specific],
        "detail": [
            o
            for o in options
            if o.value.less_specific
            and o.value.seventh == "none"
            and not _leaves_open(tables, o.value.less_specific)
        ],
        "incomplete": [o for o in options if len((o.value.code or "X99.9").replace(".", "")) > 4],
    }


def _apart(tables: Tables, rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Prefixes of codes that the classification links, by category, in both directions."""
    categories = list(tables.store.ties["bits"])
    out: dict[str, list[Any]] = {}
    for row in rows:
        for own, other in ((row["a"], row["b"]), (row["b"], row["a"])):
            mine, theirs = tuple(own), tuple(other)
            heads = {prefix[:3] for prefix in mine if len(prefix) >= 3}
            short = tuple(prefix for prefix in mine if len(prefix) < 3)
            if short:
                heads.update(head for head in categories if head.startswith(short))
            for head in sorted(heads):
                out.setdefault(head, []).append((mine, theirs))
    return out


def _leaves_open(tables: Tables, code: str) -> bool:
    """Whether a code says by its own words that something is unspecified."""
    return "unspecified" in tables.title(code).lower() or code[3:] == ".9"


def _retired(services: Services, on: str) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for one in services.retired_codes():
        if one.ended_on <= on:
            out.setdefault(one.code[:2], []).append(one.code)
    return out


def _other_services(services: Iterable[Service]) -> dict[str, dict[str, list[Service]]]:
    """Services that need no other beside them, by ``setting.sex`` and organ system."""
    out: dict[str, dict[str, list[Service]]] = {}
    for setting in SETTINGS:
        for sex in ("female", "male"):
            pools: dict[str, list[Service]] = {}
            for one in services:
                if one.em is not None or setting not in one.settings or one.category == "em":
                    continue
                if one.companions or one.needs_primary:
                    continue
                if one.sex in (None, sex) and one.suits_sex in (None, sex):
                    for system in one.systems:
                        pools.setdefault(system, []).append(one)
            out[f"{setting}.{sex}"] = pools
    return out
