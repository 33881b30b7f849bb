"""An age at which a label or the Beers Criteria advise against the drug.

The rules stand in the drug files. That antidepressants carry a boxed warning on the young is no
reason to reject one, and no case is drawn of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from casegen.seeds.rx.model import Contraindication, PediatricLimit
from casegen.seeds.rx.naming import age_names

from ..fitting import aged
from ..known import FORBIDDING, Known
from ..model import ADULT, Opening, Sketch, UnfitError
from . import against


def openings(known: Known) -> Iterator[Opening]:
    """Each rule on age alone that forbids."""
    for drug in known.prescribed:
        one = known.drug(drug)
        for rule in one.contraindications:
            if rule.age is None or rule.codes or rule.measure or rule.without or rule.disputed:
                continue
            if isinstance(rule, Contraindication) and rule.asks:
                continue
            if rule.grade in FORBIDDING and rule.age.low is not None:
                low = int(rule.age.low)
                yield Opening(drug, drug, low=low, high=93 * 12, old=True, data=rule)
        for limit in one.pediatric:
            if limit.after or limit.disputed or limit.grade not in FORBIDDING:
                continue
            high = int(limit.age.high or 0)
            if not 24 < high <= ADULT or {"antidepressant"} & known.kin[drug]:
                continue
            if not any(row.age is None or row.age.holds(high - 1) for row in one.doses):
                continue  # no dose is known for such a child
            yield Opening(
                drug,
                drug,
                low=max(24, int(limit.age.low or 0)),
                high=high - 1,
                old=True,
                data=limit,
            )


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the finding. Raises UnfitError where the age is another."""
    rule = opening.data
    if not isinstance(rule, Contraindication | PediatricLimit) or rule.age is None:
        raise UnfitError("no age")
    if not rule.age.holds(sketch.months) or not aged(sketch.drug, sketch.months):
        raise UnfitError("the patient is of another age")
    if any(one.problem == "age" for one in sketch.findings):
        raise UnfitError("the age is told of")
    name = rule.name if isinstance(rule, Contraindication) else ""
    names = age_names(sketch.months, sketch.drug.id, name)
    against.find(
        sketch,
        "age",
        "age",
        names,
        rule.grade,
        name or "age",
        rule.effect,
        rule.authority,
        ["age1"],
    )
