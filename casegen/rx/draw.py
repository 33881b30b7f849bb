"""Draws an rx case: the prescription, what is wrong with it, and a record in which nothing else
is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from ..accident import AccidentError
from ..chart.splits import mix_of, within
from ..randomness import Lane, Lanes, running_sums
from .belongs import lacking
from .company import accompany
from .doses import Body, Regimen, begins, beside, meant, regimens, rules_of
from .fitting import (
    KIDNEYS,
    add_problem,
    aged,
    fits_problem,
    some_medication,
    some_problem,
)
from .kinds import SPARED, WRONG, Kind
from .kinds.allergy import REACTIONS, add_allergy, allergens
from .kinds.overdose import add_lab
from .kinds.underdose import WORKS_WHOLE
from .kinds.unrelated_allergy import related
from .known import Known
from .known import known as _known
from .model import ADULT, Item, Opening, Sketch, UnfitError
from .problems import Use

if TYPE_CHECKING:
    from .levels import Level

OTHER_SPLIT = "belongs to another split"
NO_DOSE = "no ordinary dose for this patient"
NO_PATIENT = "nobody of that age"
_TRIES = 8
_POUND = Decimal("0.45359237")
_COMPONENTS = {
    "dosage_check": frozenset(("dose",)),
    "interaction_check": frozenset(("dose", "interaction", "allergy")),
    "full_validation": frozenset(("dose", "interaction", "allergy", "contraindication")),
}
_UNITS = {"eGFR": "mL/min/1.73 m2", "CrCl": "mL/min", "creatinine": "mg/dL", "potassium": "mEq/L",
          "QTc": "ms"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shelf:
    """The openings of a kind by group, and by drug."""

    groups: Sequence[Sequence[Opening]]
    by_drug: dict[str, list[Opening]]


@lru_cache(maxsize=64)
def shelf(kind: Kind) -> Shelf:
    """The openings of a kind, found once."""
    groups: dict[str, list[Opening]] = {}
    by_drug: dict[str, list[Opening]] = {}
    for one in kind.openings(_known()):
        groups.setdefault(one.group, []).append(one)
        by_drug.setdefault(one.drug, []).append(one)
    return Shelf(list(groups.values()), by_drug)


@lru_cache(maxsize=16)
def _menu(task: str, wrong: bool) -> tuple[Sequence[Kind], Sequence[int]]:
    """The kinds that a task looks for, and the running sums of their weights."""
    kinds = [one for one in (WRONG if wrong else SPARED) if one.component in _COMPONENTS[task]]
    return kinds, running_sums([one.weight for one in kinds])


def draw(known: Known, lanes: Lanes, level: Level, split: str, safe: bool) -> Sketch:
    """One case but for its wording. Raises AccidentError where the parts do not fit."""
    plan = lanes.plan
    task = level.task
    wrong = 0 if safe else 1 + plan.weighted(range(len(level.findings)), level.findings)
    spared = plan.between(*level.decoys)
    if safe and not spared:
        spared = plan.below(3)  # two of three safe prescriptions look odd
    first: Kind | None = None
    if wrong or spared:
        first = plan.weighted(*_menu(task, bool(wrong)))
    sketch = _begun(known, lanes, task, first)
    if wrong:
        _more(sketch, lanes.inject, wrong - 1, True)
        _more(sketch, lanes.inject, spared, False)
    else:
        _more(sketch, lanes.inject, spared - 1, False)
    _settle(sketch, lanes.chart)
    _fill(sketch, lanes.chart, level, split)
    return sketch


def _begun(known: Known, lanes: Lanes, task: str, kind: Kind | None) -> Sketch:
    """The drug, the patient and the first kind, by an opening that fits."""
    reason = NO_PATIENT
    for _ in range(_TRIES):
        try:
            return _opened(known, lanes, task, kind)
        except UnfitError as unfit:
            reason = unfit.reason
    raise AccidentError(reason)


def _opened(known: Known, lanes: Lanes, task: str, kind: Kind | None) -> Sketch:
    plan, lane = lanes.plan, lanes.inject
    if kind is None:
        opening = Opening(plan.pick(known.prescribed), "")
    else:
        opening = plan.pick(plan.pick(shelf(kind).groups))
    use = opening.use or plan.pick(known.uses[opening.drug])
    years = _years(opening.drug, use, opening.low, opening.high, opening.old)
    if not years:
        raise UnfitError(NO_PATIENT)
    person = lanes.patient
    low, high = opening.low, opening.high
    months = person.pick(years) * 12
    months += person.below(12)
    months = max(low, min(high, months))
    sex = (
        opening.sex or use.sex or known.problems[use.problem].sex or person.pick(("female", "male"))
    )
    sketch = Sketch(known, lane, known.drug(opening.drug), use, sex, months, task)
    sketch.starting = plan.below(100) < 65
    if use.continued:
        sketch.start(False)
    if opening.group.startswith("pounds"):
        _weigh(sketch, person, pounds=True)
    elif _weighs(sketch):
        _weigh(sketch, person, pounds=person.chance(1, 3))
    if kind is not None:
        kind.join(sketch, opening)
        _name(sketch, kind)
    return sketch


def _name(sketch: Sketch, kind: Kind) -> None:
    """Note the kinds that have joined: what the findings and decoys call themselves."""
    told = [one.problem for one in sketch.findings] + [one.kind for one in sketch.decoys]
    sketch.kinds = sorted({*told, *([kind.name] if kind.name in told else [])})


@lru_cache(maxsize=4_096)
def _years(drug: str, use: Use, low: int, high: int, old: bool) -> tuple[int, ...]:
    """The ages, in years, at which a drug is ordinary for a use; ``old``: its own age rule is
    what the case is about."""
    known = _known()
    one, problem = known.drug(drug), known.problems[use.problem]
    found = []
    for years in range(max(problem.ages[0], low // 12), min(problem.ages[1], high // 12) + 1):
        months = max(low, years * 12 + 6)
        weight = Decimal(72) if months >= ADULT else _usual_weight(months)
        if not old and aged(one, months):
            continue
        if regimens(known.rx, one, use, problem, Body(months, weight, {"CrCl": Decimal(90)})):
            found.append(years)
    return tuple(found)


def _usual_weight(months: int) -> Decimal:
    """About what a child weighs: twice the sum of its years and four, in kg."""
    return Decimal(months) / 6 + 8


def _weighs(sketch: Sketch) -> bool:
    """Whether the weight bears on the dose, so that the record has to tell it."""
    if sketch.months < ADULT:
        return True
    return any(
        row.weight is not None or row.basis.startswith("kg") or row.criteria is not None
        for row in sketch.drug.doses
        if not row.indication or meant(row, sketch.use, sketch.condition)
    )


def _weigh(sketch: Sketch, lane: Lane, *, pounds: bool) -> None:
    """Draw a weight that fits the age, in kilograms or in whole pounds."""
    if sketch.months >= ADULT:
        kilograms = Decimal(lane.between(64, 104))
    else:
        kilograms = (_usual_weight(sketch.months) * lane.between(88, 112) / 100).quantize(
            Decimal("0.1")
        )
    if pounds:
        sketch.pounds = int((kilograms / _POUND).to_integral_value())
        kilograms = sketch.pounds * _POUND
    sketch.weight = kilograms


def _more(sketch: Sketch, lane: Lane, count: int, wrong: bool) -> None:
    """Let further kinds join, as far as some fit."""
    if sketch.unknown:
        return
    kinds, totals = _menu(sketch.task, wrong)
    for _ in range(count):
        for _ in range(_TRIES):
            kind = lane.weighted(kinds, totals)
            openings = shelf(kind).by_drug.get(sketch.drug.id)
            if not openings or kind.name in sketch.kinds or kind.name == "unknown_drug":
                continue
            kept = sketch.kept()
            try:
                kind.join(sketch, lane.pick(openings))
            except UnfitError:
                sketch.put_back(kept)
                continue
            _name(sketch, kind)
            break


def _settle(sketch: Sketch, lane: Lane) -> None:
    """The ordinary dose where no kind has settled it, and the facts on which dose and
    contraindications hang."""
    if sketch.regimen is None:
        made = regimens(sketch.known.rx, sketch.drug, sketch.use, sketch.condition, sketch.body)
        if not made:
            raise AccidentError(NO_DOSE)
        sketch.regimen = lane.pick(_begun_low(sketch, made))
    elif not rules_of(sketch.drug, sketch.use, sketch.condition, sketch.body).base:
        raise AccidentError(NO_DOSE)
    if sketch.begun is None and not begins(sketch.regimen, sketch.use):
        sketch.starting = False  # nobody begins with so much
    if sketch.use.problem not in sketch.problems:
        spare = (sketch.drug.id,)
        if sketch.use.problem in sketch.unwanted or _unfit_use(sketch, spare):
            raise AccidentError("what the drug is for does not go with the rest")
        add_problem(sketch, sketch.use.problem)
    _measure(sketch, lane)
    accompany(sketch, lane)
    if sketch.weight is not None:
        item = Item("weight1", "weight", f"{sketch.weight}", "conditions", "weight")
        sketch.add(item)


def _begun_low(sketch: Sketch, made: Sequence[Regimen]) -> Sequence[Regimen]:
    """The doses that a new prescription may begin with: most drugs are raised later."""
    if not sketch.starting or sketch.known.kin[sketch.drug.id] & WORKS_WHOLE:
        return made
    made = [one for one in made if begins(one, sketch.use)] or made
    totals = sorted(one.total / one.days for one in made)
    middle = totals[(len(totals) - 1) // 2]
    return [one for one in made if one.total / one.days <= middle]


def _unfit_use(sketch: Sketch, spare: Sequence[str]) -> bool:
    """Whether what the drug is for speaks against a medication of the list."""
    return any(
        rule.grade != "caution"
        for drug in sketch.medications
        if drug not in spare
        for rule in sketch.known.against(drug, sketch.use.problem)
    )


def _measure(sketch: Sketch, lane: Lane) -> None:
    """Put normal values on the list where the rules of the drug ask for them and nobody has
    measured: what is not told would leave the answer open."""
    asked: dict[str, Decimal] = {}
    for row in sketch.drug.doses:
        if row.indication and not meant(row, sketch.use, sketch.condition):
            continue
        if row.age is not None and not row.age.holds(sketch.months):
            continue
        if row.renal is not None and beside(row):
            _ask(asked, row.renal.name, row.renal.range.high)
        if row.criteria is not None:
            asked.setdefault("creatinine", Decimal(0))
    codes = [item.term for item in sketch.items if item.kind == "condition"]
    for rule in sketch.drug.contraindications:
        if rule.measure is None or (rule.start and not sketch.starting) or rule.sex:
            continue
        if rule.codes and not any(code.startswith(rule.codes) for code in codes):
            continue
        if rule.age is None or rule.age.holds(sketch.months):
            _ask(asked, rule.measure.name, rule.measure.range.high)
    for name in asked:
        if name in sketch.values or name not in _UNITS:
            continue
        if name in KIDNEYS and any(told in KIDNEYS for told in sketch.values):
            raise AccidentError("the kidneys are told of by another measure")
    for name, least in asked.items():
        if name not in sketch.values and name in _UNITS:
            add_lab(sketch, name, _normal(sketch, name, least, lane), _UNITS[name])


def _ask(asked: dict[str, Decimal], name: str, high: Decimal | None) -> None:
    asked[name] = max(asked.get(name, Decimal(0)), high or Decimal(0))


def _normal(sketch: Sketch, name: str, least: Decimal, lane: Lane) -> Decimal:
    """A value that no rule of the drug speaks of. Kidneys grow weaker with age."""
    if name == "potassium":
        return Decimal(lane.between(38, 47)) / 10
    if name == "creatinine":
        return Decimal(lane.between(7, 12)) / 10
    if name == "QTc":
        return Decimal(lane.between(398, 438))
    usual = 108 - sketch.months // 24 + lane.between(-6, 6)
    return Decimal(max(int(least) + 4, min(94, usual)))


def _fill(sketch: Sketch, lane: Lane, level: Level, split: str) -> None:
    """Medications, allergies and conditions that have no bearing, until the lists are as long as
    the difficulty has them and the case belongs to its split."""
    wanted = lane.between(*level.medications)
    while _count(sketch, "medications") < wanted and some_medication(sketch, lane):
        pass
    for _ in range(lane.between(*level.allergies) - _count(sketch, "allergies")):
        _some_allergy(sketch, lane)
    accompany(sketch, lane)
    wanted = max(lane.between(*level.conditions), 2 * _items(sketch) - 1 - _entries(sketch)
                 + _count(sketch, "conditions"))  # fmt: skip
    while _count(sketch, "conditions") < wanted - 1 and some_problem(sketch, lane):
        pass
    _into_split(sketch, lane, split)
    if 2 * _items(sketch) > 1 + _entries(sketch):
        raise AccidentError("too many findings for so short a record")


def _count(sketch: Sketch, source: str) -> int:
    return sum(item.source == source for item in sketch.items)


def _entries(sketch: Sketch) -> int:
    return len(sketch.items)


def _items(sketch: Sketch) -> int:
    """What there is to find: the dose, and each pair."""
    dose = any(one.component == "dose" for one in sketch.findings)
    return dose + sum(one.component != "dose" for one in sketch.findings)


def _some_allergy(sketch: Sketch, lane: Lane) -> None:
    known = sketch.known
    names = allergens(known) if sketch.months >= ADULT else known.of_children
    for _ in range(_TRIES):
        allergen = lane.pick(names)
        if allergen in known.rx.drugs:
            apart = not related(known, allergen, sketch.drug.id)
        else:
            apart = sketch.drug.id not in known.members(allergen)
            apart = apart and not known.crossing(allergen, sketch.drug.id)
        if not apart or allergen == sketch.drug.id:
            continue
        try:
            add_allergy(sketch, allergen, lane.pick(REACTIONS[""]))
        except UnfitError:
            continue
        return


def mix(sketch: Sketch) -> int:
    """The hash of what the case is made of, whose range tells its split."""
    total = mix_of("drug", sketch.unknown or sketch.drug.id)
    for item in sketch.items:
        if item.kind in ("medication", "condition", "allergy", "intolerance"):
            total += mix_of(item.kind, item.term)
    return total + sum(mix_of("kind", kind) for kind in sketch.kinds)


def _into_split(sketch: Sketch, lane: Lane, split: str) -> None:
    """Add the last condition so that the case belongs to its split: the first that does among
    some drawn ones, else among all. Where none does, another condition joins before it."""
    known = sketch.known
    names = sorted(set(known.fillers))
    for _ in range(_TRIES):
        so_far = mix(sketch)
        start = lane.below(len(names))
        drawn = [lane.pick(known.fillers) for _ in range(_TRIES)]
        for name in (*drawn, *names[start:], *names[:start]):
            part = mix_of("condition", known.problems[name].code)
            if not within(so_far + part, split) or lacking(sketch, name):
                continue
            if fits_problem(sketch, name):
                add_problem(sketch, name)
                return
        if not some_problem(sketch, lane):
            break
    raise AccidentError(OTHER_SPLIT)
