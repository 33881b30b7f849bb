"""A product that is put where it acts: eye drops of cyclosporine beside simvastatin. The rule on
the pair speaks of the drug in the whole body. Each product's label says how little gets there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from casegen.seeds.rx import cases
from casegen.seeds.rx.model import Authority
from casegen.seeds.rx.naming import interaction_names

from ..fitting import add_problem, allergic, fits_problem
from ..known import Known
from ..model import Item, Opening, Sketch, Spared, UnfitError

_STATES = ("finding", "limit", "watch")


@lru_cache(maxsize=1)
def products() -> Mapping[str, dict[str, Any]]:
    """The products by drug."""
    found: dict[str, dict[str, Any]] = cases.read("products.yaml")["products"]
    return found


def openings(known: Known) -> Iterator[Opening]:
    """Each product beside each drug that would interact if it were swallowed."""
    for other in products():
        if other not in known.rx.drugs:
            continue
        for drug in known.prescribed:
            pair = known.pair(drug, other)
            if drug != other and pair.state in _STATES:
                yield Opening(drug, f"{other}/{pair.rules[0].a}+{pair.rules[0].b}", data=other)


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the product. Raises UnfitError where it does not fit."""
    known, other = sketch.known, str(opening.data)
    row = products()[other]
    if sketch.has("medication", other) or any(
        item.kind in ("allergy", "intolerance") and allergic(known, item.term, other)
        for item in sketch.items
    ):
        raise UnfitError("it does not go with the rest")
    if row["p"] not in sketch.problems and not fits_problem(sketch, row["p"]):
        raise UnfitError("nobody needs it")
    add_problem(sketch, row["p"])
    attributes = {"route": row["route"], "form": row["form"]}
    item = Item(
        sketch.next_id("medication"), "medication", other, "medications", "local", attributes,
        problem=row["p"], words=sketch.lane.pick(row["lines"]),
    )  # fmt: skip
    sketch.add(item)
    pair = known.pair(sketch.drug.id, other)
    source, reference, section = row["by"]
    sketch.decoys.append(
        Spared(
            "other_route", "interaction", [other, sketch.drug.id],
            interaction_names(known.rx, other, sketch.drug.id, pair.rules[0]), True,
            f"{row['why']}; the rule on the pair is on the whole body",
            (*pair.rules[0].authority, Authority(source, reference, section)), [item.id],
        )
    )  # fmt: skip
