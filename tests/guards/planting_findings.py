"""How faults are planted in injectors and note writer; see ``planting``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from casegen import audit
from casegen.chart.model import Chart
from casegen.coder import Draft
from casegen.injectors import (
    demographic_mismatch,
    ncci_edit,
    specificity_error,
    untraceable_code,
)
from casegen.note import writer
from casegen.note.pen import Pen
from casegen.schemas import Case, Fact
from casegen.schemas import authority as sources
from casegen.world import World

from .planting import Patch, Plant

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
        _, piece, within, _ = self.marks[-1]
        self.marks[-1] = (fact, piece, within + 1, text)

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
