"""The sections of a note by name; each writes nothing where it has nothing to say."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..chart.serious import serious
from .findings import exam, results, ros, vitals
from .history import allergies, chief_complaint, family, hpi, medications, pmh, social
from .page import Page

_ROUNDS = frozenset(("hospital_initial", "hospital_subsequent"))
_COURSES = ("hospital_course", "ed_course", "telehealth_frame", "procedure_frame")


# A plan that says when the patient is seen again.
_AGAIN = re.compile(
    r"\b(?:recheck|return|come back|visit|seen|see us|look|again|appointment|follow-up|review)\b"
    r"[^.]*\b(?:days?|weeks?|months?|year|tomorrow)\b",
    re.IGNORECASE,
)


def procedures(page: Page, heading: str) -> None:
    """What was done, with the statements that tie services to each other."""
    chart = page.chart
    if not chart.services:
        return
    page.pen.put(f"{heading}\n")
    for performed in chart.services:
        page.state_service(performed)
    for statement in chart.statements:
        if statement.place == "procedures":
            page.state_relation(statement)
    page.pen.put("\n\n")


def course(page: Page, heading: str) -> None:
    """How a stay, an operation or a call went; a setting has one of these banks."""
    page.section(heading, *_COURSES)


def assessment_plan(page: Page, heading: str) -> None:
    """Each active problem once more, in other words, with its plan."""
    pen = page.pen
    put = pen.put
    put(f"{heading}\n")
    number = 0
    dated = False
    leads = page.voice.need("ap_item")
    draw = page.draw
    for item in page.items:
        problem = item.problem
        if problem.course in ("status", "cause"):
            continue
        number += 1
        put(f"{number}. ")
        names = item.telling.names
        pen.lead(leads.lead(draw()), names[(draw() * len(names)) >> 32], item.fact)
        # Plans of injuries are those of the ordinary course.
        if problem.attributes.get("healing", "routine") == "routine":
            long = page.detail > 0 and page.at_length(problem)
            text = item.part("plan", 2 if long else 1, draw())
        else:
            text = ""
        if text:
            put(text)
            dated = dated or _AGAIN.search(text) is not None
        else:
            page.neutral_plan(problem)
        put("\n")
    # Whoever is to come at one time is not told another.
    if not dated and not _to_ward(page):
        page.say("plan_closer")
    put("\n\n")


def disposition(page: Page, heading: str) -> None:
    """Where the patient went, unless the visit billed was one within the stay."""
    for performed in page.chart.services:
        em = performed.service.em
        if em is not None and em.kind in _ROUNDS:
            return
    page.section(heading, "disposition_to_ward" if _to_ward(page) else "disposition")


def _to_ward(page: Page) -> bool:
    """Whether somebody leaves an emergency department with what nobody goes home with."""
    return page.chart.encounter.setting == "emergency" and serious(page.chart.problems) > 0


SECTIONS: dict[str, Callable[[Page, str], None]] = {
    "chief_complaint": chief_complaint,
    "hpi": hpi,
    "pmh": pmh,
    "medications": medications,
    "allergies": allergies,
    "social": social,
    "family": family,
    "ros": ros,
    "vitals": vitals,
    "exam": exam,
    "results": results,
    "procedures": procedures,
    "course": course,
    "assessment_plan": assessment_plan,
    "disposition": disposition,
}
