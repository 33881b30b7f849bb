"""A pair with a dose limit that is kept: simvastatin 20 mg beside amlodipine. It is right, and
who names the pair as one to mind loses nothing."""

from __future__ import annotations

from ..fitting import add_medication, fits_medication
from ..model import Opening, Sketch, Spared, UnfitError
from .interaction_dose import limited, openings, words_of

__all__ = ["join", "openings"]


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the other drug and settle the dose of the limited one within its limit. Raises
    UnfitError where that does not fit."""
    from casegen.seeds.rx.naming import interaction_names

    known, lane, other = sketch.known, sketch.lane, str(opening.data)
    pair = known.pair(sketch.drug.id, other)
    limit, rule = pair.limit, pair.rules[0]
    own = limit.drug == sketch.drug.id
    if (own and sketch.fixed) or not fits_medication(sketch, other, ("limit",)):
        raise UnfitError("the dose is settled")
    found = limited(sketch, limit, other, over=False)
    if not found:
        raise UnfitError("no ordinary dose keeps the limit")
    use, regimen = lane.pick(found)
    if own:
        item = add_medication(sketch, other, lane)
        sketch.regimen, sketch.fixed = regimen, True
    else:
        item = add_medication(sketch, other, lane, use, regimen)
    sketch.decoys.append(
        Spared(
            "within_limit", "interaction", [other, sketch.drug.id],
            interaction_names(known.rx, other, sketch.drug.id, rule), True,
            f"{words_of(limit)}, and that is kept", rule.authority, [item.id],
        )
    )  # fmt: skip
