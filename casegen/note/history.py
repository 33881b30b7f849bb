"""The sections that tell how it came about: complaint, history, problem list, drugs, life."""

from __future__ import annotations

from ..chart.model import Problem
from .page import Page
from .silence import ALLERGY, DEPENDENT, FAMILY, SUBSTANCE, TOBACCO, UNRELIABLE

_NOUNS = (("girl", "boy"), ("woman", "man"))
_TOLD = frozenset(("acute", "injury", "cause", "newborn", "pregnancy", "screening"))
_TREATED = frozenset(("disease", "neoplasm", "manifestation", "congenital"))
_COMPLAINTS = {
    "chronic": "cc_followup",
    "screening": "cc_preventive",
    "status": "cc_preventive",
    "newborn": "cc_newborn",
    "injury": "cc_injury",
    "pregnancy": "cc_pregnancy",
}


def is_told(page: Page, problem: Problem) -> bool:
    """Whether the history tells of the problem in a sentence of its own; only such a sentence
    says the phase of care and how a fracture heals."""
    return page.at_length(problem) or problem.course in _TOLD or "phase" in problem.attributes


def chief_complaint(page: Page, heading: str) -> None:
    """A short line that names no problem; stays and operations have none. An excerpt names what
    the encounter is for."""
    pen = page.pen
    if page.aired is not None:
        pen.put(f"{heading}: ")
        if page.state_reason():
            pen.put("\n\n")
        else:
            pen.pieces.pop()
        return
    if page.chart.encounter.setting in ("inpatient", "outpatient_surgery"):
        return
    reason = page.items[0].problem
    # A phase that only the physician can tell is not given away here either.
    if reason.attributes.get("phase") == "healing" and reason.hidden != "phase":
        bank = "cc_followup"
    else:
        bank = _COMPLAINTS.get(reason.course, "cc_acute")
    page.section(heading, bank) or page.section(heading, "cc_followup")


def _opener(page: Page) -> None:
    """Name, age and sex."""
    chart = page.chart
    text = page.voice.need("opener").sentence(page.draw())
    years = chart.years
    adult = years >= 18
    if adult:
        title = "Ms." if page.sex == 0 else "Mr."
        name = f"{title} {chart.patient.name.rpartition(' ')[2]}"
    else:
        name = chart.patient.name.partition(" ")[0]
    if years >= 2:
        age = f"{years}-year-old"
    elif chart.days > 60:
        age = f"{chart.days * 12 // 365}-month-old"
    else:
        age = f"{chart.days}-day-old"
    before, _, rest = text.replace("{name}", name).partition("{age}")
    between, _, after = rest.partition("{man}")
    pen = page.pen
    pen.put(before)
    pen.state(age, page.facts["age"], between)
    pen.state(_NOUNS[adult][page.sex], page.facts["sex"], f"{after} ")


def hpi(page: Page, heading: str) -> None:
    """Opener with age and sex, the reason for the encounter, what else was addressed."""
    pen = page.pen
    pen.put(f"{heading}\n")
    _opener(page)
    page.state_reason()
    told = page.told
    for item in page.items:
        problem = item.problem
        if problem.id in told or not is_told(page, problem):
            continue
        page.lead(item)
        page.state_own_adds(problem, events=True)
        if page.at_length(problem):
            page.story(item, 2 if page.detail >= 0 else 1)
        elif page.detail > 0 and problem.course != "cause":
            page.story(item, 1)
        page.state_own_adds(problem, events=False)
    for statement in page.chart.statements:
        if statement.place == "hpi":
            page.state_relation(statement)
    if not page.silent & UNRELIABLE:
        page.say("hpi_closer")
    pen.put("\n\n")


def pmh(page: Page, heading: str) -> None:
    """Current chronic problems and statuses as a list."""
    told = page.told
    rest = [i for i in page.items if i.problem.id not in told and not is_told(page, i.problem)]
    if not rest:
        return
    page.pen.put(f"{heading}\n")
    for item in rest:
        page.listed(item)
        page.state_own_adds(item.problem, events=False, after="\n")
    page.pen.put("\n")


def medications(page: Page, heading: str) -> None:
    """The drugs of the problems, and the long-term use that has a code."""
    drugs: dict[str, str] = {}
    silent = False
    for item in page.items:
        wording = item.problem.wording
        choices = wording.drugs
        if choices:
            drug = choices[(page.draw() * len(choices)) >> 32]
            # Nobody is given one substance twice, nor two that do not go together.
            name = drug.partition(" ")[0]
            others = page.apart.get(name)
            if others is None or others.isdisjoint(drugs):
                drugs.setdefault(name, drug)
        elif item.problem.condition is None and wording.stratum in _TREATED:
            silent = True
    none = not drugs and not any(add.code.startswith("Z79") for add in page.adds)
    # Of the drugs for a disease of the long tail nothing is said, not even that none is taken.
    if none and silent:
        return
    put = page.pen.put
    put(f"{heading}\n")
    for drug in drugs.values():
        put(f"- {drug}\n")
    if none:
        page.say("meds_none")
    if page.adds:
        page.state_adds("Z79")
    put("\n\n")


def allergies(page: Page, heading: str) -> None:
    """That none are known, unless a code speaks of one."""
    if not page.silent & ALLERGY:
        page.section(heading, "allergies_none")


def family(page: Page, heading: str) -> None:
    """That nothing runs in the family, unless a code speaks of it."""
    if not page.silent & FAMILY:
        page.section(heading, "family_negative")


def social(page: Page, heading: str) -> None:
    """How the patient lives; no word on tobacco or alcohol where a problem is about it."""
    silent = page.silent
    if silent & DEPENDENT:
        return
    banks = ["social"]
    if not silent & TOBACCO:
        banks.append("tobacco_never")
    if not silent & SUBSTANCE:
        banks.append("alcohol_none")
    page.section(heading, *banks)
