"""Conditions, and drugs for those only who are used to their class."""

from __future__ import annotations

from casegen.schemas.rx_case import Problem
from casegen.seeds.rx.model import Contraindication
from casegen.seeds.rx.naming import age_names, condition_names, without_names

from . import labs
from .forbidding import Rule, State, judge
from .lookup import kin
from .model import Work


def find(work: Work) -> None:
    """Judge each contraindication of the drug."""
    rules = [_stands(work, one) for one in work.drug.contraindications]
    judge(work, [one for one in rules if one is not None])


def _stands(work: Work, one: Contraindication) -> Rule | None:
    """How a rule stands; None where it does not speak of this patient."""
    patient, drug = work.patient, work.drug.id
    if one.start and not work.written.starting:
        return None
    problem: Problem = "condition"
    other, names, evidence = one.name, [], []  # type: str, list[str], list[str]
    state: State = "holds"
    lacking = ""
    if one.codes:
        ill = next((c for c in patient.conditions if c.within(one.codes)), None)
        if ill is None:
            ill = next((c for c in patient.conditions if c.within(one.codes) is None), None)
            if ill is None:
                return None
            state, lacking = "unknown", f"which kind of {ill.name or ill.code} is not told"
        other, evidence = ill.code, [ill.id]
        names = condition_names(work.rx, one, ill.code, drug, ill.name)
    if one.without and _takes(work, one.without):
        return None
    if one.without and not one.codes:
        if not work.written.starting:  # who goes on with the drug is used to it
            return None
        other, names = one.without, without_names(one, drug)
    if one.age is not None:
        aged = patient.aged(one.age)
        if aged is False:
            return None
        evidence.append(patient.age_fact)
        if aged is None and state == "holds":
            state, lacking = "unknown", "no age is told"
        elif aged and not one.codes and one.measure is None:
            problem, other = "age", "age"
            names = age_names(patient.months or 0, drug, one.name)
    if one.measure is not None:
        seen = labs.stands(patient, one.measure, drug, one.name)
        evidence += seen.evidence
        names = [*seen.names, *names]
        if seen.state != "holds" and state == "holds":
            state, lacking = seen.state, seen.lacking
        if not one.codes:
            problem, other = "lab", one.measure.name
    return Rule(
        state, problem, one.grade, other, names, one.name, one.effect, one.disputed,
        one.authority, evidence, lacking,
    )  # fmt: skip


def _takes(work: Work, kind: str) -> bool:
    return any(kind in kin(work.rx, one.drug.id) for one in work.patient.medications)
