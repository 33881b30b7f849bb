"""One ingredient from several products, that together exceed what each keeps by itself."""

from __future__ import annotations

from decimal import Decimal

from .amounts import given, over, shown
from .bounds import Bound, readings
from .model import Work
from .patient import Medication


def find(work: Work) -> None:
    """Add up each ingredient over the prescription and all that is taken by the same route."""
    if work.dose is None or work.frequency is None:
        return
    parts = work.rx.ingredients(work.drug.id)
    for index, part in enumerate(parts):
        others = [one for one in work.patient.medications if _counts(work, one, part)]
        if others:
            _judge(work, index, part, others)


def _counts(work: Work, one: Medication, part: str) -> bool:
    if part not in work.rx.ingredients(one.drug.id) or one.local:
        return False
    return one.drug.id != work.drug.id or work.written.starting


def _judge(work: Work, index: int, part: str, others: list[Medication]) -> None:
    if work.dose is None or work.frequency is None:
        return
    bounds = _bounds(work, index, part)
    if not bounds:
        return
    limit = max(bounds, key=lambda one: one.maximum or Decimal(0))
    own = given(work.dose, work.frequency, index, work.patient.weight)
    own = None if own is None else own.in_unit(work.rx, limit.unit)
    if own is None or limit.maximum is None or over(own.total(1), limit.maximum):
        return  # too much by itself, which the rule on doses tells
    total = own.total(1)
    told = [f"{shown(total)} {limit.unit} of {part} from {work.drug.id}"]
    for one in others:
        if one.dose is None or one.frequency is None:
            work.leave("dose", part, f"how much {one.drug.id} gives is not told")
            continue
        place = work.rx.ingredients(one.drug.id).index(part)
        got = given(one.dose, one.frequency, place, work.patient.weight)
        got = None if got is None else got.in_unit(work.rx, limit.unit)
        if got is None:
            work.leave("dose", part, f"how much {one.drug.id} gives is not told")
            continue
        total += got.total(1)
        told.append(f"{shown(got.total(1))} {limit.unit} from {one.drug.id}")
    if not over(total, limit.maximum):
        return
    most = f"no more than {shown(limit.maximum)} {limit.unit} of {part} a day from all products"
    work.dose_finding(
        "combined_ingredient", "major", f"more {part} than the highest dose", most,
        f"{' and '.join(told)} are {shown(total)} {limit.unit} of {part} a day; {most}",
        limit.authority, (one.id for one in others),
    )  # fmt: skip


def _bounds(work: Work, index: int, part: str) -> list[Bound]:
    """The daily maxima of an ingredient in all readings, of the product and of the ingredient
    by itself. The highest judges, so that a finding is certain."""
    made, _ = readings(work)
    found = [b for reading in made for b in reading.bounds if b.index == index and b.days == 1]
    if work.drug.ingredients:
        found = [one for one in found if one.ingredient == part]
    return [one for one in found if one.maximum is not None]
