"""One ingredient from two products, each of which keeps the highest dose by itself.

The highest dose is that of the drug's own rules. The dose is wrong and the pair is; both are
mended by less of the ingredient.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ..doses import Regimen, maximum_of, place_of, regimens, rules_of
from ..fitting import add_medication, fits_problem, number, suits
from ..known import Known
from ..model import Opening, Sketch, UnfitError, on_dose
from ..problems import Use
from .duplicate_therapy import find_duplicate


def openings(known: Known) -> Iterator[Opening]:
    """Each pair of products with an ingredient in common that has a highest dose."""
    for drug in known.prescribed:
        parts = known.rx.ingredients(drug)
        for other in known.prescribed:
            theirs = known.rx.ingredients(other)
            if other == drug or not set(parts) & set(theirs):
                continue
            for part in parts:
                if part not in theirs or not _limited(known, drug, part):
                    continue
                if known.pair(drug, other).state == "duplicate":
                    yield Opening(drug, f"{drug}/{other}", data=(other, part))


def _limited(known: Known, drug: str, part: str) -> bool:
    return any(
        row.maximum is not None and row.basis == "day" and (row.ingredient or drug) == part
        for row in known.drug(drug).doses
    )


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the other product in a dose that is right by itself. Raises UnfitError where none
    fits."""
    other, part = opening.data
    known, lane = sketch.known, sketch.lane
    if sketch.fixed or sketch.has("medication", other) or not suits(sketch, known.drug(other)):
        raise UnfitError("the dose is settled")
    if any(known.pair(other, one).state not in ("none", "watch") for one in sketch.medications):
        raise UnfitError("it does not go with the rest")
    body = sketch.body
    own = regimens(known.rx, sketch.drug, sketch.use, sketch.condition, body)
    mine = [one for one in own if (one.row.ingredient or sketch.drug.id) == part and one.days == 1]
    rules = rules_of(sketch.drug, sketch.use, sketch.condition, body)
    found: list[tuple[Regimen, Regimen, Decimal, Use]] = []
    for use in known.uses[other]:
        if use.problem != sketch.use.problem and not fits_problem(sketch, use.problem):
            continue
        theirs = regimens(known.rx, known.drug(other), use, known.problems[use.problem], body)
        for one in mine:
            limits = [
                most
                for row in rules.on(one)
                if place_of(sketch.drug, row) == place_of(sketch.drug, one.row)
                and (most := maximum_of(row, body)) is not None
            ]
            for two in theirs:
                if two.unit == one.unit and limits and one.total + two.total > max(limits):
                    found.append((one, two, max(limits), use))
    if not found:
        raise UnfitError("together it is not too much")
    one, two, most, its = lane.pick(found)
    item = add_medication(sketch, other, lane, its, two)
    sketch.start(True)
    sketch.regimen, sketch.fixed = one, True
    unit = one.unit
    limit = f"no more than {number(most)} {unit} of {part} a day from all products"
    on_dose(
        sketch, "combined_ingredient", "major", f"more {part} than the highest dose", limit,
        f"{number(one.total)} {unit} of {part} from {sketch.drug.id} and "
        f"{number(two.total)} {unit} from {other} are {number(one.total + two.total)} {unit} "
        f"of {part} a day; {limit}",
        one.row.authority, [item.id],
    )  # fmt: skip
    find_duplicate(sketch, item, sketch.findings[-1])
