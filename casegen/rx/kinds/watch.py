"""What a label warns of and allows: a pair to be monitored, a condition for caution. It is right,
and who names it loses nothing."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from casegen.seeds.rx.naming import interaction_names, measure_names

from ..fitting import add_medication, add_problem, fits_medication
from ..known import Known
from ..model import Opening, Sketch, Spared, UnfitError
from .condition import fits, names_of, pairs
from .lab import add_value
from .overdose import add_lab


def openings(known: Known) -> Iterator[Opening]:
    """Each pair of which a rule says to monitor."""
    for drug in known.prescribed:
        for other in known.partners[drug]:
            pair = known.pair(drug, other)
            if other != drug and pair.state == "watch":
                rule = pair.rules[0]
                yield Opening(drug, f"{rule.a}+{rule.b}", data=other)


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the other drug. Raises UnfitError where it does not fit."""
    known, other = sketch.known, str(opening.data)
    if not fits_medication(sketch, other, ("watch",)):
        raise UnfitError("it does not go with the rest")
    item = add_medication(sketch, other, sketch.lane)
    pair = known.pair(sketch.drug.id, other)
    rule = pair.rules[0]
    names: dict[str, None] = {}
    for one in pair.rules:
        names |= dict.fromkeys(interaction_names(known.rx, other, sketch.drug.id, one))
    sketch.decoys.append(
        Spared(
            "watch", "interaction", [other, sketch.drug.id], list(names), True,
            f"{rule.effect}; {rule.management}",
            [by for one in pair.rules for by in one.authority], [item.id],
        )
    )  # fmt: skip


def condition_openings(known: Known) -> Iterator[Opening]:
    """Each condition in which a drug is given with caution, and metformin at an eGFR that fell."""
    for drug, problem, rule in pairs(known):
        if rule.grade == "caution" and (drug, problem) in known.cautions:
            yield Opening(drug, f"{drug}/{rule.name}", data=(problem, rule))
    for drug in known.prescribed:
        for rule in known.drug(drug).contraindications:
            if rule.grade != "caution" or rule.measure is None or rule.codes or rule.age:
                continue
            if rule.measure.name in ("eGFR", "CrCl") and not rule.disputed:
                yield Opening(drug, f"{drug}/{rule.name}", data=("", rule))


def condition_join(sketch: Sketch, opening: Opening) -> None:
    """Add the condition or the value. Raises UnfitError where it does not fit."""
    problem, rule = opening.data
    if problem:
        if not fits(sketch, problem):
            raise UnfitError("the patient can't have it")
        item = add_problem(sketch, problem)
        other, names = item.term, names_of(sketch, item, rule)
    else:
        if sketch.drug.doses and any(row.renal for row in sketch.drug.doses):
            raise UnfitError("the dose hangs on it")
        value: Decimal = add_value(sketch, rule.measure, sketch.lane)
        item = add_lab(sketch, rule.measure.name, value, rule.measure.unit)
        sketch.start(False)  # the warning is on going on
        other = rule.measure.name
        names = measure_names(rule.measure, value, sketch.drug.id, rule.name)
    sketch.decoys.append(
        Spared(
            "watch", "contraindication", [other, sketch.drug.id], names, True,
            f"{rule.name}: {rule.effect}", rule.authority, [item.id],
        )
    )  # fmt: skip
