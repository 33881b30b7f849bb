"""Two drugs of a class of which one is enough, or one ingredient twice.

Therapeutic duplication is what federal rules have a pharmacist screen each prescription for.
"""

from __future__ import annotations

from collections.abc import Iterator

from casegen.seeds.rx.model import Authority, Drug
from casegen.seeds.rx.naming import interaction_names
from casegen.seeds.rx.recommending import asks_for

from ..doses import Body, Regimen, Rules, maximum_of, regimens, rules_of, share
from ..fitting import add_medication, fits_medication
from ..known import Known
from ..model import Found, Item, Opening, Sketch, UnfitError
from ..phrases import brands

AUTHORITY = Authority(
    "guideline", "42 CFR 456.705 (prospective drug review)", "(b)(1) therapeutic duplication"
)


def openings(known: Known) -> Iterator[Opening]:
    """Each pair of drugs that share a class, and no ingredient."""
    for drug in known.prescribed:
        doubled = set(known.drug(drug).duplicate)
        if len(brands_of(known, drug)) > 1:
            yield Opening(drug, f"brands/{drug}", data=drug)
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
    if other == sketch.drug.id:
        _two_brands(sketch)
        return
    if not fits_medication(sketch, other, ("duplicate",)):
        raise UnfitError("it does not go with the rest")
    find_duplicate(sketch, add_medication(sketch, other, sketch.lane))


def brands_of(known: Known, drug: str) -> set[str]:
    """The brands under which a drug may be written."""
    one = known.drug(drug)
    return {name for made in one.strengths for name in brands(one, made.form)}


def _two_brands(sketch: Sketch) -> None:
    """Put the drug itself on the list under another brand, the two together no more than is
    allowed. Raises UnfitError where that does not fit."""
    known, drug, lane = sketch.known, sketch.drug, sketch.lane
    if sketch.fixed or sketch.called or sketch.has("medication", drug.id):
        raise UnfitError("the dose is settled")
    body = sketch.body
    rules = rules_of(drug, sketch.use, sketch.condition, body)
    made = regimens(known.rx, drug, sketch.use, sketch.condition, body)
    found = [
        (one, two, mine, its)
        for one in made
        for two in made
        for mine in brands(drug, one.form)
        for its in brands(drug, two.form)
        if mine != its and one.days == two.days and _kept(drug, one, two, rules, body)
    ]
    if not found:
        raise UnfitError("no two brands go together")
    one, two, mine, its = lane.pick(found)
    sketch.start(True)
    sketch.regimen, sketch.fixed, sketch.called = one, True, mine
    item = add_medication(sketch, drug.id, lane, sketch.use, two)
    item.called = its
    find_duplicate(sketch, item)


def _kept(drug: Drug, one: Regimen, two: Regimen, rules: Rules, body: Body) -> bool:
    """Whether two doses of a drug together keep each highest dose."""
    if one.unit != two.unit:
        return False
    return all(
        share(drug, one, row) * one.times + share(drug, two, row) * two.times <= most
        for row in rules.on(one)
        if (most := maximum_of(row, body)) is not None
    )


def find_duplicate(sketch: Sketch, item: Item, together: Found | None = None) -> None:
    """Add the finding on a drug of the list that does what the prescribed one does. ``together``:
    the finding that both hold too much of an ingredient; then the pair is to be mended so."""
    known, drug = sketch.known, sketch.drug
    parts = set(known.rx.ingredients(drug.id)) & set(known.rx.ingredients(item.term))
    if item.term == drug.id:
        shared, both = drug.id, f"are both {drug.id}"
    elif parts:
        shared, both = min(parts), f"both hold {min(parts)}"
    else:
        classes = sorted(set(drug.duplicate) & set(known.drug(item.term).duplicate))
        shared = known.rx.classes[classes[0]].title
        both = f"are each a kind of {shared}"
    if together is not None:
        sketch.findings.append(
            Found(
                "interaction", "combined_ingredient", [item.term, drug.id],
                interaction_names(known.rx, item.term, drug.id), together.severity,
                asks_for("interaction", "combined_ingredient"), together.effect,
                together.management, f"{item.term} and {drug.id} {both}: {together.reason}",
                (*together.authority, AUTHORITY), [item.id],
            )
        )  # fmt: skip
        return
    sketch.findings.append(
        Found(
            "interaction", "duplicate_therapy", [item.term, drug.id],
            interaction_names(known.rx, item.term, drug.id), "moderate",
            asks_for("interaction", "duplicate_therapy"), f"{shared} twice", "give one of them",
            f"{item.term} and {drug.id} {both}", (AUTHORITY,), [item.id],
        )
    )  # fmt: skip
