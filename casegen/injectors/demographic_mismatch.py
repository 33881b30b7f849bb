"""Codes that the patient's sex or age rules out.

Kinds: a code of the other sex that slipped in (the meaning of the code; the Medicare Code
Editor's sex edits ended on 2024-09-30), a code of an age group of the Medicare Code Editor on
an inpatient facility claim, an examination or preventive visit of another age.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from casegen.schemas import Authority
from casegen.schemas import authority as sources

from ..chart.frame import OLDEST
from ..chart.options import ALL_SETTINGS, BIT
from ..coder import Draft
from ..randomness import Lane
from ..templates import article_of
from .model import Broken, Innocent, Work, takes_more

if TYPE_CHECKING:
    from ..chart.build import Builder

AGE_GROUPS = {"newborn": (0, 0), "pediatric": (0, 17), "maternity": (9, 64), "adult": (15, 124)}
_SEX_EDITS = frozenset(("female", "male"))
_SEX_EDITS_END = "2024-09-30"
_NONE: frozenset[str] = frozenset()
_TRIES = 16


def reserve(builder: Builder, lane: Lane) -> Exam | Intruder | None:
    """Settle which kind; an age kind narrows the frame."""
    world = builder.world
    frame = builder.frame
    drawn = lane.below(10)
    if drawn < 3 and world.exams:
        option = lane.pick(world.exams)
        # From 15 to 17 years both the child's and the adult's examination pass.
        low, high = (18, OLDEST) if option.condition.age[0] >= 15 else (0, 14)
        if not builder.problems and frame.allows(ALL_SETTINGS, low, high, 2):
            problem = builder.admit(option, reason=True)
            if problem is not None and frame.allows(ALL_SETTINGS, low, high, 2):
                frame.narrow(ALL_SETTINGS, low, high, 2)
                problem.reserved = True
                return Exam(problem.id)
    aged = all(world.age_codes.values())  # imported tables may have no such edits
    if drawn < 6 and aged and frame.mask & BIT["inpatient"] and frame.claim in (None, "facility"):
        frame.mask = BIT["inpatient"]
        frame.claim = "facility"
        return Intruder("age")
    return Intruder("sex")


@dataclass(slots=True)
class Intruder:
    """A code that belongs to somebody else, put among the right ones; it is to be removed."""

    kind: str
    late: ClassVar[bool] = True
    lines: ClassVar[int] = 1
    members: ClassVar[int] = 1
    spare: ClassVar[bool] = True

    def apply(self, work: Work) -> Broken | None:
        """Insert the code."""
        lane = work.lane
        world = work.world
        chart = work.chart
        sex = chart.patient.sex
        for _ in range(_TRIES):
            if self.kind == "sex":
                pools = world.foreign_sex[sex]
                if not pools:
                    return None
                code = lane.pick(pools[lane.below(len(pools))])
                meaning = world.tables.sex_by_meaning(code)
                if meaning is None or meaning[0] == sex:
                    continue
                authority: Authority = sources.meaning(code, meaning[1])
                if meaning[0] in _sex_edits(code, work):
                    authority = sources.mce_sex(meaning[0])
                why = f"The code describes a condition of {meaning[0]} patients"
                terms = [sex, meaning[0]]
                facts = ["sex"]
            else:
                pool, group, low, high = world.age_pool(chart.years, lane)
                code = lane.pick(pool)
                if world.tables.sex_by_meaning(code) or _sex_edits(code, work):
                    continue
                authority = sources.mce_age(group, low, high)
                why = f"The Medicare Code Editor takes the code for {_ages(low, high)} only"
                terms = ["age", group]
                facts = ["age"]
            if not _stands_apart(code, work):
                continue
            draft = Draft(code, "ICD-10-CM", [], taken=True)
            work.insert(draft)
            patient = f"{chart.years}-year-old {sex}" if chart.years else f"newborn {sex}"
            told = f"the patient is {article_of(chart.years)} {patient}"
            return Broken(
                "demographic_mismatch",
                self.kind,
                draft,
                None,
                ["demographic_mismatch"],
                "remove",
                None,
                facts,
                [],
                terms,
                f"{why}; {told}, and the note documents no such condition.",
                authority,
            )
        return None


def _sex_edits(code: str, work: Work) -> frozenset[str]:
    """The sex edits of the Medicare Code Editor that the claim meets: inpatient facility claims
    to 2024-09-30, and so only with tables of an earlier release."""
    encounter = work.chart.encounter
    if encounter.claim_type != "facility" or work.date > _SEX_EDITS_END:
        return _NONE
    return work.world.tables.edits(code, work.date) & _SEX_EDITS


def _stands_apart(code: str, work: Work) -> bool:
    """Whether the code meets no other rule: valid, alone in its category, no Excludes1."""
    world = work.world
    head = code[:3]
    bits, mask = world.ties.bits, world.ties.masks.get(head, 0)
    codes = [d.code for d in work.drafts if d.system == "ICD-10-CM"]
    codes += [d.right for d in work.drafts if d.right and d.right != d.code]
    for other in codes:
        their_head = other[:3]
        if their_head == head:
            return False
        # Most categories have no note between them; one look settles that.
        if mask & bits.get(their_head, 0) and world.clash(code, other):
            return False
    return world.tables.status(code, work.date) == "valid"


@dataclass(slots=True)
class Exam:
    """An examination code of another age group in place of the right one."""

    problem: str
    late: ClassVar[bool] = False
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 1
    spare: ClassVar[bool] = True

    def apply(self, work: Work) -> Broken | None:
        """Swap the code."""
        draft = work.of_problem(self.problem)
        if draft is None:
            return None
        tables = work.world.tables
        years = work.chart.years
        inpatient = (
            work.chart.encounter.setting == "inpatient"
            and work.chart.encounter.claim_type == "facility"
        )
        if inpatient:
            return None
        fitting = []
        for code in work.world.exam_codes:
            bounds = tables.age_by_meaning(code)
            if bounds is None or bounds[0] <= years <= bounds[1] or code == draft.code:
                continue
            if years >= 18 and not code.startswith("Z00.12"):
                continue
            if 1 <= years < 18 and not code.startswith("Z00.0"):
                continue
            if years == 0 and not code.startswith("Z00.1"):
                continue
            if code[:3] == draft.code[:3] and tables.status(code, work.date) == "valid":
                fitting.append((code, bounds))
        if not fitting:
            return None
        wrong, (low, high, words) = work.lane.pick(fitting)
        right = draft.code
        draft.code = wrong
        draft.taken = True
        return Broken(
            "demographic_mismatch",
            "age",
            draft,
            None,
            ["demographic_mismatch"],
            "replace",
            right,
            ["age", *draft.facts],
            [],
            ["age", right],
            f"{wrong} is for {_ages(low, high)}; at {years} years the examination is {right}.",
            sources.meaning(wrong, words),
        )


def reserve_decoy(builder: Builder, lane: Lane) -> Surprise | None:
    """A code that looks as if it belonged to the other sex or another age, and is right."""
    surprises = builder.world.surprises
    frame = builder.frame
    if not surprises or not takes_more(builder):
        return None
    for _ in range(_TRIES):
        one = lane.pick(surprises)
        if not frame.allows(ALL_SETTINGS, one.low, one.high, one.sex):
            continue
        problem = builder.admit_tail(one.tail, reason=False)
        if problem is not None and frame.allows(ALL_SETTINGS, one.low, one.high, one.sex):
            frame.narrow(ALL_SETTINGS, one.low, one.high, one.sex)
            problem.reserved = True
            return Surprise(problem.id, one.reason)
    return None


@dataclass(slots=True)
class Surprise:
    """The decoy: a right code that tempts to a demographic flag."""

    problem: str
    reason: str

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
        return Innocent(
            "demographic_mismatch",
            "unexpected_patient",
            draft,
            None,
            ["sex", "age", self.problem],
            [],
            self.reason,
            sources.meaning(draft.code, work.world.tables.title(draft.code)),
        )


def _ages(low: int, high: int) -> str:
    return f"age {low}" if low == high else f"ages {low} to {high}"
