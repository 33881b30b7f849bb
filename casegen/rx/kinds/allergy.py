"""An allergy to the drug, to its class, or to a drug that cross-reacts with it.

The allergen names the drug itself or a class that holds it (its own label forbids it then), or a
rule in ``allergies.yaml`` ties the two, with its authority. Reactions are allergic ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from casegen.seeds.rx.model import (
    Authority,
    Contraindication,
    CrossReaction,
    DoseLimit,
    Drug,
)
from casegen.seeds.rx.naming import allergy_names
from casegen.seeds.rx.recommending import asks_for

from ..known import FORBIDDING, Known
from ..known import known as the_known
from ..model import ADULT, Found, Item, Opening, Sketch, UnfitError

# Allergic reactions by the histories that rules ask for. Anaphylaxis is immediate and serious.
REACTIONS: dict[str, tuple[str, ...]] = {
    "": ("anaphylaxis", "hives", "angioedema", "wheezing", "rash"),
    "anaphylaxis": ("anaphylaxis",),
    "immediate": ("anaphylaxis", "hives"),
    "serious": ("anaphylaxis",),
    "angioedema": ("angioedema",),
    "not anaphylactic": ("hives", "rash"),
}
_GRADES = ("contraindicated", "boxed", "avoid")


def allergens(known: Known) -> list[str]:
    """Allergy classes, and the drugs that a list may name."""
    return [one.id for one in known.rx.allergies] + list(known.listed)


def own(known: Known, allergen: str, drug: str) -> bool:
    """Whether an allergen is the drug, holds it or is held by it, or is a class with it."""
    if allergen in known.rx.drugs:
        mine, theirs = set(known.rx.ingredients(drug)), set(known.rx.ingredients(allergen))
        return allergen == drug or bool(mine & theirs)
    return drug in known.members(allergen)


def openings(known: Known) -> Iterator[Opening]:
    """Each drug with the entries of an allergy list that name it."""
    for drug in known.prescribed:
        for allergen in near(drug):
            rules = known.crossing(allergen, drug)
            if own(known, allergen, drug) and _agreed(rules) and histories(rules):
                kind = "class" if allergen not in known.rx.drugs else "drug"
                yield Opening(drug, f"{kind}/{drug}", data=(allergen, histories(rules)))


def cross_openings(known: Known) -> Iterator[Opening]:
    """Each drug with the entries of an allergy list that cross-react with it."""
    for drug in known.prescribed:
        for allergen in near(drug):
            rules = known.crossing(allergen, drug)
            if own(known, allergen, drug) or not rules or not _agreed(rules):
                continue
            if histories(rules):
                yield Opening(
                    drug, f"{rules[0].allergen}/{drug}", data=(allergen, histories(rules))
                )


@lru_cache(maxsize=512)
def near(drug: str) -> tuple[str, ...]:
    """The allergens that could have a bearing on a drug."""
    known = the_known()
    kin = known.kin[drug]
    named = {rule.allergen for rule in known.rx.cross if rule.drug in kin}
    found = []
    for allergen in allergens(known):
        if (
            allergen == drug
            or own(known, allergen, drug)
            or allergen in named
            or (
                allergen in known.rx.drugs
                and any(allergen in known.members(name) for name in sorted(named))
            )
        ):
            found.append(allergen)
    return tuple(found)


def _agreed(rules: tuple[CrossReaction, ...]) -> bool:
    """Whether all rules on a pair forbid the drug, and nobody disputes it."""
    return all(rule.grade in FORBIDDING and not rule.disputed for rule in rules)


def histories(rules: Sequence[CrossReaction]) -> tuple[str, ...]:
    """The reactions after which all of the rules hold."""
    asked = [REACTIONS.get(rule.reaction, ()) for rule in rules]
    return tuple(one for one in REACTIONS[""] if all(one in some for some in asked))


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the entry and the finding. Raises UnfitError where it does not fit."""
    allergen, reactions = opening.data
    known, drug = sketch.known, sketch.drug
    sketch.start(True)  # who takes it already is not allergic to it
    item = add_allergy(sketch, allergen, sketch.lane.pick(reactions))
    reaction = item.attributes["reaction"]
    rules = known.crossing(allergen, drug.id)
    mine = own(known, allergen, drug.id)
    if mine and allergen in known.rx.drugs:
        grade, why = "contraindicated", "the label forbids it after an allergic reaction to it"
        authority = [by_label(drug)]
    elif rules:
        why = rules[0].why
        grade = min((rule.grade for rule in rules), key=_GRADES.index)
        authority = [by for rule in rules for by in rule.authority]
    else:
        group = next(one for one in known.rx.allergies if one.id == allergen)
        grade, why = "contraindicated", f"it is one of the {group.title}"
        authority = list(group.authority)
    names = allergy_names(known.rx, allergen, drug.id)
    if rules and rules[0].allergen != allergen:
        names += allergy_names(known.rx, rules[0].allergen, drug.id)
    problem = "allergy" if mine else "cross_allergy"
    sketch.findings.append(
        Found(
            "allergy", problem, [allergen, drug.id], list(dict.fromkeys(names)),  # type: ignore[arg-type]
            "contraindicated" if grade == "contraindicated" else "major",
            asks_for("allergy", problem), f"allergic reaction ({reaction})", "choose another drug",
            f"allergy to {allergen} ({reaction}): {why}", authority, [item.id],
        )
    )  # fmt: skip


def add_allergy(sketch: Sketch, allergen: str, reaction: str, kind: str = "allergy") -> Item:
    """Put an entry on the allergy list. Raises UnfitError where one of its kin stands there, or
    a medication is of it."""
    known = sketch.known
    if sketch.months < ADULT and allergen not in (*known.of_children, sketch.drug.id):
        raise UnfitError("no child has had it")
    for item in sketch.items:
        if item.kind in ("allergy", "intolerance") and _kin(known, item.term, allergen):
            raise UnfitError("an entry of the same kind stands there")
        taken = item.kind == "medication" and item.status == "active"
        if taken and (own(known, allergen, item.term) or known.crossing(allergen, item.term)):
            raise UnfitError("a medication is of that kind")
    return sketch.add(
        Item(
            sketch.next_id(kind), kind, allergen, "allergies", kind, {"reaction": reaction}  # type: ignore[arg-type]
        )
    )  # fmt: skip


def _kin(known: Known, one: str, other: str) -> bool:
    """Whether two entries say the same: of one drug, of one class, or of a class and its drug."""
    return bool(known.members(one) & known.members(other)) or any(
        b in known.rx.drugs and own(known, a, b) for a, b in ((one, other), (other, one))
    )


def by_label(drug: Drug) -> Authority:
    """Where the label of a drug lists its contraindications: section 4, or the heading of an
    older label."""
    rules: list[Contraindication | DoseLimit] = [*drug.contraindications, *drug.doses]
    sections = [
        by.section
        for rule in rules
        for by in rule.authority
        if by.source == "label" and by.section != "boxed warning"
    ]
    older = any(not section[0].isdigit() for section in sections)
    return Authority("label", drug.id, "contraindications" if older else "4")
