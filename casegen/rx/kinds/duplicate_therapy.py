"""Two drugs of a class of which one is enough, or one ingredient twice.

Therapeutic duplication is what federal rules have a pharmacist screen each prescription for.
"""

from __future__ import annotations

from collections.abc import Iterator

from casegen.seeds.rx.model import Authority
from casegen.seeds.rx.naming import interaction_names
from casegen.seeds.rx.recommending import asks_for

from ..fitting import add_medication, fits_medication
from ..known import Known
from ..model import Found, Item, Opening, Sketch, UnfitError

AUTHORITY = Authority(
    "guideline", "42 CFR 456.705 (prospective drug review)", "(b)(1) therapeutic duplication"
)


def openings(known: Known) -> Iterator[Opening]:
    """Each pair of drugs that share a class, and no ingredient."""
    for drug in known.prescribed:
        doubled = set(known.drug(drug).duplicate)
        for other in known.prescribed:
            if other == drug or doubled.isdisjoint(known.drug(other).duplicate):
                continue
            pair = known.pair(drug, other)
            shared = set(known.rx.ingredients(drug)) & set(known.rx.ingredients(other))
            if pair.state == "duplicate" and not shared:
                yield Opening(drug, f"{pair.shared[0]}/{drug}", data=other)


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the other drug. Raises UnfitError where it does not fit."""
    other = str(opening.data)
    if not fits_medication(sketch, other, ("duplicate",)):
        raise UnfitError("it does not go with the rest")
    find_duplicate(sketch, add_medication(sketch, other, sketch.lane))


def find_duplicate(sketch: Sketch, item: Item) -> None:
    """Add the finding on a drug of the list that does what the prescribed one does."""
    known, drug = sketch.known, sketch.drug
    parts = set(known.rx.ingredients(drug.id)) & set(known.rx.ingredients(item.term))
    if parts:
        shared, both = min(parts), f"both hold {min(parts)}"
    else:
        classes = sorted(set(drug.duplicate) & set(known.drug(item.term).duplicate))
        shared = known.rx.classes[classes[0]].title
        both = f"are each a kind of {shared}"
    sketch.findings.append(
        Found(
            "interaction", "duplicate_therapy", [item.term, drug.id],
            interaction_names(known.rx, item.term, drug.id), "moderate",
            asks_for("interaction", "duplicate_therapy"), f"{shared} twice", "give one of them",
            f"{item.term} and {drug.id} {both}", (AUTHORITY,), [item.id],
        )
    )  # fmt: skip
