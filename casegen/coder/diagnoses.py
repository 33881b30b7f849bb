"""From problems and services to the lines of the right claim, in the right order."""

from __future__ import annotations

from ..chart.model import Chart, Problem
from .draft import Draft
from .links import assumed_links
from .sevenths import fracture_character, injury_character, lengthen

# A long-term-drug, body-mass or week code never stands first: guidelines I.C.21.c.
_LAST_CHAPTERS = ("V", "W", "X", "Y")


def problem_code(problem: Problem) -> str:
    """The complete code of one problem, before combinations."""
    if problem.seventh == "injury":
        return lengthen(problem.base, injury_character(problem.attributes["phase"]))
    if problem.seventh == "fracture":
        return lengthen(problem.base, fracture_character(problem.attributes))
    return problem.base


def code_chart(chart: Chart) -> list[Draft]:
    """The right claim: diagnoses (reason for the encounter first, combinations before their
    parts, external causes last), then services.

    Sequencing: guidelines II and IV.G (principal, first-listed diagnosis), I.C.9.a.2 and
    I.C.4.a (the combination code before the stage or type), I.C.20.a.6 (external causes
    are never first).
    """
    problems = [p for p in chart.problems if p.status == "active"]
    problems.sort(key=lambda p: not p.reason)
    codes = []
    for problem in problems:
        problem.code = problem_code(problem)
        codes.append(problem.code)
    first: list[Draft] = []
    last: list[Draft] = []
    drafts: list[Draft | None] = [
        Draft(code, "ICD-10-CM", [problem.id], problem, right=code)
        for problem, code in zip(problems, codes, strict=True)
    ]
    before: dict[int, list[Draft]] = {}
    for link in assumed_links(codes):
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
