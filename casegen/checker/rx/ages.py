"""Ages in which a drug may not be used."""

from __future__ import annotations

from casegen.seeds.rx.model import PediatricLimit
from casegen.seeds.rx.naming import age_names

from .circumstances import after
from .forbidding import Rule, State, judge
from .model import Work


def find(work: Work) -> None:
    """Judge each pediatric limit of the drug."""
    rules = [_stands(work, one) for one in work.drug.pediatric]
    judge(work, [one for one in rules if one is not None])


def _stands(work: Work, one: PediatricLimit) -> Rule | None:
    patient = work.patient
    aged = patient.aged(one.age)
    if aged is False:
        return None
    there, fact = after(work, one.after)
    if there is False:
        return None
    state: State = "holds"
    lacking = ""
    if aged is None or there is None:
        state = "unknown"
        lacking = "no age is told" if aged is None else f"whether this is there: {one.after}"
    title = f"age, with {one.after}" if one.after else "age"
    names = age_names(patient.months or 0, work.drug.id, one.after)
    return Rule(
        state, "age", one.grade, "age", names, title, one.effect, one.disputed, one.authority,
        [patient.age_fact, fact], lacking,
    )  # fmt: skip
