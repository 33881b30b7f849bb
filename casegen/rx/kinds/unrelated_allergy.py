"""An allergy that has no bearing on the drug, though it is to a drug of the same shelf.

No rule ties the two, and the one is no member of the other's class.
"""

from __future__ import annotations

from collections.abc import Iterator

from casegen.seeds.rx.model import Authority
from casegen.seeds.rx.naming import allergy_names

from ..fitting import allergic
from ..known import Known
from ..model import ADULT, Opening, Sketch, Spared, UnfitError
from .allergy import REACTIONS, add_allergy

SHELVES = ("antibiotic", "antihypertensive", "antidepressant", "antiepileptic", "antipsychotic",
           "opioid", "nsaid", "statin", "antidiabetic", "anticoagulant", "antihistamine",
           "diuretic")  # fmt: skip
_AUTHORITY = Authority(
    "guideline",
    "Drug Allergy 2022 Practice Parameter Update (AAAAI/ACAAI)",
    "cross-reactivity by structure",
)


def openings(known: Known) -> Iterator[Opening]:
    """Each drug with those of its shelf that no rule ties to it."""
    for drug in known.prescribed:
        shelf = [name for name in SHELVES if name in known.kin[drug]]
        if not shelf:
            continue
        for other in known.listed:
            if other != drug and shelf[0] in known.kin[other] and not related(known, other, drug):
                yield Opening(drug, drug, data=other)


def related(known: Known, other: str, drug: str) -> bool:
    """Whether two drugs are of one chemical class, or a rule ties them: of such a pair no case
    says that it is unrelated."""
    broad = frozenset(SHELVES) - {"statin", "opioid", "nsaid"}
    shared = (known.kin[drug] & known.kin[other]) - broad - {"cyp3a4-strong-inhibitor"}
    return bool(shared) or allergic(known, other, drug) or allergic(known, drug, other)


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the entry. Raises UnfitError where it does not fit."""
    other = str(opening.data)
    if sketch.has("medication", other):
        raise UnfitError("it is taken")
    if sketch.months < ADULT and other not in sketch.known.of_children:
        raise UnfitError("no child has had it")
    item = add_allergy(sketch, other, sketch.lane.pick(REACTIONS[""]))
    sketch.decoys.append(
        Spared(
            "unrelated_allergy", "allergy", [other, sketch.drug.id],
            allergy_names(sketch.known.rx, other, sketch.drug.id), False,
            f"{other} and {sketch.drug.id} share no structure", (_AUTHORITY,), [item.id],
        )
    )  # fmt: skip
