"""A reaction that by itself is no allergy: nausea with amoxicillin. The drug may be given.

Which reactions these are stands in ``allergies.yaml``, with who says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from casegen.seeds.rx.naming import allergy_names

from ..known import Known
from ..model import Opening, Sketch, Spared
from .allergy import add_allergy


def openings(known: Known) -> Iterator[Opening]:
    """Each drug with the reactions that are none, by its own name and by that of its class."""
    for drug in known.prescribed:
        for one in known.rx.intolerances:
            # Who coughed with an ACE inhibitor is not given one again, though it is no allergy.
            if one.drug not in known.kin[drug] or one.drug == "ace-inhibitor":
                continue
            yield Opening(drug, f"{one.drug}/{drug}", data=(drug, one))
            for group in known.rx.allergies:
                if one.drug in group.members:
                    yield Opening(drug, f"{one.drug}/{drug}", data=(group.id, one))


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the entry. Raises UnfitError where it does not fit."""
    allergen, one = opening.data
    reaction = sketch.lane.pick(one.reactions)
    item = add_allergy(sketch, allergen, reaction, "intolerance")
    sketch.decoys.append(
        Spared(
            "intolerance", "allergy", [allergen, sketch.drug.id],
            allergy_names(sketch.known.rx, allergen, sketch.drug.id), False,
            f"no allergy by itself: {reaction}", one.authority, [item.id],
        )
    )  # fmt: skip
