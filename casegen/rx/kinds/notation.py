"""A right dose that is written so that it is misread (ISMP's list, Joint Commission's list)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from casegen.seeds.rx.model import Notation

from ..doses import Regimen, regimens
from ..fitting import number
from ..known import Known
from ..model import Opening, Sketch, UnfitError, on_dose

# The notations that a prescription can show; the others are names of drugs or large numbers.
_SHOWN = ("trailing-zero", "naked-decimal", "u-for-units", "iu-for-units", "micro-sign", "ug",
          "qd", "od", "q1d", "qhs", "subcut", "dose-run-together")  # fmt: skip
_ONCE = {"qd": ("QD", "qd", "q.d."), "od": ("OD", "o.d."), "q1d": ("q1d",), "qhs": ("qhs", "QHS")}
_NIGHT = frozenset(("statin", "hypnotic", "z-drug", "tetracyclic-antidepressant"))


def openings(known: Known) -> Iterator[Opening]:
    """Each notation with each drug whose doses could be written so."""
    rules = {one.id: one for one in known.rx.notations if one.id in _SHOWN}
    for drug in known.prescribed:
        one = known.drug(drug)
        units = {strength.unit for strength in one.strengths}
        single = len(one.ingredients) < 2
        for name, rule in rules.items():
            if (
                (name in ("u-for-units", "iu-for-units") and "units" not in units)
                or (name in ("micro-sign", "ug") and "mcg" not in units)
                or (name == "subcut" and one.routes[0] != "subcutaneous")
                or (name == "qhs" and not known.kin[drug] & _NIGHT)
                or (name == "naked-decimal" and not _small(known, drug))
                or not single
            ):
                continue
            yield Opening(drug, "units" if name.endswith("for-units") else name, data=rule)


def _small(known: Known, drug: str) -> bool:
    return any(strength.amounts[0] < 1 for strength in known.drug(drug).strengths)


def join(sketch: Sketch, opening: Opening) -> None:
    """Write an ordinary dose so that it is misread. Raises UnfitError where none can be."""
    rule = opening.data
    if sketch.fixed or not isinstance(rule, Notation):
        raise UnfitError("the dose is settled")
    made = regimens(sketch.known.rx, sketch.drug, sketch.use, sketch.condition, sketch.body)
    found = [one for one in made if _writable(one, rule.id)]
    if not found:
        raise UnfitError("no dose is written so")
    regimen = sketch.lane.pick(found)
    sketch.regimen, sketch.fixed = regimen, True
    text = _write(sketch, regimen, rule.id)
    on_dose(
        sketch, "notation", "moderate", "the dose may be misread", f"write {rule.instead}",
        f"{text}: {rule.misread}", rule.authority,
    )  # fmt: skip


def _writable(one: Regimen, name: str) -> bool:
    whole = one.amount == one.amount.to_integral_value()
    match name:
        case "trailing-zero":
            return whole and one.amount < 100
        case "naked-decimal":
            return one.amount < 1
        case "u-for-units" | "iu-for-units":
            return one.unit == "units"
        case "micro-sign" | "ug":
            return one.unit == "mcg"
        case "dose-run-together":
            return one.unit == "mg"
    return name == "subcut" or (one.days == 1 and one.times == 1)


def _write(sketch: Sketch, one: Regimen, name: str) -> str:
    """Set the words of the dose, the frequency or the route; return the misread ones."""
    lane, amount = sketch.lane, number(one.amount)
    match name:
        case "trailing-zero":
            sketch.dose = f"{one.amount.quantize(Decimal('1.0'))} {one.unit}"
        case "naked-decimal":
            sketch.dose = f"{amount.removeprefix('0')} {one.unit}"
        case "u-for-units":
            sketch.dose = amount + lane.pick(("U", " U", "u"))
        case "iu-for-units":
            sketch.dose = f"{amount} IU"
        case "micro-sign":
            sketch.dose = f"{amount} {lane.pick(('µg', 'μg'))}"
        case "ug":
            sketch.dose = f"{amount} ug"
        case "dose-run-together":
            sketch.dose = f"{amount}mg"
        case "subcut":
            sketch.route_told = lane.pick(("SC", "SQ"))
            return sketch.route_told
        case _:
            sketch.often = lane.pick(_ONCE[name])
            return sketch.often
    return sketch.dose
