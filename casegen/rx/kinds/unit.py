"""The number of a usual dose with a unit that can't be meant: 100 mg of levothyroxine.

The traps stand in the drug files, each with the label section that gives the unit.
"""

from __future__ import annotations

from collections.abc import Iterator

from casegen.seeds.rx.model import UnitTrap

from ..doses import regimens
from ..fitting import number
from ..known import Known
from ..model import Opening, Sketch, UnfitError, on_dose


def openings(known: Known) -> Iterator[Opening]:
    """Each trap of a drug that is dosed in the other unit."""
    for drug in known.prescribed:
        for trap in known.drug(drug).traps:
            if trap.written != "mL":  # a volume is an amount, if the wrong one
                yield Opening(drug, drug, data=trap)


def join(sketch: Sketch, opening: Opening) -> None:
    """Write an ordinary dose in the wrong unit. Raises UnfitError where the dose is settled."""
    trap = opening.data
    if sketch.fixed or not isinstance(trap, UnitTrap):
        raise UnfitError("the dose is settled")
    made = regimens(sketch.known.rx, sketch.drug, sketch.use, sketch.condition, sketch.body)
    found = [one for one in made if one.unit == trap.meant]
    if not found:
        raise UnfitError("it is not dosed in that unit")
    regimen = sketch.lane.pick(found)
    sketch.regimen, sketch.fixed = regimen, True
    sketch.dose = f"{number(regimen.amount)} {trap.written}"
    on_dose(
        sketch, "unit", "major", "many times the dose that is meant, or none",
        f"write the dose in {trap.meant}",
        f"{sketch.dose}: {sketch.drug.id} is dosed in {trap.meant}", trap.authority,
    )  # fmt: skip
