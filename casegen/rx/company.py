"""Adds the drugs that belong to the conditions of a record."""

from __future__ import annotations

from dataclasses import replace

from ..accident import AccidentError
from ..randomness import Lane
from .belongs import FIBRILLATION, lacking
from .doses import regimens
from .fitting import add_medication, fits_medication, plain_body
from .model import Sketch, UnfitError


def accompany(sketch: Sketch, lane: Lane) -> None:
    """Add what belongs to the conditions and lacks. Raises AccidentError where none fits."""
    for problem in dict.fromkeys((*sketch.problems, sketch.use.problem)):
        wanted = lacking(sketch, problem)
        if not wanted:
            continue
        start = lane.below(len(wanted))
        if not any(
            _joins(sketch, drug, problem, lane) for drug in (*wanted[start:], *wanted[:start])
        ):
            raise AccidentError("what belongs to a condition does not go with the rest")


def _joins(sketch: Sketch, drug: str, problem: str, lane: Lane) -> bool:
    """Add a drug for a problem of the record, if it fits."""
    known = sketch.known
    if not fits_medication(sketch, drug):
        return False
    use = regimen = None
    if problem in FIBRILLATION:
        use = known.use_of(drug, "atrial_fibrillation")
        if use is None:
            return False
        use = replace(use, problem=problem)
        made = regimens(
            known.rx, known.drug(drug), use, known.problems[problem], plain_body(sketch)
        )
        if not made:
            return False
        regimen = lane.pick(made)
    kept = sketch.kept()
    try:
        add_medication(sketch, drug, lane, use, regimen)
    except UnfitError:
        sketch.put_back(kept)
        return False
    return True
