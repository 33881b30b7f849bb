"""A name that no drug has. Nothing is guessed from its look (ISMP on confused drug names)."""

from __future__ import annotations

from collections.abc import Iterator

from casegen.seeds.rx import cases
from casegen.seeds.rx.model import Authority
from casegen.seeds.rx.recommending import asks_for

from ..known import Known
from ..model import Found, Opening, Sketch, UnfitError

AUTHORITY = Authority(
    "guideline",
    "ISMP list of confused drug names",
    "a name is not taken for another that looks or sounds like it",
)


def openings(known: Known) -> Iterator[Opening]:
    """Each invented name; the drug lends its dose and what it is for."""
    names = cases.read("invented.yaml")["names"]
    drugs = [drug for drug in known.prescribed if not known.drug(drug).ingredients]
    for at, name in enumerate(names):
        yield Opening(drugs[at * 7 % len(drugs)], name, data=name)


def join(sketch: Sketch, opening: Opening) -> None:
    """Put the invented name in place of the drug's. Raises UnfitError where others have joined."""
    if sketch.fixed or sketch.findings or sketch.decoys:
        raise UnfitError("of an unknown drug nothing else is known")
    name = str(opening.data)
    sketch.unknown, sketch.fixed = name, True
    sketch.findings.append(
        Found(
            "dose", "unknown_drug", [name], [], "major", asks_for("dose", "unknown_drug"),
            "no dose can be right for a drug that nobody knows",
            "ask the prescriber which drug is meant",
            f"{name} is no generic name, brand or synonym that the knowledge holds", (AUTHORITY,),
            [],
        )
    )  # fmt: skip
