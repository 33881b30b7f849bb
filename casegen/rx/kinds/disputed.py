"""A contraindication on which authorities differ: a statin in pregnancy, nitrofurantoin with a
creatinine clearance of 45. Both stand, and both answers are right."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from casegen.seeds.rx.naming import measure_names, pregnancy_names

from ..known import FORBIDDING, Known
from ..model import Opening, Sketch, Spared, UnfitError
from .overdose import add_lab
from .pregnancy import HIGH, LOW, add_pregnancy

OLD = 65 * 12


def openings(known: Known) -> Iterator[Opening]:
    """Each drug with limits in pregnancy that differ, and the label of nitrofurantoin beside the
    Beers Criteria in old age."""
    for drug in known.prescribed:
        one = known.drug(drug)
        limits = [limit for limit in one.pregnancy if limit.disputed]
        grades = {limit.grade in FORBIDDING for limit in limits}
        if grades == {True, False} and all(limit.weeks is None for limit in limits):
            yield Opening(drug, drug, low=LOW, high=HIGH, sex="female", data=("pregnancy", limits))
        rules = [rule for rule in one.contraindications if rule.disputed and rule.measure]
        names = {rule.measure.name for rule in rules if rule.measure}
        if len(rules) == 2 and len(names) == 1:
            yield Opening(drug, drug, low=OLD, data=("measure", rules))


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the fact and the decoy. Raises UnfitError where it does not fit."""
    how, rules = opening.data  # type: ignore[misc]
    drug = sketch.drug.id
    if how == "pregnancy":
        item = add_pregnancy(sketch, rules[0])
        other, names = "pregnancy", pregnancy_names(drug)
        told = [rule.effect for rule in rules]
    else:
        if sketch.values or sketch.months < OLD:
            raise UnfitError("the kidneys are told of")
        wide = max(rules, key=lambda rule: rule.measure.range.high)
        close = min(rules, key=lambda rule: rule.measure.range.high)
        low, high = int(close.measure.range.high), int(wide.measure.range.high)
        value = Decimal(sketch.lane.between(low + 1, high - 1))
        item = add_lab(sketch, wide.measure.name, value, wide.measure.unit)
        other = wide.measure.name
        names = measure_names(wide.measure, value, drug, wide.name)
        told = [f"{rule.authority[0].reference}: {rule.name}" for rule in rules]
    sketch.decoys.append(
        Spared(
            "disputed", "contraindication", [other, drug], names, True,
            f"{other}: {'; '.join(told)}", [by for rule in rules for by in rule.authority],
            [item.id], "reject",
        )
    )  # fmt: skip
