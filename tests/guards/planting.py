"""How faults are planted in memory: in condition data, coder, injectors, note writer, services.

A fault is planted where cases are made, never in what the checker reads.
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
