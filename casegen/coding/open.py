"""What the record leaves open, so that a person has to look: sides, work-ups, disagreements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casegen.schemas.coding_case import ReviewKind

from ..axes import SIDE_WORD
from ..chart.guided import join_guideline
from ..chart.model import Problem, Statement
from ..coder.diagnoses import problem_code
from ..randomness import Lane
from .model import Open
from .settle import leaves_side_out

if TYPE_CHECKING:
    from ..chart.build import Builder
    from .known import Known

_TRIES = 14
# How often each kind is tried.
_KINDS: tuple[ReviewKind, ...] = (
    *("open_side",) * 2, *("conflict_side",) * 2, *("open_workup",) * 5,
    *("conflict_diagnosis",) * 3, *("treatment_unclear",) * 2,
)  # fmt: skip
SIDES: tuple[ReviewKind, ...] = ("open_side", "conflict_side")


def leave_open(builder: Builder, lane: Lane, known: Known) -> Open | None:
    """Bring a point into an empty chart that its record leaves open; None where none fits. Sides
    are left open later, in a chart that stands."""
    kind = lane.pick(_KINDS)
    if kind not in SIDES and join_guideline(builder, lane, [known.open[kind]]) is not None:
        statement = next(s for s in builder.statements if s.term == kind)
        return Open(kind, [*statement.about, statement.id])
    return None


def leave_side_open(builder: Builder, lane: Lane) -> Open | None:
    """Add a problem of which the record does not say the side for certain."""
    kind = lane.pick(SIDES)
    for _ in range(_TRIES):
        problem = _sided(builder, lane)
        if problem is not None and _without_side(builder, problem):
            statement = Statement(
                builder.next_id("r"), kind, [problem.id], "", {"a": problem.id}, bank=kind
            )
            builder.statements.append(statement)
            return Open(kind, [problem.id, statement.id])
    return None


def _sided(builder: Builder, lane: Lane) -> Problem | None:
    """A new problem with a side that its wording need not name."""
    world = builder.world
    reason = not builder.reason
    if lane.below(3):
        pool = world.axis_pools["laterality"]
        option = lane.pick(pool)
        if option.value.unspecified is None or not (option.reason or option.background):
            return None
        if not option.reason and reason:
            return None
        return builder.admit(option, reason=reason, side=lane.pick(("right", "left")))
    axis = lane.pick(world.axis_codes["silent_side"])
    number = axis.draw(lane, fresh=True, healing=True)
    if number is None:
        return None
    return builder.admit_tail(world.tables.tail(axis.stratum, number), reason=reason)


def _without_side(builder: Builder, problem: Problem) -> bool:
    """Take the side out of a problem: its code becomes that of an unspecified side. False where
    the tables have none, or the wording names the side anyway."""
    tables = builder.world.tables
    sibling = tables.side_siblings(problem_code(problem)).get("unspecified")
    attributes = {name: text for name, text in problem.attributes.items() if name != "side"}
    term = problem.term if problem.value is None else problem.value.term
    if sibling is None or SIDE_WORD.search(term) or not leaves_side_out(problem):
        return False
    if tables.resolve(term, attributes) != (sibling,):
        return False
    base = sibling if problem.seventh in ("none", "tail") else _leaf(tables.ancestors(sibling))
    builder.codes[builder.codes.index(problem.base)] = base
    problem.base, problem.term, problem.side = base, term, ""
    problem.attributes = attributes
    problem.reserved = True
    return True


def _leaf(line: tuple[str, ...]) -> str:
    return line[1]
