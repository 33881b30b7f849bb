"""How a problem is named in the note."""

from __future__ import annotations

from collections.abc import Callable

from ..chart.model import Problem
from .banks import Voice


def full_mention(problem: Problem, name: str, voice: Voice, draw: Callable[[], int]) -> str:
    """The name with what its attributes add: the type of a fracture, another stage."""
    attributes = problem.attributes
    if not attributes:
        return name
    kind = attributes.get("fracture")
    if kind is not None and problem.hidden != "fracture":
        name += voice.need(f"fracture_{kind}").sentence(draw())
    seventh = attributes.get("seventh")
    # Names of the long tail already hold the text of another seventh character.
    if seventh is not None and problem.condition is not None:
        name += voice.need("seventh_clause").sentence(draw()).replace("{seventh}", seventh)
    return name


_HEALING_LEADS = {
    "routine": "lead_fracture_healing_routine",
    "delayed": "lead_fracture_healing_delayed",
    "nonunion": "lead_fracture_healing_nonunion",
    "malunion": "lead_fracture_healing_malunion",
}
# Problems beside the reason for the encounter are not told as the main matter.
_SECOND = frozenset(("acute", "chronic", "injury", "pregnancy", "newborn"))
_COURSE_LEADS = {
    "acute": "lead_acute",
    "chronic": "lead_chronic",
    "injury": "lead_acute",
    "screening": "lead_screening",
    "status": "lead_status",
    "pregnancy": "lead_pregnancy",
    "newborn": "lead_newborn",
    "cause": "lead_cause",
}


def alike_bank(problem: Problem) -> str:
    """The bank of leads that tells a problem as any other, whichever the encounter is for."""
    phase = problem.attributes.get("phase")
    if problem.course == "cause":
        return "lead_cause" if phase is None else f"lead_cause_{phase}"
    if phase is None:
        return "lead_alike"
    if phase == "active":
        return "lead_injury_active_later" if problem.later else "lead_alike_active"
    healing = problem.attributes.get("healing")
    if healing is None:
        return "lead_alike_healing_plain"
    return f"lead_alike_fracture_healing_{healing}"


def lead_bank(problem: Problem) -> str:
    """The bank of leads that says course and phase of care as the chart has them."""
    attributes = problem.attributes
    phase = attributes.get("phase")
    if problem.course == "cause":
        return "lead_cause"
    if phase is None:
        if not problem.reason and problem.course in _SECOND:
            return "lead_second"
        if problem.wording.stratum == "symptom":
            return "lead_symptom"
        if problem.course == "chronic" and problem.condition is None:
            # Of a disease of the long tail nobody knows how long it has lasted, and what a
            # scenario brings it tells itself. What is inborn has lasted.
            return "lead_chronic" if problem.wording.stratum == "congenital" else "lead_current"
        return _COURSE_LEADS[problem.course]
    if problem.hidden == "phase":
        return "lead_injury_unclear"
    if phase == "active":
        return "lead_injury_active_later" if problem.later else "lead_injury_active"
    healing = attributes.get("healing")
    if healing is None:
        return "lead_injury_healing_plain"
    return _HEALING_LEADS[healing]
