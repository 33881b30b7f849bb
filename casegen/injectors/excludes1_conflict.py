"""Two codes for one condition that an Excludes1 note keeps apart.

Curated pairs come from ``seeds/scenarios/excludes1``; the long tail from narrow notes
whose words describe their codes whole. The record always tells which of the two is right:
guideline I.A.12.a binds only where the two codes are one condition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from casegen.schemas import Authority
from casegen.schemas import authority as sources

from ..chart.model import Problem, Statement
from ..chart.options import SEX_INDEX
from ..coder import Draft
from ..randomness import Lane
from ..wording import Wording
from .model import Broken, Innocent, Work, takes_more

if TYPE_CHECKING:
    from ..chart.build import Builder
    from ..scenarios import DecoyPair, Member, Pair

_TRIES = 10


def reserve(builder: Builder, lane: Lane) -> Conflict | None:
    """Bring the right member and the sentence that rules the other out."""
    if lane.below(5) >= 2 and takes_more(builder):
        conflict = _tail(builder, lane)
        if conflict is not None:
            return conflict
    if builder.closed or builder.companions is not None:
        return None
    return _curated(builder, lane)


def _curated(builder: Builder, lane: Lane) -> Conflict | None:
    world = builder.world
    for _ in range(_TRIES if world.pairs else 0):
        pair: Pair = lane.pick(world.pairs)
        if not builder.frame.allows(pair.mask, pair.low, pair.high, pair.sex):
            continue
        if not builder.groups.isdisjoint(pair.groups):
            continue
        if builder.touches(pair.clashes):
            continue
        keep_name = lane.pick(pair.keep)
        keep, drop = pair.member(keep_name)
        if not builder.free(drop.code):
            continue
        reason = not builder.reason
        problem = _member(builder, f"pair.{pair.id}.{keep_name}", keep, reason)
        if problem is None:
            continue
        builder.frame.narrow(pair.mask, pair.low, pair.high, pair.sex)
        builder.groups.update(pair.groups)
        builder.clashes.extend(pair.clashes)
        dropped = Problem(
            builder.next_id("p"), f"drop.{pair.id}", drop.term, drop.code, drop.system,
            drop.course, drop.wording, status="ruled_out",
        )  # fmt: skip
        return _settle(builder, problem, dropped, lane.pick(pair.settle[keep_name]))
    return None


def _member(builder: Builder, key: str, member: Member, reason: bool) -> Problem | None:
    return builder.admit_inline(
        key, member.term, member.code, member.system, member.course, member.wording,
        member.adds, reason=reason,
    )  # fmt: skip


def _settle(
    builder: Builder, keep: Problem, drop: Problem, text: str, bank: str | None = None
) -> Conflict:
    keep.reserved = True
    builder.problems.append(drop)
    builder.drops.append(drop.base)
    builder.mark(drop.base[:3])
    statement = Statement(
        builder.next_id("r"),
        "same",
        [keep.id, drop.id],
        text,
        {"keep": keep.id, "drop": drop.id},
        bank=bank,
    )
    builder.statements.append(statement)
    return Conflict(keep.id, drop.id, drop.base, statement.id)


def _tail(builder: Builder, lane: Lane) -> Conflict | None:
    world = builder.world
    tables = world.tables
    frame = builder.frame
    for _ in range(_TRIES if world.rivals else 0):
        pair = lane.pick(world.rivals)
        kept = lane.below(2)
        drop_code = pair[1 - kept]
        if not builder.free(drop_code):
            continue
        keep, drop = tables.tail_of(pair[kept]), tables.tail_of(drop_code)
        if keep is None or drop is None:
            continue
        if not frame.allows(frame.mask, *drop.age, SEX_INDEX[drop.sex or "any"]):
            continue
        reason = not builder.reason
        problem = builder.admit_tail(keep, reason=reason)
        if problem is None:
            continue
        if frame.low <= drop.age[1] and drop.age[0] <= frame.high:
            frame.narrow(frame.mask, *drop.age, SEX_INDEX[drop.sex or "any"])
        dropped = Problem(
            builder.next_id("p"), f"drop.{drop.code}", drop.term, drop.code, drop.system, "acute",
            Wording(drop.names, stratum=drop.stratum, spelled=True), dict(drop.attributes),
            "tail", "ruled_out",
            side=drop.attributes.get("side", ""),
        )  # fmt: skip
        return _settle(builder, problem, dropped, "", "ruled_out")
    return None


@dataclass(slots=True)
class Conflict:
    """The right member stands in the chart; the other is to be put beside it."""

    keep: str
    drop: str
    code: str
    statement: str
    late: ClassVar[bool] = False
    lines: ClassVar[int] = 1
    members: ClassVar[int] = 2
    spare: ClassVar[bool] = True

    def apply(self, work: Work) -> Broken | None:
        """Insert the code that the record rules out."""
        keep = work.of_problem(self.keep)
        if keep is None or work.stands(self.code):
            return None
        tables = work.world.tables
        draft = Draft(self.code, "ICD-10-CM", [], taken=True)
        at = work.insert(draft)
        # In the order of the claim, in which the checker asks for the pair again.
        kept_first = any(other is keep for other in work.drafts[:at])
        pair = (keep.code, self.code) if kept_first else (self.code, keep.code)
        hits = tables.excludes1(*pair)
        if not hits:
            del work.drafts[at]
            return None
        hit = work.world.leading_hit(hits)
        keep.taken = True
        return Broken(
            "excludes1_conflict",
            "own_note" if hit.stands_on in (keep.code, self.code) else "inherited_note",
            draft,
            keep,
            ["excludes1_conflict"],
            "remove",
            None,
            [self.keep, self.drop, self.statement],
            [],
            ["Excludes1", keep.code, self.code],
            f"An Excludes1 note at {hit.stands_on} keeps {keep.code} and {self.code} apart, and "
            f"the record says that the one condition is {tables.title(keep.code)}.",
            sources.tabular_excludes1(hit.stands_on, hit.note),
        )


def reserve_decoy(builder: Builder, lane: Lane) -> Pairing | None:
    """Bring two problems that look as if they excluded each other."""
    world = builder.world
    if builder.closed or builder.calm or builder.companions is not None:
        return None
    for _ in range(_TRIES if world.decoy_pairs else 0):
        decoy: DecoyPair = lane.pick(world.decoy_pairs)
        # Beside so many conflicts those pairs are needed most that only the record sets apart.
        if decoy.kind != "unrelated" and lane.below(4):
            continue
        if not builder.frame.allows(decoy.mask, decoy.low, decoy.high, decoy.sex):
            continue
        if not builder.groups.isdisjoint(decoy.groups):
            continue
        if builder.touches(decoy.clashes):
            continue
        a, b = decoy.a, decoy.b
        if not builder.free(b.code):
            continue
        reason = not builder.reason
        first = _member(builder, f"decoy.{decoy.id}.a", a, reason)
        if first is None:
            continue
        second = builder.admit_beside(
            f"decoy.{decoy.id}.b", b.term, b.code, b.system, b.course, b.wording, b.adds
        )
        first.reserved = second.reserved = True
        builder.frame.narrow(decoy.mask, decoy.low, decoy.high, decoy.sex)
        builder.groups.update(decoy.groups)
        builder.clashes.extend(decoy.clashes)
        term = "unrelated" if decoy.kind == "unrelated" else "both"
        statement = Statement(
            builder.next_id("r"), term, [first.id, second.id], lane.pick(decoy.relation),
            {"a": first.id, "b": second.id},
        )  # fmt: skip
        builder.statements.append(statement)
        return Pairing(first.id, second.id, statement.id, decoy)
    return None


@dataclass(slots=True)
class Pairing:
    """The decoy: both members are right."""

    a: str
    b: str
    statement: str
    pair: DecoyPair

    late: ClassVar[bool] = False
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 0
    spare: ClassVar[bool] = True

    def apply(self, work: Work) -> Innocent | None:
        """Nothing is broken; the pair is named as a decoy."""
        first, second = work.of_problem(self.a), work.of_problem(self.b)
        if first is None or second is None:
            return None
        first.taken = second.taken = True
        pair = self.pair
        return Innocent(
            "excludes1_conflict",
            pair.kind,
            first,
            second,
            [self.a, self.b, self.statement],
            [],
            pair.reason,
            Authority(pair.authority.source, pair.authority.reference, pair.authority.edition),
        )
