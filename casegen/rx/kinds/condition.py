"""A condition in which a label or guideline forbids the drug or advises against it.

The rules stand in the drug files; the codes of the patient's conditions meet theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.model import Contraindication
from casegen.seeds.rx.naming import condition_names

from ..fitting import KIDNEYS, add_problem, clash, fits_problem
from ..known import FORBIDDING, Known
from ..model import Item, Opening, Sketch, UnfitError
from . import against

LIVER = ("K70", "K72", "K74")
_MEASURED = {"N18": KIDNEYS, "E87": frozenset(("potassium",)), "I45.81": frozenset(("QTc",))}


def openings(known: Known) -> Iterator[Opening]:
    """Each drug with each condition of which just one of its rules speaks, and forbids it."""
    for drug, problem, rule in pairs(known):
        if rule.grade in FORBIDDING:
            yield Opening(drug, f"{drug}/{rule.name}", data=(problem, rule))


def pairs(known: Known) -> Iterator[tuple[str, str, Contraindication]]:
    """Drug, problem and rule, where one rule alone speaks of the problem, whatever else holds."""
    for drug in known.prescribed:
        one = known.drug(drug)
        for problem in known.problems:
            rules = known.against(drug, problem)
            if len(rules) != 1:
                continue
            rule = rules[0]
            if rule.measure or rule.age or rule.without or rule.disputed or rule.start:
                continue
            if rule.sex or rule.indication:
                continue
            if _weighs(known, drug, problem):
                continue
            if any(use.problem == problem for use in known.uses[one.id]):
                continue
            yield drug, problem, rule


def _weighs(known: Known, drug: str, problem: str) -> bool:
    """Whether doses or measures of a drug hang on what the condition is of: liver, kidneys,
    potassium, QT interval. The record would have to tell values that go with it."""
    code = known.problems[problem].code
    one = known.drug(drug)
    if code.startswith(LIVER):
        return any(row.hepatic for row in one.doses)
    if code.startswith("N18") and any(row.renal for row in one.doses):
        return True
    measured = {rule.measure.name for rule in one.contraindications if rule.measure is not None}
    return any(code.startswith(own) and measured & names for own, names in _MEASURED.items())


def fits(sketch: Sketch, problem: str) -> bool:
    """Whether the patient may have a condition that speaks against the prescribed drug."""
    one = sketch.known.problems[problem]
    return fits_problem(sketch, problem, spare=(sketch.drug.id,)) and not clash(
        one, sketch.condition
    )


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the condition and the finding. Raises UnfitError where it does not fit."""
    problem, rule = opening.data
    if not fits(sketch, problem):
        raise UnfitError("the patient can't have it")
    item = add_problem(sketch, problem)
    names = names_of(sketch, item, rule)
    code = sketch.known.problems[problem].code
    against.find(
        sketch, "condition", code, names, rule.grade, rule.name, rule.effect, rule.authority,
        [item.id],
    )  # fmt: skip


def names_of(sketch: Sketch, item: Item, rule: Contraindication) -> list[str]:
    """How a condition of the list and the prescribed drug may be named."""
    rx = sketch.known.rx
    return condition_names(rx, rule, item.term, sketch.drug.id, called(rx, item.term))


@lru_cache(maxsize=1_024)
def called(rx: Rx, code: str) -> str:
    """What the knowledge calls a code, "" if nothing: the name whose code says most."""
    found = [
        (len(own), one.name) for one in rx.conditions for own in one.codes if code.startswith(own)
    ]
    return max(found)[1] if found else ""
