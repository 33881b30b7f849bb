"""How a problem is named in the note."""

from __future__ import annotations

import re

from ..chart.model import Problem
from ..randomness import Lane
from ..templates import render
from .banks import Voice


def name_problem(problem: Problem, sex: int, lane: Lane) -> str:
    """A noun phrase for the problem, with its side unless that is hidden."""
    names = problem.wording.names[sex]
    hidden = problem.hidden == "side"
    name = names[lane.below(len(names))]
    if type(name) is not str:
        return render(name, lane, "" if hidden else problem.side)
    # Names of the long tail hold their side as a word.
    return without_side(name) if hidden else name


def without_side(name: str) -> str:
    """``name`` without the words right and left."""
    return " ".join(_SIDE_WORD.sub("", name).split()).rstrip(" ,")


def full_mention(problem: Problem, sex: int, voice: Voice, lane: Lane) -> str:
    """The name with what its attributes add: the type of a fracture, another stage."""
    text = name_problem(problem, sex, lane)
    attributes = problem.attributes
    kind = attributes.get("fracture")
    if kind is not None and problem.hidden != "fracture":
        text += voice.need(f"fracture_{kind}").sentence(lane)
    seventh = attributes.get("seventh")
    if seventh is not None and problem.condition is not None:
        text += voice.need("seventh_clause").sentence(lane).replace("{seventh}", seventh)
    return text


_SIDE_WORD = re.compile(r"(?:, )?\b(?:right|left)\b")
_HEALING_LEADS = {
    "routine": "lead_fracture_healing_routine",
    "delayed": "lead_fracture_healing_delayed",
    "nonunion": "lead_fracture_healing_nonunion",
    "malunion": "lead_fracture_healing_malunion",
}
_COURSE_LEADS = {
    "acute": "lead_acute",
    "chronic": "lead_chronic",
    "injury": "lead_acute",
    "screening": "lead_screening",
    "status": "lead_status",
    "pregnancy": "lead_pregnancy",
    "newborn": "lead_newborn",
}


def lead_bank(problem: Problem) -> str:
    """The bank of leads that says course and phase of care as the chart has them."""
    attributes = problem.attributes
    phase = attributes.get("phase")
    if phase is None:
        if not problem.reason and problem.course in ("acute", "chronic"):
            return "lead_second"
        if problem.wording.stratum == "symptom":
            return "lead_symptom"
        return _COURSE_LEADS[problem.course]
    if problem.hidden == "phase":
        return "lead_injury_unclear"
    if phase == "active":
        return "lead_injury_active_later" if problem.later else "lead_injury_active"
    healing = attributes.get("healing")
    if healing is None:
        return "lead_injury_healing_plain"
    return _HEALING_LEADS[healing]
