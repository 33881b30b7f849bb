"""Conditions, and drugs for those only who are used to their class."""

from __future__ import annotations

from casegen.schemas.rx_case import Problem
from casegen.seeds.rx.model import Contraindication, DoseLimit
from casegen.seeds.rx.naming import age_names, condition_names, without_names

from . import labs
from .bounds import matches
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
    if one.sex and patient.sex != one.sex:
        return None
    meant = _meant(work, one.indication)
    if meant is False or (one.asks and patient.pregnant):  # pregnancy has a rule of its own
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
        cleared = one.measure.name == "creatinine" and patient.value("CrCl") is not None
        if seen.state == "unknown" and cleared:  # the kidneys are told of by their clearance
            return None
        if seen.state != "holds" and state == "holds":
            state, lacking = seen.state, seen.lacking
        if not one.codes:
            problem, other = "lab", one.measure.name
    if meant is None and state == "holds":
        state, lacking = "unknown", "what the drug is for is not told"
    if one.asks and state == "holds":
        state, lacking = "unknown", f"{one.asks} is not told"
    return Rule(
        state, problem, one.grade, other, names, one.name, one.effect, one.disputed,
        one.authority, evidence, lacking,
    )  # fmt: skip


def _meant(work: Work, indication: str) -> bool | None:
    """Whether the drug is prescribed for an indication of its dose limits; None where nothing
    tells and the record has more than one of them."""
    if not indication:
        return True
    own = [one for one in work.drug.doses if one.indication == indication]
    told = work.written.indication
    if told:
        return any(matches(told, one, work.rx) for one in own)
    if not _ill(work, own):
        return False
    others = [one for one in work.drug.doses if one.indication and one not in own]
    return None if _ill(work, others) else True


def _ill(work: Work, limits: list[DoseLimit]) -> bool:
    codes = tuple(code for one in limits for code in one.codes)
    return any(one.code.startswith(codes) for one in work.patient.conditions)


def _takes(work: Work, kind: str) -> bool:
    return any(kind in kin(work.rx, one.drug.id) for one in work.patient.medications)
