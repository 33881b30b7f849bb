"""What may stand in a record beside the prescription, so that nothing else is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from casegen.seeds.rx.model import Drug

from ..randomness import Lane
from .belongs import lacking
from .doses import Body, Regimen, regimens
from .known import FORBIDDING, Known
from .model import Item, Sketch, UnfitError
from .problems import Problem, Use

KIDNEYS = frozenset(("eGFR", "CrCl", "creatinine"))
# Categories of which one patient has one: the two diabetes, the two thyroid diseases, reflux.
_ONE_OF = ("E10 E11", "E03 E05", "I50 I50", "N18 N18", "F31 F33", "F20 F33", "F20 F31", "N95 Z30")
_APART = {frozenset(pair.split()) for pair in _ONE_OF}
_TRIES = 14
_WEAK = Decimal(60)
_FINE, _TEN = Decimal("0.0001"), 10


def aged(drug: Drug, months: int) -> bool:
    """Whether an age by itself speaks against a drug, a caution among them."""
    if any(
        rule.age is not None
        and not (rule.codes or rule.measure or rule.asks)
        and rule.age.holds(months)
        for rule in drug.contraindications
    ):
        return True
    return any(rule.age.holds(months) for rule in drug.pediatric)


def fits_problem(sketch: Sketch, name: str, *, spare: Sequence[str] = ()) -> bool:
    """Whether a condition may join: the patient can have it, and it speaks against no drug of
    the record but those of ``spare``."""
    known = sketch.known
    one = known.problems[name]
    years = sketch.months // 12
    if not one.ages[0] <= years <= one.ages[1] or one.sex not in ("", sketch.sex):
        return False
    if name in sketch.unwanted or name in sketch.problems:
        return False
    if any(clash(one, known.problems[other]) for other in (*sketch.problems, sketch.use.problem)):
        return False
    pregnant = any(item.kind == "pregnancy" for item in sketch.items)
    if pregnant and one.code[0] in "NZ":
        return False
    mine = sketch.drug.id
    if mine not in spare and (known.against(mine, name) or known.minds(mine, name)):
        return False
    return not any(
        rule.grade in FORBIDDING
        for drug in sketch.medications
        if drug not in spare
        for rule in known.against(drug, name)
    )


def clash(one: Problem, other: Problem) -> bool:
    """Whether two conditions are of one category, or of two that exclude each other."""
    a, b = one.code[:3], other.code[:3]
    return a == b or frozenset((a, b)) in _APART


def fits_medication(sketch: Sketch, drug: str, states: Sequence[str] = ("none",)) -> bool:
    """Whether a drug may stand among the medications: what is said of it and the prescribed drug
    is one of ``states``, and nothing in the record speaks against it."""
    known = sketch.known
    if drug in sketch.unwanted or sketch.has("medication", drug):
        return False
    if drug == sketch.drug.id or known.pair(drug, sketch.drug.id).state not in states:
        return False
    if any(known.pair(drug, other).state not in ("none", "watch") for other in sketch.medications):
        return False
    return suits(sketch, known.drug(drug))


def suits(sketch: Sketch, drug: Drug) -> bool:
    """Whether nothing in the record but its medications speaks against a drug."""
    known = sketch.known
    if aged(drug, sketch.months) or any(
        rule.grade in FORBIDDING
        for name in (*sketch.problems, sketch.use.problem)
        for rule in known.against(drug.id, name)
    ):
        return False
    for item in sketch.items:
        if item.kind == "pregnancy" and drug.id not in known.in_pregnancy:
            return False
        if item.kind == "lab" and any(
            rule.measure is not None and _kin(rule.measure.name, item.term)
            for rule in drug.contraindications
        ):
            return False
        if item.kind == "lab" and weak(item) and strains(drug):
            return False
        if item.kind in ("allergy", "intolerance") and allergic(known, item.term, drug.id):
            return False
    return True


def weak(item: Item) -> bool:
    """Whether a lab tells of kidneys that practice adapts doses to."""
    value = Decimal(item.attributes["value"])
    if item.term == "creatinine":
        return value >= Decimal("1.4")
    return item.term in KIDNEYS and value < _WEAK


def strains(drug: Drug) -> bool:
    """Whether a drug is not given in its ordinary dose where the kidneys are weak."""
    return (
        "nsaid" in drug.classes
        or any(row.renal is not None for row in drug.doses)
        or any(
            any(code.startswith("N18") for code in rule.codes)
            or (rule.measure is not None and rule.measure.name in KIDNEYS)
            for rule in drug.contraindications
        )
    )


def _kin(one: str, other: str) -> bool:
    return one == other or (one in KIDNEYS and other in KIDNEYS)


def allergic(known: Known, allergen: str, drug: str) -> bool:
    """Whether an entry of the allergy list has any bearing on a drug."""
    if allergen in known.rx.drugs:
        mine, theirs = set(known.rx.ingredients(drug)), set(known.rx.ingredients(allergen))
        if mine & theirs:
            return True
    elif drug in known.members(allergen):
        return True
    return bool(known.crossing(allergen, drug))


def use_for(sketch: Sketch, drug: str, lane: Lane) -> tuple[Use, Regimen] | None:
    """A use of a drug that the patient can have, and an ordinary dose for it, None if none."""
    known = sketch.known
    found = known.uses.get(drug, ())
    start = lane.below(len(found)) if found else 0
    for use in (*found[start:], *found[:start]):
        problem = known.problems[use.problem]
        if use.problem in sketch.problems or use.problem == sketch.use.problem:
            pass
        elif not fits_problem(sketch, use.problem):
            continue
        made = regimens(known.rx, known.drug(drug), use, problem, plain_body(sketch))
        if made:
            return use, lane.pick(made)
    return None


def plain_body(sketch: Sketch) -> Body:
    """The patient as a prescriber of other drugs saw her: of an age and weight."""
    return Body(sketch.months, sketch.weight, {})


def add_problem(sketch: Sketch, name: str) -> Item:
    """Put a condition on the list, unless it stands there."""
    for item in sketch.items:
        if item.kind == "condition" and item.problem == name:
            return item
    one = sketch.known.problems[name]
    item = Item(
        sketch.next_id("condition"), "condition", one.code, "conditions", "condition", problem=name
    )
    return sketch.add(item)


def add_medication(
    sketch: Sketch, drug: str, lane: Lane, use: Use | None = None, regimen: Regimen | None = None
) -> Item:
    """Put a drug on the list, and mostly what it is for. Raises UnfitError where the patient can
    have none of its uses."""
    known = sketch.known
    row = known.taken.get(drug)
    if row is not None and regimen is None:
        problem = row.problem
        if problem not in sketch.problems and not fits_problem(sketch, problem):
            raise UnfitError(f"nothing that {drug} is for fits")
        attributes = {
            "dose": row.dose, "unit": row.unit, "times": str(row.times), "basis": "day",
            "route": row.route, "form": row.form,
        }  # fmt: skip
        if row.needed:
            attributes["needed"] = "yes"
    else:
        if use is None or regimen is None:
            found = use_for(sketch, drug, lane)
            if found is None:
                raise UnfitError(f"no use of {drug} fits")
            use, regimen = found
        problem = use.problem
        attributes = told_of(regimen)
        if use.needed:
            attributes["needed"] = "yes"
    add_problem(sketch, problem)
    item = Item(
        sketch.next_id("medication"), "medication", drug, "medications", "medication", attributes,
        problem=problem, regimen=regimen,
    )  # fmt: skip
    return sketch.add(item)


def told_of(regimen: Regimen) -> dict[str, str]:
    """What a record says of a dose: that of one administration, and how often."""
    strength = regimen.strength
    basis = {1: "day", 7: "week", 30: "month"}[regimen.days]
    shared = {"times": str(regimen.times), "basis": basis, "route": regimen.route,
              "form": regimen.form}  # fmt: skip
    if strength is not None and len(strength.amounts) > 1:
        amounts = "/".join(number(amount) for amount in strength.amounts)
        return {"dose": str(regimen.pieces), "unit": "tablets",
                "strength": f"{amounts} {strength.unit}", **shared}  # fmt: skip
    return {"dose": number(regimen.amount), "unit": regimen.unit, **shared}


def number(value: object) -> str:
    """A number without zeros that say nothing, and without an exponent. An amount by weight is
    rounded: to tenths, from 10 on."""
    if isinstance(value, Decimal) and value != value.quantize(_FINE):
        value = value.quantize(Decimal("0.1") if value >= _TEN else Decimal("0.001"))
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def some_medication(sketch: Sketch, lane: Lane) -> bool:
    """Add a drug that has no bearing on the prescribed one; False where none was found."""
    known = sketch.known
    moves = known.kin[sketch.drug.id] & known.movers
    drugs = known.quiet if moves else known.common
    for _ in range(_TRIES):
        drug = lane.pick(drugs)
        if not fits_medication(sketch, drug):
            continue
        try:
            add_medication(sketch, drug, lane)
        except UnfitError:
            continue
        return True
    return False


def some_problem(sketch: Sketch, lane: Lane) -> bool:
    """Add a condition that has no bearing on any drug; False where none was found."""
    for _ in range(_TRIES):
        name = lane.pick(sketch.known.fillers)
        if fits_problem(sketch, name) and not lacking(sketch, name):
            add_problem(sketch, name)
            return True
    return False
