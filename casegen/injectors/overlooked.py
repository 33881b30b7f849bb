"""Specificity errors of who overlooks a guideline that binds several facts: E11.9 for E11.22
beside kidney disease (I.A.15), the trimester before (I.C.15.a.3), shock that nobody told of.

Every wrong code is of the right one's category; which codes these are stands with the chart.
The decoys are codes that look wrong to the same person and are right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from casegen.schemas import authority as sources

from ..randomness import Lane
from .model import Broken, Innocent, Work

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

    from ..chart.build import Builder


def reserve_slip(builder: Builder, lane: Lane) -> Overlooked | None:
    """Every other time, where a guided chart names codes for it."""
    slips = builder.slips
    if not slips or lane.below(2):
        return None
    taken = list(slips)
    slips.clear()
    return Overlooked(taken, lane.below(1 << 16))


def leaves_side_open(tables: Tables, wrong: str, right: str) -> bool:
    """Whether a code is silent on the side and the right one names it."""
    sided = tables.laterality(right) not in (None, "unspecified")
    return sided and tables.laterality(wrong) == "unspecified"


@dataclass(slots=True)
class Overlooked:
    """Codes of which one stands on the right claim, each with the wrong code and the kind."""

    slips: list[tuple[str, str, str]]
    draw: int
    late: ClassVar[bool] = False
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 1
    spare: ClassVar[bool] = True

    def apply(self, work: Work) -> Broken | None:
        """Bill the wrong code in the place of the right one."""
        open_slips = [
            (draft, wrong, kind)
            for right, wrong, kind in self.slips
            for draft in work.drafts
            if draft.code == right and not draft.taken and not work.stands(wrong)
        ]
        if not open_slips:
            return None
        draft, wrong, kind = open_slips[self.draw % len(open_slips)]
        right = draft.code
        tables = work.world.tables
        draft.code = wrong
        draft.taken = True
        return Broken(
            "specificity_error",
            kind,
            draft,
            None,
            ["specificity_error"],
            "replace",
            right,
            draft.facts,
            [],
            [kind.replace("_", " "), right],
            f"{wrong} does not say what the record states; right is {right} "
            f"({tables.title(right)}).",
            sources.specificity(
                kind,
                tables.chapter(right),
                right,
                side=kind == "unspecified" and leaves_side_open(tables, wrong, right),
            ),
        )


@dataclass(slots=True)
class ByGuideline:
    """The decoy: of these codes, each with section and reason, one stands on the right claim."""

    odd: list[tuple[tuple[str, ...], str, str]]
    late: ClassVar[bool] = False
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 0
    spare: ClassVar[bool] = True

    def apply(self, work: Work) -> Innocent | None:
        """Nothing is broken; the line is named as a decoy, with all facts that it rests on."""
        found = (
            (draft, section, reason)
            for codes, section, reason in self.odd
            for draft in work.drafts
            if draft.code in codes and not draft.taken
        )
        draft, section, reason = next(found, (None, "", ""))
        if draft is None:
            return None
        draft.taken = True
        facts = list(draft.facts)
        for statement in work.chart.statements:
            if not set(statement.about).isdisjoint(draft.facts):
                facts += [statement.id, *(f for f in statement.about if f not in facts)]
        return Innocent(
            "specificity_error",
            "by_guideline",
            draft,
            None,
            facts,
            [],
            reason,
            sources.guideline(section),
        )
