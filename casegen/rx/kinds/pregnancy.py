"""A pregnancy in which the label forbids the drug or advises against it. The rules stand in the
drug files, with the weeks where the label tells them."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from casegen.seeds.rx.model import PregnancyLimit
from casegen.seeds.rx.naming import pregnancy_names

from ..known import FORBIDDING, Known
from ..model import Item, Opening, Sketch, UnfitError
from . import against

LOW, HIGH = 19 * 12, 44 * 12
_LAST_WEEK = 38


def openings(known: Known) -> Iterator[Opening]:
    """Each drug with a limit that nobody disputes. Opioids warn of the newborn's withdrawal after
    long use, which by itself is no reason to reject one dose."""
    for drug in known.prescribed:
        if "opioid" in known.kin[drug]:
            continue
        for limit in known.drug(drug).pregnancy:
            if limit.grade in FORBIDDING and not limit.disputed:
                yield Opening(drug, drug, low=LOW, high=HIGH, sex="female", data=limit)


def join(sketch: Sketch, opening: Opening) -> None:
    """Add the pregnancy and the finding. Raises UnfitError where it does not fit."""
    limit = opening.data
    if not isinstance(limit, PregnancyLimit):
        raise UnfitError("no limit")
    item = add_pregnancy(sketch, limit)
    against.find(
        sketch, "pregnancy", "pregnancy", pregnancy_names(sketch.drug.id), limit.grade,
        "pregnancy", limit.effect, limit.authority, [item.id],
    )  # fmt: skip


def add_pregnancy(sketch: Sketch, limit: PregnancyLimit) -> Item:
    """Put a pregnancy in the weeks of a limit among the conditions. Raises UnfitError where the
    patient can't be pregnant, or what stands there does not go with it."""
    if sketch.sex != "female" or not LOW <= sketch.months <= HIGH:
        raise UnfitError("the patient is not pregnant")
    if sketch.condition.code[0] in "NZ" or any(
        sketch.known.problems[name].code[0] in "NZ" for name in sketch.problems
    ):
        raise UnfitError("the record does not go with a pregnancy")
    if any(drug not in sketch.known.in_pregnancy for drug in sketch.medications):
        raise UnfitError("a medication is not for the pregnant")
    weeks = [
        week
        for week in range(6, _LAST_WEEK + 1)
        if limit.weeks is None or limit.weeks.holds(Decimal(week))
    ]
    if not weeks:
        raise UnfitError("no week")
    week = sketch.lane.pick(weeks)
    item = Item("pregnancy1", "pregnancy", str(week), "conditions", "pregnancy")
    return sketch.add(item)
