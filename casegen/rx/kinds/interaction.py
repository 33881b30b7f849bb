"""Two drugs of which a label or guideline forbids, advises against or bends the pair.

The rules stand in the interaction files, each with its authority. A rule on a class is a class
interaction: who answers has to know that the drug belongs to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from casegen.seeds.rx.naming import interaction_names
from casegen.seeds.rx.recommending import asks_for

from ..fitting import add_medication, fits_medication
from ..known import Known, Pair
from ..model import Found, Item, Opening, Sketch, UnfitError


def openings(known: Known) -> Iterator[Opening]:
    """Each pair whose deciding rule names both drugs."""
    return _openings(known, by_class=False)


def class_openings(known: Known) -> Iterator[Opening]:
    """Each pair whose deciding rule names the class of one or both."""
    return _openings(known, by_class=True)


def _openings(known: Known, by_class: bool) -> Iterator[Opening]:
    for drug in known.prescribed:
        for other in known.partners[drug]:
            pair = known.pair(drug, other)
            if other == drug or pair.state != "finding":
                continue
            rule = pair.rules[0]
            if (rule.a in known.rx.classes or rule.b in known.rx.classes) == by_class:
                yield Opening(drug, f"{rule.a}+{rule.b}", data=other)


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the other drug. Raises UnfitError where it does not fit."""
    other = str(opening.data)
    if not fits_medication(sketch, other, ("finding",)):
        raise UnfitError("it does not go with the rest")
    item = add_medication(sketch, other, sketch.lane)
    find_pair(sketch, item, sketch.known.pair(sketch.drug.id, other))


def find_pair(sketch: Sketch, item: Item, pair: Pair) -> None:
    """Add the finding on a drug of the list and the prescribed one."""
    known, drug, other = sketch.known, sketch.drug.id, item.term
    rule = pair.rules[0]
    same = [one for one in pair.rules if one.action == rule.action]
    names: dict[str, None] = {}
    for one in same:
        names |= dict.fromkeys(interaction_names(known.rx, other, drug, one))
    by_class = rule.a in known.rx.classes or rule.b in known.rx.classes
    problem = "class_interaction" if by_class else "interaction"
    if rule.action == "limit":
        problem = "interaction_dose"
    sketch.findings.append(
        Found(
            "interaction", problem, [other, drug], list(names), rule.severity,  # type: ignore[arg-type]
            asks_for("interaction", "interaction", rule.action), rule.effect, rule.management,
            f"{other} and {drug}: {rule.effect}; {rule.management}",
            [by for one in same for by in one.authority], [item.id], rule.disputed,
        )
    )  # fmt: skip
