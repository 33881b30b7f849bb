"""Codes that say less than the record, or something else about the same condition.

Kinds: phase (active treatment, healing), healing and type of a fracture, laterality,
unspecified although documented, other detail of the same category, incomplete.
Sources: ICD-10-CM Official Guidelines I.A.5, I.B.2, I.B.13, I.B.18, I.C.19.a, I.C.19.c.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from casegen.schemas import authority as sources
from casegen.schemas.case import ErrorType

from ..chart.model import Problem
from ..coder import Draft
from ..randomness import Lane
from .model import Broken, Innocent, Work
from .questions import ask

if TYPE_CHECKING:
    from ..chart.build import Builder

# How often each kind is tried, relative to the others.
_KINDS = (
    *("phase", "phase", "healing", "fracture_type", "laterality", "laterality"),
    *("unspecified", "unspecified", "detail", "incomplete"),
)
_AXES = ("laterality", "phase", "unspecified", "detail", "incomplete")
_TRIES = 8
_SIDE_WORD = re.compile(r"\b(?:right|left)\b")
_HIDDEN = {"laterality": "side", "phase": "phase"}


def reserve(builder: Builder, lane: Lane, ambiguous: bool = False) -> Specificity | None:
    """Bring a problem with the axis that is to be got wrong into the chart."""
    for _ in range(_TRIES):
        kind = lane.pick(("laterality", "laterality", "phase")) if ambiguous else lane.pick(_KINDS)
        problem = _problem(builder, lane, kind, ambiguous)
        if problem is not None:
            problem.reserved = True
            hides = ambiguous and not _SIDE_WORD.search(problem.term)
            if hides:
                problem.hidden = _HIDDEN[kind]
            return Specificity(problem.id, kind, hides)
    return None


def _problem(builder: Builder, lane: Lane, kind: str, ambiguous: bool) -> Problem | None:
    world = builder.world
    reason = not builder.reason
    if kind == "incomplete":
        existing = [
            p for p in builder.problems if p.status == "active" and not p.adds and not p.reserved
        ]
        if existing and lane.below(2):
            return lane.pick(existing)
    curated = world.axis_pools.get("injury" if ambiguous and kind == "phase" else kind, ())
    if curated and (kind == "detail" or lane.below(2)):
        option = lane.pick(curated)
        if not (option.reason if reason else (option.background or option.reason)):
            return None
        healing = None
        phase = None
        if kind in ("healing",):
            phase = "healing"
            healing = lane.pick(("routine", "delayed", "nonunion", "malunion"))
        side = lane.pick(("right", "left")) if ambiguous and kind == "laterality" else None
        if side is not None and side not in option.sides:
            return None
        return builder.admit(option, reason=reason, side=side, phase=phase, healing=healing)
    if kind == "detail":
        return None
    stratum = lane.pick(world.axis_strata[kind])
    for _ in range(_TRIES):
        tail = world.tables.tail(stratum, lane.below(world.tables.tail_count(stratum)))
        if tail.partners or (ambiguous and not _can_hide(tail.attributes, kind)):
            continue
        if not _has_axis(tail.attributes, kind):
            continue
        problem = builder.admit_tail(tail, reason=reason)
        if problem is not None:
            return problem
    return None


def _can_hide(attributes: dict[str, str], kind: str) -> bool:
    """Whether the note can be silent on the axis: a side as one word, a phase without more."""
    if kind == "phase":
        return "fracture" not in attributes and "healing" not in attributes
    return attributes.get("side") in ("right", "left")


def _has_axis(attributes: dict[str, str], kind: str) -> bool:
    if kind == "phase":
        return "phase" in attributes
    if kind == "healing":
        return "healing" in attributes
    if kind == "fracture_type":
        return "fracture" in attributes
    if kind in ("laterality", "unspecified"):
        return "side" in attributes
    return kind == "incomplete"


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

    def apply(self, work: Work) -> Broken | Innocent | None:
        """Replace the right code by a neighbour on the axis."""
        draft = work.of_problem(self.problem)
        if draft is None:
            return None
        right = draft.code
        tables = work.world.tables
        kind, wrong = self.kind, _neighbour(draft, self.kind, work)
        if not self.ambiguous:
            for other in _AXES:
                if wrong is not None and wrong != right and not work.stands(wrong):
                    break
                kind, wrong = other, _neighbour(draft, other, work)
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
        accepted: list[ErrorType] = ["specificity_error"]
        if kind == "incomplete":
            accepted.append("untraceable_code")
            draft.description = work.world.neighbour_title(wrong)
        if kind in ("unspecified", "detail"):
            kind = _says_less(wrong, work)
        chapter = tables.chapter(right)
        authority = sources.specificity(kind, 0 if kind == "incomplete" else chapter)
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
            _explain(kind, wrong, right, tables.title(right)),
            authority,
        )


def _says_less(wrong: str, work: Work) -> str:
    """Whether the wrong code leaves things open by its own words, or says something else."""
    tables = work.world.tables
    if tables.laterality(wrong) == "unspecified" or "unspecified" in tables.title(wrong).lower():
        return "unspecified"
    return "unspecified" if wrong[3:] == ".9" else "detail"


def _explain(kind: str, wrong: str, right: str, title: str) -> str:
    why = {
        "phase": f"{wrong} states another phase of care than the record",
        "healing": f"{wrong} states another course of healing than the record",
        "fracture_type": f"{wrong} states another type of fracture than the record",
        "laterality": f"{wrong} states another side than the record",
        "unspecified": f"{wrong} leaves open what the record states",
        "detail": f"{wrong} does not say what the record states",
        "incomplete": f"{wrong} lacks characters that the code needs",
    }[kind]
    return f"{why}; right is {right} ({title})."


def _neighbour(draft: Draft, kind: str, work: Work) -> str | None:
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
        axis = "fracture" if kind == "fracture_type" else kind
        others = []
        for char, seventh in tables.sevenths(right).items():
            if seventh.phase == "sequela" or char == mine.char:
                continue
            same_phase = seventh.phase == mine.phase
            same_type = seventh.fracture == mine.fracture
            same_healing = seventh.healing == mine.healing
            if axis == "phase":
                fits = (
                    not same_phase
                    and same_type
                    and "routine" in (seventh.healing, mine.healing or "routine")
                )
            elif axis == "healing":
                fits = same_phase and same_type and not same_healing
            else:
                fits = same_phase and same_healing and not same_type
            if fits:
                others.append(char)
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


def reserve_decoy(builder: Builder, lane: Lane) -> Later | None:
    """An injury that is no longer new and still under active treatment: A is right."""
    world = builder.world
    reason = not builder.reason
    for _ in range(_TRIES):
        option = lane.pick(world.axis_pools["phase"]) if world.axis_pools["phase"] else None
        if option is None or not option.reason:
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
