"""From problems and services to the lines of the right claim, in the right order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..accident import AccidentError
from ..chart.model import Chart, Problem
from .draft import Draft
from .guided import Guided, by_guideline, untied
from .links import assumed_links
from .order import PLACED, as_noted, chapter15_first, in_order
from .sevenths import fracture_character, injury_character, lengthen

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

# A long-term-drug, body-mass or week code never stands first: guidelines I.C.21.c.
_LAST_CHAPTERS = ("V", "W", "X", "Y")


def problem_code(problem: Problem) -> str:
    """The complete code of one problem, before combinations."""
    if problem.seventh == "injury":
        return lengthen(problem.base, injury_character(problem.attributes["phase"]))
    if problem.seventh == "fracture":
        return lengthen(problem.base, fracture_character(problem.attributes))
    return problem.base


def _apart(chart: Chart, problems: Sequence[Problem]) -> Callable[[int, int], bool]:
    """Tells of two positions whether the provider calls the problems there unrelated."""
    pairs = untied(chart)
    return lambda one, other: (problems[one].id, problems[other].id) in pairs


def _diseases_of_reason(chart: Chart) -> set[str]:
    """The ids of diseases of which the reason for the encounter is a symptom: where the disease
    is coded and the symptom is not, it stands first in its place (II.A)."""
    if not chart.guided:
        return set()
    reasons = {p.id for p in chart.problems if p.reason}
    return {
        statement.about[0]
        for statement in chart.statements
        if statement.term == "integral" and not reasons.isdisjoint(statement.about[1:])
    }


def code_chart(chart: Chart, tables: Tables) -> list[Draft]:
    """The right claim: diagnoses (reason for the encounter first, combinations before their
    parts, external causes last, what other guidelines ask for in ``guided`` and ``order``),
    then services.

    Sequencing: guidelines II and IV.G (principal, first-listed diagnosis), I.C.9.a.2 and
    I.C.4.a (the combination code before the stage or type), I.C.20.a.6 (external causes
    are never first), I.A.13 and I.A.17 (the notes "code first" and "use additional code").

    Raises AccidentError where a note would put another line before the reason.
    """
    problems = [
        p
        for p in chart.problems
        if p.status == "active" or (chart.guided and p.status != "ruled_out")
    ]
    stands_for = _diseases_of_reason(chart)
    problems.sort(key=lambda p: (not p.reason, p.id not in stands_for))
    codes = []
    for problem in problems:
        problem.code = problem_code(problem)
        codes.append(problem.code)
    guided: Guided | None = None
    first: list[Draft] = []
    last: list[Draft] = []
    if chart.guided:
        guided = by_guideline(problems, codes, chart)
        problems = [told.problem for told in guided.told]
        codes = [told.code for told in guided.told]
        links = assumed_links(codes, _apart(chart, problems))
    else:
        links = assumed_links(codes)
    drafts: list[Draft | None] = [
        Draft(code, "ICD-10-CM", [problem.id], problem, right=code)
        for problem, code in zip(problems, codes, strict=True)
    ]
    if guided is not None:
        for at, told in enumerate(guided.told):
            drafts[at].facts = told.facts  # type: ignore[union-attr]
    before: dict[int, list[Draft]] = {}
    for link in links:
        drafts[link.replaces] = None
        combined = Draft(
            link.code,
            "ICD-10-CM",
            [problems[at].id for at in link.members],
            problems[link.replaces],
            right=link.code,
        )
        before.setdefault(min(link.members), []).append(combined)
    for at, problem in enumerate(problems):
        first += before.get(at, ())
        draft = drafts[at]
        if draft is not None:
            (last if draft.code[0] in _LAST_CHAPTERS else first).append(draft)
        for add in problem.adds:
            code = add.code
            if add.seventh == "same":
                code = lengthen(code, injury_character(problem.attributes["phase"]))
            line = Draft(code, "ICD-10-CM", [add.id], problem, right=code, added=True)
            (last if code[0] in _LAST_CHAPTERS else first).append(line)
        if guided is not None and problem.id in guided.more:
            more = guided.more[problem.id]
            first.append(Draft(more.code, "ICD-10-CM", more.facts, problem, right=more.code))
    if chart.guided or any(code[0] == "O" or code[:3] in PLACED for code in codes):
        first = in_order(chapter15_first(first), chart.statements)
    reason = first[0]
    first = as_noted(first + last, tables)
    if first[0] is not reason:
        raise AccidentError("a note puts another code before the reason")
    last = []
    for performed in chart.services:
        if not performed.billed:
            continue
        last.append(
            Draft(
                performed.service.code,
                performed.service.system,
                [performed.id],
                service=performed,
                modifiers=list(performed.modifiers),
                units=performed.service.units,
                right=performed.service.code,
            )
        )
    return first + last
