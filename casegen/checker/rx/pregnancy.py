"""Drugs in pregnancy, by its weeks where a label tells them."""

from __future__ import annotations

from casegen.seeds.rx.model import PregnancyLimit
from casegen.seeds.rx.naming import pregnancy_names

from .forbidding import Rule, State, judge
from .model import Work


def find(work: Work) -> None:
    """Judge each limit of the drug in pregnancy."""
    if not work.patient.pregnant:
        return
    rules = [_stands(work, one) for one in work.drug.pregnancy]
    judge(work, [one for one in rules if one is not None])


def _stands(work: Work, one: PregnancyLimit) -> Rule | None:
    patient = work.patient
    state: State = "holds"
    lacking = ""
    if one.weeks is not None:
        if patient.weeks is None:
            state, lacking = "unknown", "the weeks of the pregnancy are not told"
        elif not one.weeks.holds(patient.weeks):
            return None
    return Rule(
        state, "pregnancy", one.grade, "pregnancy", pregnancy_names(work.drug.id), "pregnancy",
        one.effect, one.disputed, one.authority, [patient.pregnancy_fact], lacking,
    )  # fmt: skip
