"""From the problems of a guided chart to their codes, where several facts decide together.

Sources: ICD-10-CM Official Guidelines, sections named at each function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..chart.model import Added, Chart, Problem, Statement
from .sevenths import fracture_character, lengthen
from .told import of_history, of_paralysis, of_pregnancy, of_uncertain

# Where osteoporosis broke a bone: the site in M80.0- by the place of the fracture.
_FRAGILE = {"S42.2": "2", "S52.": "3", "S72.": "5", "S32.0": "8"}
_SIDES = {"right": "1", "left": "2"}
_SEPSIS = ("A40", "A41")
_SEVERE = "R65.20"


@dataclass(slots=True)
class Told:
    """A problem on its way to the claim: its code, and the ids of the facts that call for it."""

    problem: Problem
    code: str
    facts: list[str]


@dataclass(slots=True)
class Guided:
    """The problems that are billed, and codes to add right behind some of them (by id)."""

    told: list[Told] = field(default_factory=list)
    more: dict[str, Told] = field(default_factory=dict)


def by_guideline(problems: Sequence[Problem], codes: Sequence[str], chart: Chart) -> Guided:
    """The codes of a guided chart; ``codes`` are those of the problems taken one by one."""
    encounter = chart.encounter
    stay = encounter.setting == "inpatient" and encounter.claim_type == "facility"
    told = []
    for problem, single in zip(problems, codes, strict=True):
        code: str | None = single
        facts = [problem.id]
        if problem.status == "uncertain":
            code = of_uncertain(single, stay)
        elif problem.status == "history":
            code = of_history(problem, single)
        elif single == "I69.35":
            code = of_paralysis(problem)
        elif single[0] == "O" and (weeks := _weeks(problem)):
            code = of_pregnancy(single, int(weeks.code[4:]))
            facts.append(weeks.id)
        if code is not None:
            told.append(Told(problem, code, facts))
    for statement in chart.statements:
        if statement.term == "integral":
            _integral(told, statement)
        elif statement.term == "minor_trauma":
            _fragile(told, statement)
        elif statement.term == "treatment_unclear":
            # Neither a tumor under treatment nor one of the past (I.C.2.m) until somebody says.
            told[:] = [one for one in told if one.problem.id != statement.about[0]]
    found = Guided(told)
    for statement in chart.statements:
        if statement.term == "due_to":
            _severe(found, statement)
    return found


def _weeks(problem: Problem) -> Added | None:
    return next((add for add in problem.adds if add.code.startswith("Z3A.")), None)


def _integral(told: list[Told], statement: Statement) -> None:
    """Symptoms that belong to a disease are not coded beside it (I.B.5); while it is not coded
    itself they are all there is to code (I.B.4)."""
    disease, *symptoms = statement.about
    if any(one.problem.id == disease for one in told):
        told[:] = [one for one in told if one.problem.id not in symptoms]


def _fragile(told: list[Told], statement: Statement) -> None:
    """A fracture in known osteoporosis, from a fall that breaks no healthy bone, is M80.0- and
    neither a fracture of chapter 19 nor M81 (I.C.13.d.2)."""
    fracture = next(one for one in told if one.problem.id == statement.about[0])
    thin = next(one for one in told if one.problem.id == statement.about[1])
    attributes = fracture.problem.attributes
    base = fracture.problem.base
    site = next(site for place, site in _FRAGILE.items() if base.startswith(place))
    side = _SIDES[attributes["side"]] if site != "8" else ""
    fracture.code = lengthen(f"M80.0{site}{side}", fracture_character(attributes))
    fracture.facts = [fracture.problem.id, thin.problem.id]
    told.remove(thin)


def _severe(found: Guided, statement: Statement) -> None:
    """R65.20 where an organ failed because of the sepsis (I.C.1.d.1.b), unless the record tells
    of shock, which R65.21 holds (I.C.1.d.2)."""
    organ, cause = statement.about[:2]
    sepsis = next((one for one in found.told if one.problem.id == cause), None)
    if sepsis is None or not sepsis.code.startswith(_SEPSIS):
        return
    if any(one.code == "R65.21" for one in found.told):
        return
    found.more[cause] = Told(sepsis.problem, _SEVERE, [cause, organ])


def untied(chart: Chart) -> frozenset[tuple[str, str]]:
    """Pairs of problems of which the provider says that neither causes the other."""
    return frozenset(
        (a, b)
        for statement in chart.statements
        if statement.term == "unrelated"
        for a in statement.about
        for b in statement.about
    )
