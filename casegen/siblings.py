"""The sibling of a case: the same claim beside a record in which a single fact is turned.

An error becomes right, because the record now says what the claim says; or a right line
becomes wrong, because the record now says something else of the side, the phase of care, the
healing or the type of a fracture; or the physician answers otherwise. All other words of the
note stay, but for those that name the fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from zlib import crc32

from casegen.schemas import Question

from .chart.bounds import OFFICE_LIKE
from .chart.model import Problem
from .chart.options import BIT
from .coder.diagnoses import problem_code
from .injectors.model import Broken, Innocent, Work
from .injectors.specificity_error import AXES_OF_FACTS, broken_line, neighbour
from .wording import Wording

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

    from .coder import Draft

# Where fresh open fractures are operated on.
_URGENT = ("emergency", "inpatient", "outpatient_surgery")
_ATTRIBUTES = ("phase", "fracture", "healing")


@dataclass(slots=True)
class Turned:
    """What changes: the findings and decoys of the sibling, and its questions."""

    broken: list[Broken]
    innocent: list[Innocent]
    questions: list[Question]


def turn(work: Work, broken: list[Broken], innocent: list[Innocent], name: str) -> Turned | None:
    """Turn one fact of the chart under ``work`` and bring its lines up to date.

    The chart's problem and the line are changed in place; lists and mappings that the first
    case holds stay as they are. None where the case has no fact that can be turned. ``name``
    settles which of several is.
    """
    chosen = sorted(_candidates(work, broken, innocent), key=lambda one: one.key(name))
    for one in chosen:
        problem, draft = one.problem, one.draft
        question = next((q for q in work.questions if q.fact == problem.id), None)
        if not _settle(problem, one.target, work):
            continue
        draft.right = one.target
        questions = list(work.questions)
        if question is not None:
            questions[questions.index(question)] = _answered(question, problem, work, name)
        others = [b for b in broken if b.draft is not draft]
        decoys = [i for i in innocent if i.draft is not draft]
        if draft.code != one.target:
            topics = [question.topic] if question is not None else []
            others.append(broken_line(work, draft, one.target, one.axis, topics))
        return Turned(others, decoys, questions)
    return None


@dataclass(frozen=True, slots=True)
class _Candidate:
    problem: Problem
    draft: Draft
    axis: str
    target: str

    def key(self, name: str) -> tuple[bool, int]:
        """Errors and decoys that stand already go before lines that are merely right."""
        return not self.draft.taken, crc32(f"{name}/{self.problem.id}/{self.axis}".encode())


def _candidates(work: Work, broken: list[Broken], innocent: list[Innocent]) -> Iterator[_Candidate]:
    """Lines whose problem alone they bill, with the code that the record would then call for."""
    wrong = {id(b.draft): b for b in broken}
    decoys = {id(i.draft): i for i in innocent}
    for draft in work.drafts:
        problem = draft.problem
        if problem is None or draft.added or draft.facts != [problem.id]:
            continue
        finding = wrong.get(id(draft))
        decoy = decoys.get(id(draft))
        if finding is not None:
            # The record is turned to what the claim says.
            if finding.error_type == "specificity_error" and finding.kind in AXES_OF_FACTS:
                yield _Candidate(problem, draft, finding.kind, draft.code)
        elif not draft.taken or (decoy is not None and decoy.error_type == "specificity_error"):
            for axis in AXES_OF_FACTS:
                if decoy is not None and decoy.questions and axis not in decoy.kind:
                    continue
                target = neighbour(draft, axis, work)
                if target is not None and not work.stands(target):
                    yield _Candidate(problem, draft, axis, target)


def _settle(problem: Problem, target: str, work: Work) -> bool:
    """Change the problem so that it calls for ``target``; False, and nothing is changed, where
    the rest of the chart would not bear that."""
    chart = work.chart
    tables = work.world.tables
    sides = tables.laterality(problem.code) != tables.laterality(target)
    if sides and any(p.side or p.says for p in chart.services):
        return False  # A service tells its side, and so may a sentence that came with it.
    if not sides and not _phase_fits(problem, target, work):
        return False
    if problem.condition is None:
        return _settle_tail(problem, target, work)
    attributes = dict(problem.attributes)
    base, term, side, value = problem.base, problem.term, problem.side, problem.value
    if sides:
        side = tables.laterality(target) or ""
        if value is None or side not in value.codes:
            return False
        base, term = value.codes[side], value.terms.get(side, value.term)
        attributes["side"] = side
    else:
        _read_seventh(attributes, target, tables)
    changed = replace(problem, base=base, term=term, side=side, attributes=attributes)
    return _take(problem, changed, target)


def _settle_tail(problem: Problem, target: str, work: Work) -> bool:
    entry = work.world.tables.tail_of(target)
    chart = work.chart
    if entry is None or entry.partners or not problem.origin.startswith("tail."):
        return False
    if entry.sex not in (None, chart.patient.sex) or chart.encounter.setting not in entry.settings:
        return False
    if not entry.age[0] <= chart.years <= entry.age[1]:
        return False
    changed = replace(
        problem,
        origin=f"tail.{entry.code}",
        term=entry.term,
        base=entry.code,
        wording=Wording(entry.names, stratum=entry.stratum, spelled=True),
        attributes=dict(entry.attributes),
        side=entry.attributes.get("side", ""),
        suits=entry.suits,
    )
    return _take(problem, changed, target)


def _take(problem: Problem, changed: Problem, target: str) -> bool:
    """Make ``problem`` what ``changed`` is, if that calls for ``target``."""
    if problem_code(changed) != target:
        return False
    changed.code = target
    # A later visit is no longer told of where the phase was turned.
    changed.later = problem.later and changed.attributes.get("phase") == "active"
    for name in Problem.__dataclass_fields__:
        setattr(problem, name, getattr(changed, name))
    return True


def _read_seventh(attributes: dict[str, str], target: str, tables: Tables) -> None:
    seventh = tables.seventh(target)
    for name in _ATTRIBUTES:
        value = getattr(seventh, name, None)
        if value is not None:
            attributes[name] = value
        elif name == "healing":
            attributes.pop(name, None)


def _phase_fits(problem: Problem, target: str, work: Work) -> bool:
    """Whether the setting is one for that phase of care, and no other line goes by it."""
    chart = work.chart
    if any(add.seventh == "same" for add in problem.adds):
        return False
    if any(p.course == "cause" for p in chart.problems):
        return False
    seventh = work.world.tables.seventh(target)
    if seventh is None:
        return False
    setting = chart.encounter.setting
    if seventh.phase == "healing":
        return bool(BIT[setting] & OFFICE_LIKE)
    if setting == "telehealth":
        return False
    return seventh.fracture in (None, "closed") or setting in _URGENT


def _answered(question: Question, problem: Problem, work: Work, name: str) -> Question:
    """The same question with the answer that the turned chart gives."""
    value = problem.attributes[question.attribute]
    answers = work.world.questions[question.topic].answers[value]
    answer = answers[crc32(name.encode()) % len(answers)]
    return replace(question, answer=answer, value=value)
