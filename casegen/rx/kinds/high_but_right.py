"""A dose that looks too high and is right for this use: amoxicillin 90 mg/kg/day in otitis
media. The rule for the use allows more than that for others, or the drug has no highest dose for
children but by weight."""

from __future__ import annotations

from collections.abc import Iterator

from casegen.seeds.rx.model import DoseLimit

from ..doses import DAYS, meant, regimens
from ..fitting import number
from ..known import Known
from ..model import ADULT, Opening, Sketch, Spared, UnfitError
from .underdose import WORKS_WHOLE

_SPAN = {1: "a day", 7: "a week", 30: "a month"}
_ADULT_AGE = 40 * 12


def openings(known: Known) -> Iterator[Opening]:
    """Each rule for a use that allows more than another of the drug for the same patients."""
    for drug in known.prescribed:
        one = known.drug(drug)
        for use in known.uses[drug]:
            problem = known.problems[use.problem]
            for row in one.doses:
                if not row.indication or not meant(row, use, problem) or row.maximum is None:
                    continue
                if row.renal is not None or row.basis not in DAYS:
                    continue
                lower = [other for other in one.doses if _lower(other, row)]
                if lower:
                    child = row.age is not None and not row.age.holds(_ADULT_AGE)
                    low = 12 if child else ADULT
                    high = 10 * 12 if child else 92 * 12
                    most = max(other.maximum for other in lower if other.maximum)
                    group = f"{drug}/{use.problem}"
                    yield Opening(drug, group, low, high, use=use, data=(row, most))


def _lower(other: DoseLimit, row: DoseLimit) -> bool:
    """Whether a rule for the same patients and form allows less."""
    if other is row or other.maximum is None or row.maximum is None or other.renal is not None:
        return False
    same = (other.basis, other.unit, other.form, other.ingredient) == (
        row.basis, row.unit, row.form, row.ingredient,
    )  # fmt: skip
    if (
        not same
        or other.criteria is not None
        or other.hepatic
        or other.indication == row.indication
    ):
        return False
    grown = [limit.age is None or limit.age.holds(_ADULT_AGE) for limit in (other, row)]
    old = other.age is not None and (other.age.low or 0) >= 60 * 12
    return grown[0] == grown[1] and not old and other.maximum < row.maximum


def join(sketch: Sketch, opening: Opening) -> None:
    """Settle a dose above what is allowed elsewhere. Raises UnfitError where there is none."""
    if sketch.fixed or sketch.use is not opening.use:
        raise UnfitError("the dose is settled")
    row, lower = opening.data
    made = regimens(sketch.known.rx, sketch.drug, sketch.use, sketch.condition, sketch.body)
    bound = lower * sketch.weight if row.basis == "kg/day" and sketch.weight else lower
    found = [one for one in made if one.row is row and one.total > bound]
    if not found:
        raise UnfitError("no dose is that high")
    regimen = sketch.lane.pick(found)
    if not sketch.known.kin[sketch.drug.id] & WORKS_WHOLE:
        sketch.start(False)  # nobody begins with so much
    sketch.regimen, sketch.fixed = regimen, True
    facts = ["weight1"] if row.basis == "kg/day" else []
    span = _SPAN[regimen.days]
    usual = number(round(bound, 1))
    sketch.decoys.append(
        Spared(
            "high_but_right", "dose", [sketch.drug.id], [], False,
            f"{number(regimen.total)} {regimen.unit} {span} is more than the "
            f"{usual} {regimen.unit} of other uses; for {row.indication} it is right",
            row.authority, facts,
        )
    )  # fmt: skip
