"""Codes of what the note tells of and nobody codes: parts of combinations, symptoms of a disease,
what is uncertain, over or ruled out."""

from __future__ import annotations

from collections.abc import Iterator

from casegen.schemas import authority as sources

from ...chart.model import Problem
from ...coder.diagnoses import problem_code
from ..model import Candidate, Work

_SECTIONS = {"E1": "I.C.4.a", "I10": "I.C.9.a", "M81": "I.C.13.d.2", "S": "I.C.13.d.2"}


def uncoded(work: Work) -> Iterator[Candidate]:
    """The codes that the facts of the record name by themselves and that are not billed."""
    chart = work.drawn.chart
    stay = chart.encounter.setting == "inpatient"
    right = {given.code for given in work.given}
    for problem in chart.problems:
        code = problem_code(problem)
        if code in right or not work.world.tables.billable(code):
            continue
        found = _of_status(problem, code, stay) or _of_relation(work, problem, code)
        if found is not None:
            yield found


def _of_status(problem: Problem, code: str, stay: bool) -> Candidate | None:
    facts = [problem.id]
    if problem.status == "ruled_out":
        return Candidate(
            code, "ruled_out", None, "The record rules the condition out.",
            sources.guideline("III" if stay else "IV.J"), facts,
        )  # fmt: skip
    if problem.status == "uncertain":
        return Candidate(
            code, "uncertain", None, "The diagnosis is not established.",
            sources.guideline("IV.H" if not stay else "I.A.19"), facts,
        )  # fmt: skip
    if problem.status == "history":
        return Candidate(
            code, "history", None, "The condition is over.",
            sources.guideline("IV.J" if not stay else "III"), facts,
        )  # fmt: skip
    return None


def _of_relation(work: Work, problem: Problem, code: str) -> Candidate | None:
    for given in work.given:
        if problem.id in given.facts and len(given.facts) > 1:
            section = next((s for start, s in _SECTIONS.items() if code.startswith(start)), None)
            return Candidate(
                code, "part_of_combination", given.code,
                f"{given.code} stands for it together with another fact of the record.",
                sources.guideline(section or "I.B.9"), given.facts,
            )  # fmt: skip
    for statement in work.drawn.chart.statements:
        if statement.term == "integral" and problem.id in statement.about[1:]:
            return Candidate(
                code, "integral_symptom", None,
                "It belongs to a disease that is coded itself.",
                sources.guideline("I.B.5"), [problem.id, statement.id],
            )  # fmt: skip
    return None
