"""A measured value at which a label forbids the drug or advises against it: an eGFR of 28 and
metformin. The rules stand in the drug files and name their measure."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from casegen.seeds.rx.model import Contraindication, Measure
from casegen.seeds.rx.naming import condition_names, measure_names

from ...randomness import Lane
from ..fitting import KIDNEYS, add_problem, fits_problem
from ..known import FORBIDDING, Known
from ..model import Opening, Sketch, UnfitError
from . import against
from .condition import called
from .overdose import add_lab

# Values beyond which a measure leaves what a patient at home may have.
_LEAST = {"eGFR": 8, "CrCl": 8, "QTc": 460, "potassium": 3}
_MOST = {"eGFR": 94, "CrCl": 130, "QTc": 540, "potassium": 6}


def openings(known: Known) -> Iterator[Opening]:
    """Each rule with a measure that forbids, and is not disputed."""
    for drug in known.prescribed:
        for rule in known.drug(drug).contraindications:
            if rule.measure is None or rule.grade not in FORBIDDING or rule.disputed:
                continue
            if rule.measure.name in _LEAST and not (rule.age or rule.sex):
                yield Opening(drug, f"{drug}/{rule.name}", data=rule)


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the value and the finding. Raises UnfitError where it does not fit."""
    rule = opening.data
    if not isinstance(rule, Contraindication) or rule.measure is None:
        raise UnfitError("no measure")
    facts: list[str] = []
    names: list[str] = []
    if rule.codes:
        facts, names = _beside(sketch, rule)
    if rule.start:
        sketch.start(True)
    value = add_value(sketch, rule.measure, sketch.lane)
    item = add_lab(sketch, rule.measure.name, value, rule.measure.unit)
    other = rule.measure.name
    if rule.codes:
        other = next(one.term for one in sketch.items if one.id == facts[0])
    problem = "condition" if rule.codes else "lab"
    names = measure_names(rule.measure, value, sketch.drug.id, rule.name) + names
    against.find(
        sketch, problem, other, names, rule.grade, rule.name, rule.effect, rule.authority,  # type: ignore[arg-type]
        [*facts, item.id],
    )  # fmt: skip


def _beside(sketch: Sketch, rule: Contraindication) -> tuple[list[str], list[str]]:
    """The condition to which a rule on a measure is bound: what the drug is for, put on the list
    now, with the ways to name it."""
    one = sketch.condition
    if not one.code.startswith(rule.codes):
        raise UnfitError("the rule is for another use")
    if one.id not in sketch.problems and not fits_problem(sketch, one.id, spare=(sketch.drug.id,)):
        raise UnfitError("the patient can't have it")
    item = add_problem(sketch, one.id)
    names = condition_names(
        sketch.known.rx, rule, item.term, sketch.drug.id, called(sketch.known.rx, item.term)
    )
    return [item.id], names


def add_value(sketch: Sketch, measure: Measure, lane: Lane) -> Decimal:
    """A value within the bounds of a measure. Raises UnfitError where one of its kind is told."""
    told = KIDNEYS if measure.name in KIDNEYS else {measure.name}
    if any(name in told for name in sketch.values):
        raise UnfitError("it is measured already")
    bounds = measure.range
    step = 10 if measure.name == "potassium" else 1
    low = Decimal(_LEAST[measure.name]) if bounds.low is None else bounds.low
    high = Decimal(_MOST[measure.name]) if bounds.high is None else bounds.high
    found = [
        Decimal(tick) / step
        for tick in range(int(low * step), int(high * step) + 1)
        if bounds.holds(Decimal(tick) / step)
    ]
    if not found:
        raise UnfitError("no value lies within")
    return lane.pick(found)
