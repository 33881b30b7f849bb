"""The sections of a note, each a function that writes nothing where it has nothing to say."""

from __future__ import annotations

from collections.abc import Callable

from ..chart.model import Problem
from .banks import SHIFT
from .page import Page

_NOUNS = (("girl", "boy"), ("woman", "man"))
_TOLD = frozenset(("acute", "injury", "cause", "newborn", "pregnancy", "screening"))
EXAM_SYSTEMS = (
    "constitutional", "eyes", "ent", "cardiovascular", "respiratory", "gastrointestinal",
    "musculoskeletal", "skin", "neurologic", "psychiatric", "genitourinary",
)  # fmt: skip
ROS_SYSTEMS = (
    "constitutional", "eyes", "ent", "cardiovascular", "respiratory", "gastrointestinal",
    "genitourinary", "musculoskeletal", "skin", "neurologic", "psychiatric", "endocrine",
    "hematologic",
)  # fmt: skip
_TREATED = frozenset(("disease", "neoplasm", "manifestation", "congenital"))
_ROS_SHOWN = 4
_EXAM_SHOWN = 5


def is_told(problem: Problem) -> bool:
    """Whether the history tells of the problem in a sentence of its own; only such a sentence
    says the phase of care and how a fracture heals."""
    return problem.reason or problem.course in _TOLD or "phase" in problem.attributes


def chief_complaint(page: Page, heading: str) -> None:
    """A short line that names no problem; stays and operations have none."""
    if page.chart.encounter.setting in ("inpatient", "outpatient_surgery"):
        return
    reason = page.active[0]
    course = reason.course
    bank = "cc_acute"
    # A phase that only the physician can tell is not given away here either.
    healing = reason.attributes.get("phase") == "healing" and reason.hidden != "phase"
    if course == "chronic" or healing:
        bank = "cc_followup"
    elif course in ("screening", "status"):
        bank = "cc_preventive"
    elif course in ("newborn", "injury", "pregnancy"):
        bank = f"cc_{course}"
    text = page.say(bank) or page.say("cc_followup")
    if text:
        page.pen.put(f"{heading}: {text}\n\n")


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


def _is_event(code: str) -> bool:
    return code[0] in "VWXY" or code.startswith("Z3A")


def hpi(page: Page, heading: str) -> None:
    """Opener with age and sex, the reason for the encounter, what else was addressed."""
    pen = page.pen
    pen.put(f"{heading}\n")
    _opener(page)
    told = page.told
    for problem in page.active:
        if problem.reason and problem.id not in told:
            page.lead(problem)
            if problem.adds:
                page.state_adds(_is_event)
            page.story(problem, 3)
    for problem in page.active:
        if problem.id not in told and is_told(problem):
            page.lead(problem)
            if problem.adds:
                page.state_adds(_is_event)
            if problem.course != "cause":
                page.story(problem, 2)
    for statement in page.chart.statements:
        if statement.place == "hpi":
            page.state_relation(statement)
    pen.put(f"{page.say('hpi_closer')}\n\n")


def pmh(page: Page, heading: str) -> None:
    """Current chronic problems and statuses as a list."""
    rest = [p for p in page.active if p.id not in page.told and not is_told(p)]
    if not rest:
        return
    page.pen.put(f"{heading}\n")
    for problem in rest:
        page.listed(problem)
    page.pen.put("\n")


def medications(page: Page, heading: str) -> None:
    """The drugs of the problems, and the long-term use that has a code."""
    drugs: list[str] = []
    for problem in page.active:
        choices = problem.wording.drugs
        if choices:
            drug = choices[(page.draw() * len(choices)) >> 16]
            # Nobody is given one substance twice.
            if not any(drug.split()[0] == other.split()[0] for other in drugs):
                drugs.append(drug)
    long_term = any(add.code.startswith("Z79") for add in page.adds)
    lines = "".join([f"- {drug}\n" for drug in drugs])
    if not lines and not long_term:
        # Of the drugs for a disease of the long tail nothing is said, not even that none is taken.
        if any(p.condition is None and p.wording.stratum in _TREATED for p in page.active):
            return
        lines = page.say("meds_none")
    page.pen.put(f"{heading}\n{lines}")
    page.state_adds(lambda code: code.startswith("Z79"))
    page.pen.put("\n\n")


def _simple(*banks: str) -> Callable[[Page, str], None]:
    def section(page: Page, heading: str) -> None:
        text = "".join([page.say(bank) for bank in banks])
        if text:
            page.pen.put(f"{heading}: {text}\n\n")

    return section


def _unless(bank: str, *prefixes: str) -> Callable[[Page, str], None]:
    """A section of one bank that stays away where a code of the chart would contradict it."""

    def section(page: Page, heading: str) -> None:
        if any(problem.base.startswith(prefixes) for problem in page.active):
            return
        text = page.say(bank)
        if text:
            page.pen.put(f"{heading}: {text}\n\n")

    return section


# Dementia, intellectual and developmental disorders: no job, no school told by the way.
# Nor where a code tells how somebody lives.
_DEPENDENT = ("F0", "F7", "F8", "G30", "G31", "Q90", "Q91", "Z59", "Z60", "Z62", "Z63")
_SUBSTANCES = ("F10", "F11", "F12", "F13", "F14", "F15", "F16", "F18", "F19", "K70", "T40", "T51")


def social(page: Page, heading: str) -> None:
    """How the patient lives; no word on tobacco or alcohol where a problem is about it."""
    if any(problem.base.startswith(_DEPENDENT) for problem in page.active):
        return
    text = page.say("social")
    if not text:
        return
    terms = " ".join([problem.term for problem in page.active]).lower()
    if "nicotine" not in terms and "tobacco" not in terms:
        text += page.say("tobacco_never")
    if not any(problem.base.startswith(_SUBSTANCES) for problem in page.chart.problems):
        text += page.say("alcohol_none")
    page.pen.put(f"{heading}: {text}\n\n")


def _normal(page: Page, prefix: str, systems: tuple[str, ...], shown: int) -> str:
    """Normal findings in systems that no problem touches, a sentence each."""
    touched = page.touched
    free = [
        choice for system, choice in page.voice.series(prefix, systems) if system not in touched
    ]
    count = len(free)
    if not count:
        return ""
    draw = page.draw
    start = (draw() * count) >> 16
    out = []
    for i in range(start, start + (shown if shown < count else count)):
        choice = free[i % count]
        row = draw() >> SHIFT
        out.append(choice.rows[row] or choice.make(row))
    return " ".join(out)


def ros(page: Page, heading: str) -> None:
    """Denials in the systems that no problem touches."""
    text = _normal(page, "ros", ROS_SYSTEMS, _ROS_SHOWN)
    if text:
        page.pen.put(f"{heading}\n{text}\n\n")


def vitals(page: Page, heading: str) -> None:
    """Vital signs that no problem speaks of, and the body mass index where it is coded."""
    spoken: set[str] = set()
    for problem in page.active:
        spoken |= problem.wording.vitals
    if not spoken:
        text = page.say("vitals")
    else:
        parts = ("circulation", "breathing", "temperature")
        text = "".join([page.say(f"vitals_{part}") for part in parts if part not in spoken])
    weighed = any(add.code.startswith("Z68") for add in page.adds)
    if not text and not weighed:
        return
    page.pen.put(f"{heading}: {text}")
    if weighed:
        page.state_adds(lambda code: code.startswith("Z68"))
    page.pen.put("\n\n")


def exam(page: Page, heading: str) -> None:
    """Normal findings in the systems that no problem touches, and those of the problems."""
    out = [_normal(page, "exam", EXAM_SYSTEMS, _EXAM_SHOWN)]
    for problem in page.active:
        if problem.wording.exam:
            # Findings that a scenario brings are alternatives, like its stories.
            several = problem.reason and problem.chapter_data
            out.append(page.part(problem, "exam", 2 if several else 1))
    page.pen.put(f"{heading}\n{' '.join(out).strip()}\n\n")


def results(page: Page, heading: str) -> None:
    """Results of the problems that have any."""
    lines = [page.part(p, "results", 1) for p in page.active if p.wording.results]
    if lines:
        shown = "\n".join([line[:1].upper() + line[1:] for line in lines])
        page.pen.put(f"{heading}\n{shown}\n\n")


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


def assessment_plan(page: Page, heading: str) -> None:
    """Each active problem once more, in other words, with its plan."""
    pen = page.pen
    pen.put(f"{heading}\n")
    number = 0
    items = page.voice.need("ap_item")
    draw = page.draw
    for problem in page.active:
        if problem.course in ("status", "cause"):
            continue
        number += 1
        pen.put(f"{number}. ")
        pen.lead(items.lead(draw()), page.name(problem), page.facts[problem.id])
        text = ""
        # Plans of injuries are those of the ordinary course.
        if problem.attributes.get("healing", "routine") == "routine":
            text = page.part(problem, "plan", 3 if problem.reason else 1)
        if not text:
            stratum = problem.wording.stratum
            text = page.say(f"tail_plan_{stratum}") or page.say("tail_plan_disease")
        pen.put(f"{text}\n")
    pen.put(f"{page.say('plan_closer')}\n\n")


def disposition(page: Page, heading: str) -> None:
    """Where the patient went, unless the visit billed was one within the stay."""
    kinds = {p.service.em.kind for p in page.chart.services if p.service.em is not None}
    text = page.say("disposition")
    if text and not kinds & {"hospital_initial", "hospital_subsequent"}:
        page.pen.put(f"{heading}: {text}\n\n")


SECTIONS: dict[str, Callable[[Page, str], None]] = {
    "chief_complaint": chief_complaint,
    "hpi": hpi,
    "pmh": pmh,
    "medications": medications,
    "allergies": _unless("allergies_none", "Z88", "Z91.0", "T78", "L23", "J30"),
    "social": social,
    "family": _unless("family_negative", "Z80", "Z81", "Z82", "Z83", "Z84"),
    "ros": ros,
    "vitals": vitals,
    "exam": exam,
    "results": results,
    "procedures": procedures,
    "course": _simple("hospital_course", "ed_course", "telehealth_frame", "procedure_frame"),
    "assessment_plan": assessment_plan,
    "disposition": disposition,
}
