"""Faults, each one wrong code, rule, edit or span, planted in memory.

A fault is planted where cases are made, never in what the checker reads: in condition data,
coder, injectors, note writer or service data. ``touches`` says whether the faulty piece had a
part in a case, so that a fault that nothing uses can't pass for a caught one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pytest

from casegen import audit
from casegen.chart.model import Chart
from casegen.chart.options import BIT, Option, Pool
from casegen.coder import Draft, diagnoses, sevenths
from casegen.injectors import (
    demographic_mismatch,
    excludes1_conflict,
    ncci_edit,
    specificity_error,
    untraceable_code,
)
from casegen.note import writer
from casegen.note.pen import Pen
from casegen.randomness import running_sums
from casegen.schemas import Case, Fact, Span
from casegen.schemas import authority as sources
from casegen.world import World

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch, World], World]
HEAVY = 100_000


@dataclass(frozen=True)
class Fault:
    """A fault: how it is planted (the world to draw from is returned), which cases it touches,
    and the configuration that brings such cases about."""

    name: str
    area: str
    plant: Plant
    touches: Callable[[Case], bool]
    config: Mapping[str, Any] = field(default_factory=dict)


# -- condition data ----------------------------------------------------------------------


def _options(world: World) -> dict[str, Option]:
    pools = [*world.reasons.values(), world.backgrounds]
    return {option.key: option for pool in pools for option in pool.options}


def _first(pool: Pool, option: Option) -> Pool:
    """The pool without the value ``option`` as it was, and ``option`` before all others."""
    pairs = zip(pool.options, _weights(pool), strict=True)
    rest = [(o, weight) for o, weight in pairs if o.key != option.key]
    weights = [HEAVY, *(weight for _, weight in rest)]
    return Pool((option, *(o for o, _ in rest)), running_sums(weights))


def _weights(pool: Pool) -> list[int]:
    return [b - a for a, b in pairwise((0, *pool.totals))]


def often(world: World, *options: Option) -> World:
    """The world with these options (changed or not) drawn before all others."""
    reasons, backgrounds = dict(world.reasons), world.backgrounds
    axes = dict(world.axis_pools)
    for option in options:
        if option.reason:
            reasons = {
                setting: _first(pool, option) if option.mask & BIT[setting] else pool
                for setting, pool in reasons.items()
            }
        if option.background:
            backgrounds = _first(backgrounds, option)
        axes = {
            axis: [option] if any(o.key == option.key for o in pool) else pool
            for axis, pool in axes.items()
        }
    return replace(
        world, reasons=reasons, backgrounds=backgrounds, axis_pools=axes, tail_percent=20
    )


def option(key: str, **changes: Any) -> Plant:
    """Change fields of an option: of a condition's value as it is drawn."""

    def plant(patch: Patch, world: World) -> World:
        return often(world, replace(_options(world)[key], **changes))

    return plant


def value(key: str, **changes: Any) -> Plant:
    """Change fields of a condition's value."""

    def plant(patch: Patch, world: World) -> World:
        right = _options(world)[key]
        return often(world, replace(right, value=replace(right.value, **changes)))

    return plant


def added(key: str, **changes: Any) -> Plant:
    """Change the code that comes with a condition's value."""

    def plant(patch: Patch, world: World) -> World:
        right = _options(world)[key]
        adds = (replace(right.value.adds[0], **changes), *right.value.adds[1:])
        return often(world, replace(right, value=replace(right.value, adds=adds)))

    return plant


def has(key: str) -> Callable[[Case], bool]:
    """Whether a condition's value stands in the case."""
    return lambda case: any(c.partition("[")[0] == key for c in case.conditions)


def told(*parts: str) -> Callable[[Case], bool]:
    """Whether one condition of the case has all these attributes."""
    return lambda case: any(all(part in c for part in parts) for c in case.conditions)


# -- coder ---------------------------------------------------------------------------------


def table(name: str, key: Any, char: str, used: str) -> Plant:
    """Change one seventh character in a table of the coder; ``used`` is a value that needs it."""

    def plant(patch: Patch, world: World) -> World:
        patch.setitem(getattr(sevenths, name), key, char)
        return often(world, _options(world)[used])

    return plant


def lengthened(change: Callable[[str, str], tuple[str, str, str]], used: str) -> Plant:
    """Change how codes get their placeholders and seventh characters."""

    def lengthen(base: str, character: str) -> str:
        base, fill, character = change(base, character)
        stem = base.replace(".", "").ljust(6, fill) + character
        return f"{stem[:3]}.{stem[3:]}"

    def plant(patch: Patch, world: World) -> World:
        patch.setattr(diagnoses, "lengthen", lengthen)
        return often(world, _options(world)[used])

    return plant


def linked(change: Callable[[Any], list[Any]]) -> Plant:
    """Change the links that the coder assumes."""

    def plant(patch: Patch, world: World) -> World:
        right = diagnoses.assumed_links
        patch.setattr(diagnoses, "assumed_links", lambda codes: change(right(codes)))
        options = _options(world)
        return often(world, options["hypertension.longstanding"], options["ckd.stage_3a_listed"])

    return plant


def late_stage(found: list[Any]) -> list[Any]:
    return [replace(link, code=link.code.replace("I12.9", "I12.0")) for link in found]


def coded(change: Callable[[list[Draft]], None]) -> Plant:
    """Change the claim that the coder returns."""

    def plant(patch: Patch, world: World) -> World:
        right = audit.code_chart

        def code_chart(chart: Chart) -> list[Draft]:
            drafts = right(chart)
            change(drafts)
            return drafts

        patch.setattr(audit, "code_chart", code_chart)
        return world

    return plant


def many_units(drafts: list[Draft]) -> None:
    for draft in drafts:
        draft.units = 99


def services(case: Case) -> bool:
    return any(line.system != "ICD-10-CM" for line in case.claim)


# -- injectors -----------------------------------------------------------------------------


def broken(module: Any, change: Callable[[Any], None]) -> Plant:
    """Change what an injector tells of its finding."""

    def plant(patch: Patch, world: World) -> World:
        right = module.Broken

        def make(*args: Any) -> Any:
            finding = right(*args)
            change(finding)
            return finding

        patch.setattr(module, "Broken", make)
        return world

    return plant


def same_code(finding: Any) -> None:
    finding.replacement = finding.draft.code


def one_type(finding: Any) -> None:
    del finding.accepted_types[1:]


def less_evidence(finding: Any) -> None:
    finding.facts = finding.facts[1:]


def age_for_sex(finding: Any) -> None:
    if finding.kind == "sex":
        finding.facts = ["age"]


class Sources:
    """The authorities with some of their constructors changed."""

    def __init__(self, **changes: Any) -> None:
        self.__dict__.update(changes)

    def __getattr__(self, name: str) -> Any:
        return getattr(sources, name)


def cited(module: Any, **changes: Any) -> Plant:
    """Change how an injector cites an authority."""

    def plant(patch: Patch, world: World) -> World:
        patch.setattr(module, "sources", Sources(**changes))
        return world

    return plant


def found(error_type: str, *kinds: str) -> Callable[[Case], bool]:
    """Whether the case has a finding of that type (and of one of these kinds)."""
    return lambda case: any(
        f.error_type == error_type and (not kinds or f.kind in kinds) for f in case.findings
    )


def decoy(kind: str) -> Callable[[Case], bool]:
    """Whether the case has a decoy of that kind."""
    return lambda case: any(d.kind == kind for d in case.decoys)


def only(error_type: str, **more: Any) -> dict[str, Any]:
    """The configuration with errors of one type."""
    return {"errors": {error_type: 1}, "clean": 0.0, **more}


def age_bounds(patch: Patch, world: World) -> World:
    patch.setitem(demographic_mismatch.AGE_GROUPS, "adult", (18, 124))
    return world


def scenario(name: str, change: Callable[[Any], Any]) -> Plant:
    """Draw one NCCI scenario only, changed."""

    def plant(patch: Patch, world: World) -> World:
        one = next(s for s in world.ncci if s.id == name)
        return replace(world, ncci=[change(one)], quiet_pairs=[])

    return plant


def justified(change: Callable[[Draft, Draft], None]) -> Plant:
    """Change the lines (column 1, column 2) of a visit that its modifier justifies."""

    def plant(patch: Patch, world: World) -> World:
        right = ncci_edit.Justified.apply

        def apply(self: Any, work: Any) -> Any:
            done = right(self, work)
            if done is not None:
                change(done.related, done.draft)
            return done

        patch.setattr(ncci_edit.Justified, "apply", apply)
        return scenario("knee_injection_and_visit_low", lambda one: one)(patch, world)

    return plant


def move_modifier(first: Draft, second: Draft) -> None:
    first.modifiers, second.modifiers = second.modifiers, first.modifiers


def drop_modifier(first: Draft, second: Draft) -> None:
    second.modifiers = []


def plain_modifier(one: Any) -> Any:
    """51 (several procedures) lifts no pair."""
    return replace(one, right=tuple(replace(v, modifier="51") for v in one.right))


def other_note(patch: Patch, world: World) -> World:
    right = World.leading_hit

    def leading_hit(self: World, hits: Any) -> Any:
        return replace(right(self, hits), note="any other disorder of this kind")

    patch.setattr(World, "leading_hit", leading_hit)
    return world


def related_after_all(patch: Patch, world: World) -> World:
    """Decoys whose codes stand only because they are unrelated, and no fact says so."""
    pairs = [replace(p, kind="excludes2") for p in world.decoy_pairs if p.kind == "unrelated"]
    return replace(world, decoy_pairs=pairs)


def living_code(patch: Patch, world: World) -> World:
    """A service that is valid stands among the retired ones."""
    retired = {**world.retired_services, "99": ["99291"]}
    patch.setattr(untraceable_code, "_SERVICE_WEIGHT", 100)
    return replace(world, retired_services=retired)


def wrong_answer(patch: Patch, world: World) -> World:
    right = specificity_error.ask
    other = {"right": "left", "left": "right", "bilateral": "right", "active": "healing"}

    def ask(problem: Any, work: Any) -> Any:
        question = right(problem, work)
        question.value = other.get(question.value, "active")
        return question

    patch.setattr(specificity_error, "ask", ask)
    return world


# -- note writer ---------------------------------------------------------------------------


def recorded(change: Callable[[Chart, dict[str, Fact]], None]) -> Plant:
    """Change the record before the note is written."""

    def plant(patch: Patch, world: World) -> World:
        right = writer._blank_facts

        def blank_facts(chart: Chart) -> dict[str, Fact]:
            facts = right(chart)
            change(chart, facts)
            return facts

        patch.setattr(writer, "_blank_facts", blank_facts)
        return world

    return plant


def flip(attribute: str, **to: str) -> Callable[[Chart, dict[str, Fact]], None]:
    def change(chart: Chart, facts: dict[str, Fact]) -> None:
        for fact in facts.values():
            if fact.attributes.get(attribute) in to:
                fact.attributes = {**fact.attributes, attribute: to[fact.attributes[attribute]]}

    return change


def still_active(chart: Chart, facts: dict[str, Fact]) -> None:
    for fact in facts.values():
        fact.status = "active"


def other_service(chart: Chart, facts: dict[str, Fact]) -> None:
    for fact in facts.values():
        if fact.kind == "service":
            fact.term = "Comprehensive metabolic panel"


def told_anyway(chart: Chart, facts: dict[str, Fact]) -> None:
    for problem in chart.problems:
        facts[problem.id].attributes = problem.attributes


def shifted(patch: Patch, world: World) -> World:
    right = Pen.state

    def state(self: Pen, text: str, fact: Fact, *after: str) -> None:
        right(self, text, fact, *after)
        last = fact.spans[-1]
        fact.spans[-1] = Span(last.start + 1, last.end + 1, last.text)

    patch.setattr(Pen, "state", state)
    return world


def respanned(change: Callable[[Fact, Fact], None]) -> Plant:
    """Change the spans of the first two active problems of a note."""

    def plant(patch: Patch, world: World) -> World:
        right = audit.write_note

        def write_note(*args: Any) -> Any:
            written = right(*args)
            problems = [f for f in written.facts.values() if f.kind == "problem" and f.spans]
            if len(problems) > 1:
                change(problems[0], problems[1])
            return written

        patch.setattr(audit, "write_note", write_note)
        return world

    return plant


def move_spans(one: Fact, other: Fact) -> None:
    other.spans, one.spans = [*one.spans, *other.spans], []


def exchange_spans(one: Fact, other: Fact) -> None:
    one.spans, other.spans = other.spans, one.spans


def two_problems(case: Case) -> bool:
    return sum(f.kind == "problem" for f in case.record) > 1


def any_case(case: Case) -> bool:
    return True


CUT = "hand_laceration.hand_glass"
RIB = "rib_fracture.one"
WRIST = "distal_radius_fracture.nos_ladder"
FAULTS = (
    # condition data
    Fault(
        "code of a neighbour in the category", "condition data",
        value("copd.exacerbation_office", code="J44.0"), has("copd.exacerbation_office"),
    ),
    Fault(
        "code of another category", "condition data",
        value("gerd.listed", code="K31.9"), has("gerd.listed"),
    ),
    Fault(
        "code of the other side", "condition data",
        value("knee_osteoarthritis.one_side", codes={"right": "M17.12", "left": "M17.12"}),
        told("knee_osteoarthritis.one_side", "side=right"),
    ),
    Fault(
        "wording of another condition", "condition data",
        value("gerd.listed", term="Gout, unspecified"), has("gerd.listed"),
    ),
    Fault(
        "less specific code of another category", "condition data",
        value("obesity.class_1", less_specific="E65"),
        lambda case: any(line.code == "E65" for line in case.claim), only("specificity_error"),
    ),
    Fault(
        "wrong stage among the attributes", "condition data",
        value("glaucoma_poag.moderate_one", attributes={"seventh": "severe stage"}),
        has("glaucoma_poag.moderate_one"),
    ),
    Fault(
        "wrong code beside the condition", "condition data",
        added("obesity.class_2", code="Z68.38"), has("obesity.class_2"),
    ),
    Fault(
        "wrong wording beside the condition", "condition data",
        added("type2_diabetes.listed", term="Long term (current) use of insulin"),
        has("type2_diabetes.listed"),
    ),
    Fault(
        "condition of men given to women", "condition data",
        option("bph.without_symptoms", sex=2),
        lambda case: has("bph.without_symptoms")(case) and case.patient.sex == "female",
    ),
    # coder
    Fault(
        "A for an injury that heals", "coder", table("_INJURY", "healing", "A", CUT),
        told(CUT, "phase=healing"),
    ),
    Fault(
        "nonunion for delayed healing", "coder",
        table("_HEALING", ("closed", "delayed"), "K", WRIST),
        told("fracture=closed", "healing=delayed"), only("specificity_error"),
    ),
    Fault(
        "type III for open type I or II", "coder", table("_ACTIVE", "open_1_2", "C", WRIST),
        told("fracture=open_1_2", "phase=active"), only("specificity_error"),
    ),
    Fault(
        "0 for a placeholder", "coder",
        lengthened(lambda base, char: (base, "0", char), RIB), has(RIB),
    ),
    Fault(
        "external cause stays initial", "coder",
        lengthened(lambda base, char: (base, "X", "A" if base[0] in "VWXY" else char), CUT),
        told(CUT, "phase=healing"),
    ),
    Fault(
        "end stage in a combination code", "coder",
        linked(late_stage),
        lambda case: any(line.code == "I12.0" for line in case.claim),
    ),
    Fault(
        "no combination code", "coder", linked(lambda found: []),
        lambda case: {"I10", "N18.31"} <= {line.code for line in case.claim},
    ),
    Fault(
        "one code left off the claim", "coder", coded(list.pop), any_case,
    ),
    # injectors
    Fault(
        "correction to the wrong code itself", "injectors",
        broken(specificity_error, same_code), found("specificity_error"),
    ),
    Fault(
        "one accepted type instead of two", "injectors", broken(specificity_error, one_type),
        found("specificity_error", "incomplete"), only("specificity_error"),
    ),
    Fault(
        "section of another chapter", "injectors",
        cited(specificity_error, specificity=lambda kind, chapter: sources.specificity(kind, 20)),
        found("specificity_error"), only("specificity_error"),
    ),
    Fault(
        "evidence without the condition that is right", "injectors",
        broken(excludes1_conflict, less_evidence), found("excludes1_conflict"),
    ),
    Fault(
        "age as evidence for sex", "injectors", broken(demographic_mismatch, age_for_sex),
        found("demographic_mismatch", "sex"),
    ),
    Fault(
        "wrong last day of a code", "injectors",
        cited(
            untraceable_code,
            code_retired=lambda system, code, _: sources.code_retired(system, code, "2020-12-31"),
        ),
        lambda case: any(
            f.kind == "retired" and f.code[0].isalpha() and "." in f.code for f in case.findings
        ),
        only("untraceable_code"),
    ),
    Fault(
        "wrong bounds of an age group", "injectors", age_bounds,
        lambda case: any("adult diagnosis" in f.authority.reference for f in case.findings),
        only("demographic_mismatch"),
    ),
    Fault(
        "columns of a pair exchanged", "injectors",
        scenario(
            "large_and_small_metabolic_panel",
            lambda one: replace(one, column1=one.column2, column2=one.column1),
        ),
        found("ncci_edit"), only("ncci_edit"),
    ),
    Fault(
        "indicator 1 taken for 0", "injectors",
        scenario("echo_complete_and_limited", lambda one: replace(one, indicator=0)),
        found("ncci_edit"), only("ncci_edit"),
    ),
    Fault("a note that does not exist", "injectors", other_note, found("excludes1_conflict")),
    Fault(
        "decoy with a modifier that lifts no pair", "injectors",
        scenario("echo_complete_and_limited", plain_modifier), decoy("justified_modifier"),
        {"clean": 1.0},
    ),
    Fault(
        "modifier 25 on the procedure", "injectors", justified(move_modifier),
        decoy("justified_modifier"), {"clean": 1.0},
    ),
    Fault(
        "modifier 25 left out", "injectors", justified(drop_modifier),
        decoy("justified_modifier"), {"clean": 1.0},
    ),
    Fault("decoy of related conditions", "injectors", related_after_all, decoy("excludes2")),
    Fault(
        "answer of the physician the wrong way round", "injectors", wrong_answer,
        lambda case: bool(case.questions),
    ),
    # note writer
    Fault("span shifted by one", "note writer", shifted, any_case),
    Fault("spans given to another fact", "note writer", respanned(move_spans), two_problems),
    Fault("spans of two facts exchanged", "note writer", respanned(exchange_spans), two_problems),
    Fault(
        "side in the record flipped", "note writer",
        recorded(flip("side", right="left", left="right")), told("side="),
    ),
    Fault(
        "phase in the record flipped", "note writer",
        recorded(flip("phase", active="healing")), told("phase=active"),
    ),
    Fault(
        "ruled out and recorded as active", "note writer", recorded(still_active),
        found("excludes1_conflict"),
    ),
    Fault(
        "hidden fact in the record", "note writer", recorded(told_anyway),
        lambda case: bool(case.questions),
    ),
    # services
    Fault("label of another service", "services", recorded(other_service), services),
    Fault("more units than a day holds", "services", coded(many_units), services),
    Fault(
        "valid service among the retired", "services", living_code,
        lambda case: any(line.code == "99291" and found("untraceable_code")(case) for line in case.claim), only("untraceable_code"),
    ),
)  # fmt: skip
