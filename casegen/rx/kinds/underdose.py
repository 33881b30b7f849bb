"""Less than the usual dose of what is not begun low and raised: it does not work.

The usual range is that of the drug's dose rules (the label sections that they name).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from casegen.seeds.rx.model import Strength

from ..doses import Regimen, range_of, regimens, rules_of, strengths_of
from ..fitting import number
from ..known import Known
from ..model import Opening, Sketch, UnfitError, on_dose

WORKS_WHOLE = frozenset(
    ("antibiotic", "antifungal", "antiviral", "antituberculous", "doac", "p2y12-inhibitor",
     "bisphosphonate")
)  # fmt: skip
# These are begun like the rest, and a low first dose of them is no fault by itself.
_GOING_ON = frozenset(("doac", "p2y12-inhibitor", "bisphosphonate"))
_SPAN = {1: "a day", 7: "a week", 30: "a month"}
_PARTS = (2, 3, 4, 5, 10)


def openings(known: Known) -> Iterator[Opening]:
    """Each use of a drug that works in its whole dose only."""
    for drug in known.prescribed:
        if known.kin[drug] & WORKS_WHOLE:
            for use in known.uses[drug]:
                low = 12 if use.problem == "otitis_media" else 18 * 12
                yield Opening(drug, drug, low=low, use=use)


def join(sketch: Sketch, opening: Opening) -> None:
    """Settle a dose that is too low. Raises UnfitError where none fits."""
    if sketch.fixed or sketch.use is not opening.use:
        raise UnfitError("the dose is settled")
    found = list(_low(sketch))
    if not found:
        raise UnfitError("no dose is too low")
    regimen, least = sketch.lane.pick(found)
    if sketch.known.kin[sketch.drug.id] & _GOING_ON:
        sketch.start(False)
    sketch.regimen, sketch.fixed = regimen, True
    span, unit = _SPAN[regimen.days], regimen.unit
    low = f"usually {number(least)} {unit} {span} or more"
    what = regimen.row.ingredient or sketch.drug.id
    on_dose(
        sketch, "underdose", "moderate", "less than the usual dose, so it may not work", low,
        f"{what} {number(regimen.total)} {unit} {span}; {low}", regimen.row.authority,
    )  # fmt: skip


def _low(sketch: Sketch) -> Iterator[tuple[Regimen, Decimal]]:
    """Ordinary doses cut short, each with the least that is usual."""
    body = sketch.body
    rules = rules_of(sketch.drug, sketch.use, sketch.condition, body)
    for one in regimens(sketch.known.rx, sketch.drug, sketch.use, sketch.condition, body):
        rows = rules.on(one)
        lows = [amounts[0] for row in rows if (amounts := range_of(row, body)) is not None]
        if not lows:
            continue
        least = min(lows)
        made = {s.amounts[0] for s in strengths_of(sketch.drug, one.row, sketch.use)}
        for part in _PARTS:
            amount = one.amount / part
            if amount != amount.quantize(Decimal("0.01")) or amount * one.times >= least:
                continue
            # What is marketed, or half a plain tablet; a liquid is measured out.
            half = one.form == "tablet" and "bisphosphonate" not in sketch.drug.classes
            if one.strength is None or amount in made or (half and amount * 2 in made):
                strength = next((s for s in sketch.drug.strengths if _is(s, one, amount)), None)
                if strength is None and sketch.drug.ingredients:
                    continue
                yield replace(one, amount=amount, pieces=1, strength=strength), least
                break


def _is(strength: Strength, one: Regimen, amount: Decimal) -> bool:
    """Whether a strength gives just so much in the form of a dose."""
    same = strength.form == one.form and strength.unit == one.unit
    return same and strength.amounts[0] == amount
