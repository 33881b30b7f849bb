"""Entries of an allergy list that look as if they forbade the drug: an acceptable
cross-reaction, one of which a label only warns, one on which authorities differ.

The rules stand in ``allergies.yaml``. Where a label forbids what a guideline allows, both
answers are right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from casegen.schemas.rx_case import DecoyKind, Recommendation
from casegen.seeds.rx.model import CrossReaction
from casegen.seeds.rx.naming import allergy_names

from ..known import FORBIDDING, Known
from ..model import Opening, Sketch, Spared
from .allergy import add_allergy, histories, near, own


def openings(known: Known) -> Iterator[Opening]:
    """Each drug that may be given in spite of an entry, by rules that do not forbid it."""
    return (one for one in _allowed(known) if not _against(one.data[1]))


def disputed_openings(known: Known) -> Iterator[Opening]:
    """Each drug of which one authority says that it may be given, and another that it may not."""
    return (one for one in _allowed(known) if _against(one.data[1]))


def _against(rules: Sequence[CrossReaction]) -> bool:
    return any(rule.grade in FORBIDDING for rule in rules)


def _allowed(known: Known) -> Iterator[Opening]:
    for drug in known.prescribed:
        for allergen in near(drug):
            rules = known.crossing(allergen, drug)
            if not rules or own(known, allergen, drug):
                continue
            milder = [rule for rule in rules if rule.grade not in FORBIDDING]
            if (
                milder
                and histories(rules)
                and (not _against(rules) or all(rule.disputed for rule in rules))
            ):
                yield Opening(drug, f"{rules[0].allergen}/{drug}", data=(allergen, rules))


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the entry and the decoy. Raises UnfitError where it does not fit."""
    allergen, rules = opening.data
    item = add_allergy(sketch, allergen, sketch.lane.pick(histories(rules)))
    against = [rule for rule in rules if rule.grade in FORBIDDING]
    granted = [rule for rule in rules if rule.grade == "acceptable"]
    warned = [rule for rule in rules if rule.grade == "caution"]
    kind: DecoyKind = "acceptable_cross"
    also: Recommendation | str = ""
    if against:
        kind, also = "disputed", "reject"
    elif warned and not granted:
        kind = "watch"
    names = allergy_names(sketch.known.rx, allergen, sketch.drug.id)
    if rules[0].allergen != allergen:
        names += allergy_names(sketch.known.rx, rules[0].allergen, sketch.drug.id)
    said = against + granted + warned
    sketch.kinds.append(kind)
    sketch.decoys.append(
        Spared(
            kind, "allergy", [allergen, sketch.drug.id], list(dict.fromkeys(names)), True,
            "; ".join(dict.fromkeys(f"{_voice(rule)}: {rule.why}" for rule in said)),
            [by for rule in said for by in rule.authority], [item.id], also,
        )
    )  # fmt: skip


def _voice(rule: CrossReaction) -> str:
    one = rule.authority[0]
    return f"the label of {one.reference}" if one.source == "label" else one.reference
