"""A drug that would interact and was stopped long ago. What is stopped does not count.

Drugs that act for weeks after their last dose are never among them.
"""

from __future__ import annotations

from collections.abc import Iterator

from casegen.seeds.rx.naming import interaction_names

from ..fitting import told_of, use_for
from ..known import Known
from ..model import Item, Opening, Sketch, Spared, UnfitError

_LONG_LIVED = frozenset(("amiodarone", "fluoxetine", "leflunomide", "phenelzine", "dronedarone",
                         "hydroxychloroquine", "methotrexate"))  # fmt: skip
FEWEST_DAYS, MOST_DAYS = 400, 1_500


def openings(known: Known) -> Iterator[Opening]:
    """Each pair that would be a finding if the other drug were still taken."""
    for drug in known.prescribed:
        for other in known.partners[drug]:
            pair = known.pair(drug, other)
            if pair.state != "finding" or other in _LONG_LIVED:
                continue
            if other in known.uses:
                yield Opening(drug, f"{pair.rules[0].a}+{pair.rules[0].b}", data=other)


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the stopped drug. Raises UnfitError where it does not fit."""
    known, lane, other = sketch.known, sketch.lane, str(opening.data)
    if sketch.has("medication", other):
        raise UnfitError("it stands there")
    found = use_for(sketch, other, lane)
    if found is None:
        raise UnfitError("the patient never needed it")
    item = Item(
        sketch.next_id("medication"), "medication", other, "medications", "stopped",
        told_of(found[1]), status="stopped", regimen=found[1],
        days=lane.between(FEWEST_DAYS, MOST_DAYS),
    )  # fmt: skip
    sketch.add(item)
    rule = known.pair(sketch.drug.id, other).rules[0]
    sketch.decoys.append(
        Spared(
            "history", "interaction", [other, sketch.drug.id],
            interaction_names(known.rx, other, sketch.drug.id, rule), False,
            f"{other} was stopped long ago", rule.authority, [item.id],
        )
    )  # fmt: skip
