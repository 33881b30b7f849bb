"""A pair with a dose limit that is exceeded: simvastatin 40 mg beside amlodipine.

The limit is that of the rule in the interaction files. Where it binds the prescribed drug the
dose is wrong too; where it binds the other one, only the pair is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from casegen.seeds.rx.model import PairLimit

from ..doses import Regimen, regimens
from ..fitting import add_medication, fits_medication, fits_problem, number
from ..known import Known
from ..model import Opening, Sketch, UnfitError, on_dose
from ..problems import Use
from .interaction import find_pair

_SPAN = {"day": "a day", "week": "a week", "month": "a month"}
_DAYS = {"day": 1, "week": 7, "month": 30}


def openings(known: Known) -> Iterator[Opening]:
    """Each pair with one limit, from either side."""
    for drug in known.prescribed:
        for other in known.partners[drug]:
            pair = known.pair(drug, other)
            if other != drug and pair.state == "limit" and pair.limit.drug in (drug, other):
                rule = pair.rules[0]
                side = "own" if pair.limit.drug == drug else "other"
                if side == "own" or other in known.uses:
                    yield Opening(drug, f"{rule.a}+{rule.b}/{side}", data=other)


def amount_of(regimen: Regimen, limit: PairLimit) -> Decimal | None:
    """What a limit counts of a dose, None where it counts in another span."""
    if limit.hours:
        same = regimen.days == 1 and limit.unit == regimen.unit
        return regimen.total * limit.hours / 24 if same else None
    days = _DAYS.get(limit.basis)
    if days is None:
        return regimen.amount
    return regimen.total if days == regimen.days and limit.unit == regimen.unit else None


def limited(
    sketch: Sketch, limit: PairLimit, other: str, *, over: bool
) -> list[tuple[Use, Regimen]]:
    """The ordinary doses of the limited drug that exceed the limit, or keep it."""
    known = sketch.known
    own = limit.drug == sketch.drug.id
    uses: Sequence[Use] = (sketch.use,) if own else known.uses[other]
    found: list[tuple[Use, Regimen]] = []
    for use in uses:
        problem = known.problems[use.problem]
        here = own or use.problem == sketch.use.problem or use.problem in sketch.problems
        if not here and not fits_problem(sketch, use.problem):
            continue
        for one in regimens(known.rx, known.drug(limit.drug), use, problem, sketch.body):
            amount = amount_of(one, limit)
            if amount is not None and (amount > limit.maximum) == over:
                found.append((use, one))
    return found


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the other drug and settle the dose of the limited one above its limit. Raises
    UnfitError where that does not fit."""
    known, lane, other = sketch.known, sketch.lane, str(opening.data)
    pair = known.pair(sketch.drug.id, other)
    limit = pair.limit
    own = limit.drug == sketch.drug.id
    if (own and sketch.fixed) or not fits_medication(sketch, other, ("limit",)):
        raise UnfitError("the dose is settled")
    found = limited(sketch, limit, other, over=True)
    if not found:
        raise UnfitError("no ordinary dose exceeds the limit")
    use, regimen = lane.pick(found)
    if not own:
        item = add_medication(sketch, other, lane, use, regimen)
        find_pair(sketch, item, pair)
        return
    item = add_medication(sketch, other, lane)
    sketch.regimen, sketch.fixed = regimen, True
    rule = pair.rules[0]
    find_pair(sketch, item, pair)
    text = words_of(limit)
    total = amount_of(regimen, limit) or regimen.amount
    told = f" in {limit.hours} hours" if limit.hours else ""
    on_dose(
        sketch, "interaction_dose", rule.severity, rule.effect, text,
        f"{number(total)} {limit.unit}{told}; beside {other} {text}", rule.authority, [item.id],
    )  # fmt: skip


def words_of(limit: PairLimit) -> str:
    """A limit in words."""
    span = f"in {limit.hours} hours" if limit.hours else _SPAN.get(limit.basis, "at a time")
    return f"{limit.drug} no more than {number(limit.maximum)} {limit.unit} {span}"
