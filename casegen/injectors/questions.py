"""Facts that only the physician can settle."""

from __future__ import annotations

from casegen.schemas import Question

from ..chart.model import Problem
from .model import Work


def ask(problem: Problem, work: Work) -> Question:
    """The question that settles the hidden attribute of a problem, with its fixed answer."""
    axis = problem.hidden or "side"
    forms = work.world.questions[axis]
    value = problem.attributes[axis]
    answer = work.lane.pick(forms.answers[value])
    question = Question(axis, list(forms.keywords), answer, problem.id, axis, value)
    work.questions.append(question)
    return question
