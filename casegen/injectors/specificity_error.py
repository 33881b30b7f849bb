"""Codes that say less than the record, or something else about the same condition.

Kinds: phase (active treatment, healing), healing and type of a fracture, laterality,
unspecified although documented, other detail of the same category, incomplete.
Sources: ICD-10-CM Official Guidelines I.A.5, I.B.2, I.B.13, I.B.18, I.C.19.a, I.C.19.c.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from casegen.schemas import authority as sources
from casegen.schemas.case import ErrorType

from ..axes import SIDE_WORD, wrong_sevenths
from ..chart.bounds import NOT_TELEHEALTH, OFFICE_LIKE
from ..chart.model import Problem
from ..coder import Draft
from ..randomness import Lane
from .model import Broken, Innocent, Work, takes_more
from .overlooked import ByGuideline, Overlooked, leaves_side_open, reserve_slip
from .questions import ask

if TYPE_CHECKING:
    from ..chart.build import Builder

# How often each kind is tried, relative to the others.
_KINDS = (
    *("phase", "phase", "healing", "fracture_type", "laterality", "laterality"),
    *("unspecified", "detail", "incomplete"),
)
_OPEN_KINDS = ("laterality", "laterality", "phase")
# Axes along which a fact of the record can be turned.
AXES_OF_FACTS = ("laterality", "phase", "healing", "fracture_type")
_AXES = ("laterality", "phase", "unspecified", "detail", "incomplete")
_HEALINGS = ("routine", "delayed", "nonunion", "malunion")
_TRIES = 8
_HIDDEN = {"laterality": "side", "phase": "phase"}
_WHY = {
    "phase": "states another phase of care than the record",
    "healing": "states another course of healing than the record",
    "fracture_type": "states another type of fracture than the record",
    "laterality": "states another side than the record",
    "unspecified": "leaves open what the record states",
    "detail": "does not say what the record states",
    "incomplete": "lacks characters that the code needs",
}
_SILENT = {"laterality": "silent_side", "phase": "silent_phase"}
# Codes that combine with others of a chart, so that no line is theirs alone (guideline I.A.15).
_COMBINED = ("I10", "E10.9", "E11.9")


def reserve(
    builder: Builder, lane: Lane, ambiguous: bool = False
) -> Specificity | Overlooked | None:
    """Bring a problem with the axis that is to be got wrong into the chart.

    An ``ambiguous`` one leaves the axis out of the note, as far as its wording allows.
    """
    if builder.slips and not ambiguous:
        slip = reserve_slip(builder, lane)
        if slip is not None:
            return slip
    kinds = _OPEN_KINDS if ambiguous else _KINDS
    tail = takes_more(builder)
    for _ in range(_TRIES):
        kind = lane.pick(kinds)
        problem = _existing(builder, lane) if kind == "incomplete" else None
        if problem is None:
            problem = _curated(builder, lane, kind, ambiguous, tail)
        if problem is None and tail and kind != "detail":
            problem = _of_tail(builder, lane, _SILENT[kind] if ambiguous else kind)
        if problem is not None:
            problem.reserved = True
            hides = ambiguous and not SIDE_WORD.search(problem.term)
            if kind == "phase" and any(add.seventh == "same" for add in problem.adds):
                hides = False  # The external cause would tell the phase.
            if hides:
                problem.hidden = _HIDDEN[kind]
                # Nor does another cause join, which stands at the same phase.
                builder.caused = builder.caused or kind == "phase"
            return Specificity(problem.id, kind, hides)
    return None


def _existing(builder: Builder, lane: Lane) -> Problem | None:
    """Every other time a problem of the chart whose code can be cut short."""
    if not lane.below(2):
        return None
    found = [
        p
        for p in builder.problems
        if p.status == "active"
        and not p.adds
        and not p.reserved
        and len(p.base) > 3
        and not p.base.startswith(_COMBINED)
    ]
    return lane.pick(found) if found else None


def _curated(
    builder: Builder, lane: Lane, kind: str, ambiguous: bool, tail: bool
) -> Problem | None:
    """A condition of the files on the axis; every other time the long tail has its turn."""
    pool = builder.world.axis_pools.get("injury" if ambiguous and kind == "phase" else kind, ())
    if not pool or (kind != "detail" and tail and lane.below(2)):
        return None
    option = lane.pick(pool)
    reason = not builder.reason
    if not (option.reason or (option.background and not reason)):
        return None
    side = phase = healing = None
    if kind == "healing":
        phase, healing = "healing", lane.pick(_HEALINGS)
    elif ambiguous and kind == "laterality":
        side = lane.pick(("right", "left"))
        if side not in option.sides:
            return None
    return builder.admit(option, reason=reason, side=side, phase=phase, healing=healing)


def _of_tail(builder: Builder, lane: Lane, axis: str) -> Problem | None:
    """A code of the long tail on the axis."""
    world = builder.world
    mask = builder.frame.mask
    pool = lane.pick(world.axis_codes[axis])
    fresh = pool.stratum != "injury" or bool(mask & NOT_TELEHEALTH)
    for _ in range(_TRIES):
        number = pool.draw(lane, fresh, bool(mask & OFFICE_LIKE))
        if number is None:
            return None
        tail = world.tables.tail(pool.stratum, number)
        problem = builder.admit_tail(tail, reason=not builder.reason)
        if problem is not None:
            return problem
    return None


@dataclass(slots=True)
class Specificity:
    """A problem whose code is to be got wrong along one axis.

    Where it is ``ambiguous`` the note is silent on the axis and the physician's answer decides;
    with ``settles_right`` the answer bears the proposed code out, and so it does in one of
    three other cases.
    """

    problem: str
    kind: str
    ambiguous: bool
    settles_right: bool = False
    late: ClassVar[bool] = False
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 1

    @property
    def spare(self) -> bool:
        """A question must be asked; any other error can be left out."""
        return not self.ambiguous

    def apply(self, work: Work) -> Broken | Innocent | None:
        """Replace the right code by a neighbour on the axis."""
        draft = work.of_problem(self.problem)
        if draft is None:
            return None
        right = draft.code
        tables = work.world.tables
        kind, wrong = self.kind, neighbour(draft, self.kind, work)
        if not self.ambiguous:
            for other in _AXES:
                if wrong is not None and wrong != right and not work.stands(wrong):
                    break
                kind, wrong = other, neighbour(draft, other, work)
        if wrong is None or wrong == right or work.stands(wrong):
            return None
        questions: list[str] = []
        if self.ambiguous and draft.problem is not None:
            question = ask(draft.problem, work)
            questions = [question.topic]
            if self.settles_right or work.lane.below(3) == 0:
                draft.taken = True
                return Innocent(
                    "specificity_error",
                    f"physician_{self.kind}",
                    draft,
                    None,
                    [self.problem],
                    questions,
                    f"The note leaves it open; the physician's answer makes {right} right.",
                    sources.specificity(self.kind, tables.chapter(right)),
                )
        draft.code = wrong
        draft.taken = True
        return broken_line(work, draft, right, kind, questions)


def broken_line(work: Work, draft: Draft, right: str, kind: str, questions: list[str]) -> Broken:
    """The finding on a line whose code is wrong along an axis; ``right`` is the right one."""
    tables = work.world.tables
    wrong = draft.code
    accepted: list[ErrorType] = ["specificity_error"]
    if kind == "incomplete":
        accepted.append("untraceable_code")
        draft.description = work.world.neighbour_title(wrong, right)
    if kind in ("unspecified", "detail"):
        kind = _says_less(wrong, work)
    chapter = tables.chapter(right)
    authority = sources.specificity(
        kind,
        0 if kind == "incomplete" else chapter,
        right,
        side=kind == "unspecified" and leaves_side_open(tables, wrong, right),
    )
    return Broken(
        "specificity_error",
        kind,
        draft,
        None,
        accepted,
        "replace",
        right,
        draft.facts,
        questions,
        [kind.replace("_", " "), right],
        _explain(kind, wrong, right, tables.title(right), bool(questions)),
        authority,
    )


def _says_less(wrong: str, work: Work) -> str:
    """Whether the wrong code leaves things open by its own words, or says something else."""
    tables = work.world.tables
    if tables.laterality(wrong) == "unspecified" or "unspecified" in tables.title(wrong).lower():
        return "unspecified"
    return "unspecified" if wrong[3:] == ".9" else "detail"


def _explain(kind: str, wrong: str, right: str, title: str, asked: bool) -> str:
    why = _WHY[kind]
    if asked:
        # The note is silent there; the answer alone decides.
        why = why.replace("than the record", "than the physician's answer")
    return f"{wrong} {why}; right is {right} ({title})."


def neighbour(draft: Draft, kind: str, work: Work) -> str | None:
    """A valid code (or, for ``incomplete``, a code cut short) that is wrong along the axis."""
    tables = work.world.tables
    lane = work.lane
    right = draft.code
    if kind == "incomplete":
        return _cut(right, work)
    if kind in ("phase", "healing", "fracture_type"):
        mine = tables.seventh(right)
        if mine is None:
            return None
        others = wrong_sevenths(kind, mine, tables.sevenths(right).values())
        if not others:
            return None
        wrong = right[:-1] + lane.pick(others)
    elif kind in ("laterality", "unspecified"):
        siblings = tables.side_siblings(right)
        mine_side = tables.laterality(right)
        if kind == "laterality":
            sides = [s for s in siblings if s != mine_side and s != "unspecified"]
            if mine_side in ("right", "left"):
                sides = [s for s in sides if s != "bilateral"] or sides
            if not sides:
                return None
            wrong = siblings[lane.pick(sides)]
        else:
            found = siblings.get("unspecified") if mine_side != "unspecified" else None
            found = found or _less_specific(draft)
            if found is None:
                return None
            wrong = found
    else:
        found = _less_specific(draft)
        if found is None:
            return None
        wrong = found
    return wrong if tables.status(wrong, work.date) == "valid" else None


def _less_specific(draft: Draft) -> str | None:
    problem = draft.problem
    if problem is None or problem.value is None or problem.seventh != "none":
        return None
    return problem.value.less_specific or problem.value.unspecified


def _cut(right: str, work: Work) -> str | None:
    """The code without its seventh character, without its placeholder, or one level up."""
    tables = work.world.tables
    stem = right.replace(".", "")
    ways = []
    if len(stem) == 7:
        ways.append(stem[:6].rstrip("X"))
        if stem[5] == "X":
            ways.append(stem[:6].rstrip("X") + stem[6])
    elif len(stem) > 3:
        ways.append(stem[:-1])
    if not ways:
        return None
    short = work.lane.pick(ways)
    wrong = short if len(short) == 3 else f"{short[:3]}.{short[3:]}"
    return wrong if tables.status(wrong, work.date) == "incomplete" else None


def reserve_decoy(builder: Builder, lane: Lane) -> Later | ByGuideline | None:
    """What a guideline makes right against all looks, or an injury that is no longer new and
    still under active treatment: A is right."""
    if builder.odd:
        odd = list(builder.odd)
        builder.odd.clear()
        return ByGuideline(odd)
    pool = builder.world.axis_pools["phase"]
    if not pool or not takes_more(builder):
        return None
    reason = not builder.reason
    for _ in range(_TRIES):
        option = lane.pick(pool)
        if not option.reason:
            continue
        problem = builder.admit(option, reason=reason, phase="active")
        if problem is not None:
            problem.later = problem.reserved = True
            return Later(problem.id)
    return None


@dataclass(slots=True)
class Later:
    """The decoy: active treatment goes on at a later visit."""

    problem: str

    late: ClassVar[bool] = False
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 0
    spare: ClassVar[bool] = True

    def apply(self, work: Work) -> Innocent | None:
        """Nothing is broken; the line is named as a decoy."""
        draft = work.of_problem(self.problem)
        if draft is None:
            return None
        draft.taken = True
        chapter = work.world.tables.chapter(draft.code)
        return Innocent(
            "specificity_error",
            "active_treatment",
            draft,
            None,
            [self.problem],
            [],
            "The seventh character follows active treatment, not the number of the visit.",
            sources.specificity("phase", chapter),
        )
