"""A contraindication on which authorities differ: a statin in pregnancy, nitrofurantoin with a
creatinine clearance of 45, a benzodiazepine in old age. Both stand, and both answers are right."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from casegen.seeds.rx.naming import age_names, measure_names, pregnancy_names

from ..known import FORBIDDING, Known
from ..model import Opening, Sketch, Spared, UnfitError
from .overdose import add_lab
from .pregnancy import HIGH, LOW, add_pregnancy

OLD = 65 * 12


def openings(known: Known) -> Iterator[Opening]:
    """Each drug with limits in pregnancy that differ, and those of which the Beers Criteria say
    another thing in old age than the label."""
    for drug in known.prescribed:
        one = known.drug(drug)
        limits = [limit for limit in one.pregnancy if limit.disputed]
        grades = {limit.grade in FORBIDDING for limit in limits}
        if grades == {True, False} and all(limit.weeks is None for limit in limits):
            yield Opening(drug, drug, low=LOW, high=HIGH, sex="female", data=("pregnancy", limits))
        aged = [r for r in one.contraindications if r.disputed and r.age and not r.measure]
        if {rule.grade in FORBIDDING for rule in aged} == {True, False}:
            yield Opening(drug, f"{drug}/age", low=OLD, old=True, data=("age", aged))
        rules = [rule for rule in one.contraindications if rule.disputed and rule.measure]
        names = {rule.measure.name for rule in rules if rule.measure}
        if len(rules) == 2 and len(names) == 1:
            yield Opening(drug, drug, low=OLD, data=("measure", rules))


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the fact and the decoy. Raises UnfitError where it does not fit."""
    how, rules = opening.data
    drug = sketch.drug.id
    facts = ["age1"]
    if how == "age":
        if not all(rule.age.holds(sketch.months) for rule in rules):
            raise UnfitError("the patient is of another age")
        other, names = "age", age_names(sketch.months, drug, rules[0].name)
        told = [f"{rule.authority[0].reference}: {rule.effect}" for rule in rules]
    elif how == "pregnancy":
        facts = [add_pregnancy(sketch, rules[0]).id]
        other, names = "pregnancy", pregnancy_names(drug)
        told = [rule.effect for rule in rules]
    else:
        if sketch.values or sketch.months < OLD:
            raise UnfitError("the kidneys are told of")
        wide = max(rules, key=lambda rule: rule.measure.range.high)
        close = min(rules, key=lambda rule: rule.measure.range.high)
        low, high = int(close.measure.range.high), int(wide.measure.range.high)
        value = Decimal(sketch.lane.between(low + 1, high - 1))
        facts = [add_lab(sketch, wide.measure.name, value, wide.measure.unit).id]
        other = wide.measure.name
        names = measure_names(wide.measure, value, drug, wide.name)
        told = [f"{rule.authority[0].reference}: {rule.name}" for rule in rules]
    sketch.decoys.append(
        Spared(
            "disputed", "contraindication", [other, drug], names, True,
            f"{other}: {'; '.join(told)}", [by for rule in rules for by in rule.authority],
            facts, "reject",
        )
    )  # fmt: skip
