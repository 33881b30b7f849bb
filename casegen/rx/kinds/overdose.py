"""More than the highest dose: for anyone, at an age, with weak kidneys, by the weight.

The highest dose is that of the drug's dose rules (the label sections that they name).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from casegen.seeds.rx.model import DoseLimit, Drug

from ...randomness import Lane
from ..doses import (
    DAYS,
    OLD,
    Body,
    Regimen,
    beside,
    lowest,
    meant,
    regimens,
    rules_of,
    share,
)
from ..fitting import number, strains, weak
from ..known import Known
from ..model import Item, Opening, Sketch, UnfitError, on_dose

_SPAN = {1: "a day", 7: "a week", 30: "a month"}
# Tablets at a time that a slip of the pen gives, and the slip of the decimal point.
_SLIPS = (2, 3, 4, 10)
_MOST = 12
# A dose by weight that exceeds the limit by less than a tenth may be one that was rounded.
_CLEAR = Decimal("1.1")


def openings(known: Known) -> Iterator[Opening]:
    """Each use with a highest dose; each rule with a lower one for old age or weak kidneys; each
    dose by weight."""
    for drug in known.prescribed:
        one = known.drug(drug)
        for use in known.uses[drug]:
            problem = known.problems[use.problem]
            for row in one.doses:
                if row.maximum is None or row.basis not in DAYS or (row.disputed and not row.codes):
                    continue
                if row.hepatic or (row.indication and not meant(row, use, problem)):
                    continue
                where = f"{drug}/{use.problem}"
                if row.indication and beside(row) and not _alone(one, row):
                    continue
                if row.renal is not None and row.renal.range.high is not None:
                    yield Opening(drug, f"kidneys/{where}", use=use, data=("kidneys", row))
                elif row.criteria is not None:
                    yield Opening(
                        drug, f"criteria/{where}", low=80 * 12, use=use, data=("criteria", row)
                    )
                elif row.age is not None and row.age.low is not None and row.age.low >= OLD:
                    low = int(row.age.low)
                    yield Opening(drug, f"age/{where}", low=low, use=use, data=("age", row))
                elif row.basis == "kg/day" and not _adult(row):
                    yield Opening(
                        drug, f"pounds/{where}", low=12, high=10 * 12, use=use,
                        data=("pounds", row),
                    )  # fmt: skip
                elif row.renal is None and row.weight is None and _adult(row):
                    yield Opening(drug, f"plain/{drug}", use=use, data=("plain", row))


def _alone(drug: Drug, row: DoseLimit) -> bool:
    """Whether a rule for old age or weak kidneys speaks of the same use as one for all."""
    return any(other.indication == row.indication and not beside(other) for other in drug.doses)


def _adult(row: DoseLimit) -> bool:
    return row.age is None or row.age.holds(40 * 12)


def join(sketch: Sketch, opening: Opening) -> None:
    """Settle a dose that is too high. Raises UnfitError where none fits."""
    if sketch.fixed or sketch.use is not opening.use:
        raise UnfitError("the dose is settled")
    how, row = opening.data
    lane = sketch.lane
    before = sketch.body
    facts: list[str] = []
    if how == "kidneys":
        facts.append(weak_kidneys(sketch, row, lane).id)
    elif how == "criteria":
        facts += _criteria(sketch, lane)
    elif how == "age":
        before = Body(50 * 12, sketch.weight, sketch.values)
        facts.append("age1")
    if how == "pounds":
        regimen = _by_pounds(sketch, lane)
        facts.append("weight1")
    elif how == "plain":
        regimen = _slipped(sketch, lane)
    else:
        regimen = _for_others(sketch, before, lane)
    _find(sketch, regimen, facts)


def _bound(sketch: Sketch, regimen: Regimen) -> tuple[Decimal, Decimal, DoseLimit]:
    """What a dose gives in its span of time, the maximum that binds it, and the rule. Raises
    UnfitError where there is none."""
    rules = rules_of(sketch.drug, sketch.use, sketch.condition, sketch.body)
    found = lowest(sketch.drug, regimen, rules, sketch.body)
    if found is None:
        raise UnfitError("no highest dose is known")
    return share(sketch.drug, regimen, found[1]) * regimen.times, *found


def _exceeds(sketch: Sketch, regimen: Regimen) -> bool:
    total, most, _ = _bound(sketch, regimen)
    return total > most


def _find(sketch: Sketch, regimen: Regimen, facts: list[str]) -> None:
    total, most, row = _bound(sketch, regimen)
    if row.basis.startswith("kg") and total < most * _CLEAR:
        raise UnfitError("the dose is little more than allowed")
    if total <= most or (row.disputed and not row.codes):
        raise UnfitError("the dose is not too high")
    if row.times is not None and not row.times[0] <= regimen.times <= row.times[1]:
        raise UnfitError("the frequency is wrong too")
    sketch.regimen, sketch.fixed = regimen, True
    span, unit = _SPAN[regimen.days], regimen.unit
    limit = f"no more than {number(most)} {unit} {span}"
    what = row.ingredient or sketch.drug.id
    on_dose(
        sketch, "overdose", "major", "more than the highest dose", limit,
        f"{what} {number(total)} {unit} {span}; {limit}", row.authority, facts,
    )  # fmt: skip


def _for_others(sketch: Sketch, body: Body, lane: Lane) -> Regimen:
    """A dose that is right for others and too high for this patient."""
    found = [
        one
        for one in regimens(sketch.known.rx, sketch.drug, sketch.use, sketch.condition, body)
        if _exceeds(sketch, one) and _often_right(sketch, one)
    ]
    if not found:
        raise UnfitError("no dose is too high")
    return lane.pick(found)


def _often_right(sketch: Sketch, regimen: Regimen) -> bool:
    row = _bound(sketch, regimen)[2]
    return row.times is None or row.times[0] <= regimen.times <= row.times[1]


def _slipped(sketch: Sketch, lane: Lane) -> Regimen:
    """An ordinary dose in the wrong number: too many tablets, or ten times as much."""
    made = regimens(sketch.known.rx, sketch.drug, sketch.use, sketch.condition, sketch.body)
    found: list[Regimen] = []
    for one in made:
        total, most, _ = _bound(sketch, one)
        for times in _SLIPS:
            if most < total * times <= most * _MOST:
                pieces = one.pieces * times
                found.append(replace(one, amount=one.amount * times, pieces=pieces))
                break
    if not found:
        raise UnfitError("no dose is too high")
    return lane.pick(found)


def _by_pounds(sketch: Sketch, lane: Lane) -> Regimen:
    """A dose by weight with the pounds taken for kilograms. The list tells the weight in pounds."""
    if sketch.pounds is None:
        raise UnfitError("the weight is not told in pounds")
    wrong = Body(sketch.months, Decimal(sketch.pounds), sketch.values)
    made = regimens(sketch.known.rx, sketch.drug, sketch.use, sketch.condition, wrong)
    found = [one for one in made if one.row.basis == "kg/day" and _exceeds(sketch, one)]
    if not found:
        raise UnfitError("no dose by weight")
    return lane.pick(found)


def weak_kidneys(sketch: Sketch, row: DoseLimit, lane: Lane) -> Item:
    """A value of the measure of which a rule speaks, within its bounds. Raises UnfitError where
    the record tells of kidneys already."""
    measure = row.renal
    if measure is None or measure.range.high is None or _told_of_kidneys(sketch):
        raise UnfitError("the kidneys are told of")
    high = int(measure.range.high) - (0 if measure.range.high_in else 1)
    low = int(measure.range.low) + (0 if measure.range.low_in else 1) if measure.range.low else 8
    value = Decimal(lane.between(max(low, 8), max(high, low)))
    return add_lab(sketch, measure.name, value, measure.unit)


def _told_of_kidneys(sketch: Sketch) -> bool:
    return any(name in sketch.values for name in ("eGFR", "CrCl", "creatinine"))


def add_lab(sketch: Sketch, name: str, value: Decimal, unit: str) -> Item:
    """Put a measured value among the conditions. Raises UnfitError where a medication does not
    go with it."""
    sketch.values[name] = value
    attributes = {"value": number(value), "unit": unit}
    item = Item(sketch.next_id("lab"), "lab", name, "conditions", "lab", attributes)
    if weak(item) and any(strains(sketch.known.drug(drug)) for drug in sketch.medications):
        raise UnfitError("a medication is not given with such kidneys")
    return sketch.add(item)


def _criteria(sketch: Sketch, lane: Lane) -> list[str]:
    """Two of the three that halve apixaban: the age, and the creatinine or the weight."""
    if _told_of_kidneys(sketch):
        raise UnfitError("the kidneys are told of")
    if lane.chance(1, 2):
        creatinine = add_lab(sketch, "creatinine", Decimal(lane.between(15, 24)) / 10, "mg/dL")
        return ["age1", creatinine.id]
    sketch.weight, sketch.pounds = Decimal(lane.between(46, 60)), None
    add_lab(sketch, "creatinine", Decimal(lane.between(8, 12)) / 10, "mg/dL")
    return ["age1", "weight1"]
