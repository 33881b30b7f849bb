"""The sections of a note, each a function that writes nothing where it has nothing to say."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from casegen.schemas import Fact

from ..chart.model import Chart, Performed, Problem, Statement
from ..randomness import Lane
from ..templates import compile_template, render
from .banks import Voice
from .mention import full_mention, lead_bank, name_problem
from .pen import Pen, upper_first
from .relations import put_statement

NOUNS = {"child": ("girl", "boy"), "adult": ("woman", "man")}
_TIMED = re.compile(r"\b(?:day|week|month|year|yesterday|today|since|ago|hour|morning|night)")
_TOLD = frozenset(("acute", "injury", "newborn", "pregnancy", "screening"))
EXAM_SYSTEMS = (
    "constitutional", "eyes", "ent", "cardiovascular", "respiratory", "gastrointestinal",
    "musculoskeletal", "skin", "neurologic", "psychiatric", "genitourinary",
)  # fmt: skip
ROS_SYSTEMS = (
    "constitutional", "eyes", "ent", "cardiovascular", "respiratory", "gastrointestinal",
    "genitourinary", "musculoskeletal", "skin", "neurologic", "psychiatric", "endocrine",
    "hematologic",
)  # fmt: skip


@dataclass(slots=True)
class Page:
    """What the sections share while one note is written."""

    pen: Pen
    facts: dict[str, Fact]
    chart: Chart
    voice: Voice
    lane: Lane
    sex: int
    newborn: bool
    told: set[str] = field(default_factory=set)
    closed: bool = False

    def speak(self, *banks: str) -> bool:
        """Write one sentence of the first bank that fits, and a space after it."""
        for bank in banks:
            choice = self.voice.find(bank)
            if choice is not None:
                self.pen.put(choice.sentence(self.lane) + " ")
                return True
        return False

    def finish(self) -> None:
        """State what no section of this style had room for."""
        rest = [p for p in self.chart.problems if p.status == "active" and p.id not in self.told]
        if rest:
            self.pen.put("\n")
            for problem in rest:
                _listed(self, problem)
        for problem in self.chart.problems:
            for add in problem.adds:
                if not self.facts[add.id].spans:
                    _state_add(self, add.code, self.facts[add.id])
        for performed in self.chart.services:
            if not self.facts[performed.id].spans:
                _state_service(self, performed)
        for statement in self.chart.statements:
            if not self.facts[statement.id].spans:
                _statement(self, statement)


def _active(page: Page) -> list[Problem]:
    return [p for p in page.chart.problems if p.status == "active"]


def _open(page: Page, heading: str, inline: bool = False) -> None:
    page.pen.put(f"{heading}: " if inline else f"{heading}\n")


def _close(page: Page) -> None:
    page.pen.put("\n\n")


def chief_complaint(page: Page, heading: str) -> None:
    """A short line that names no problem."""
    reason = next((p for p in page.chart.problems if p.reason), None)
    bank = "cc_acute"
    if reason is not None:
        if reason.course == "chronic" or reason.attributes.get("phase") == "healing":
            bank = "cc_followup"
        elif reason.course in ("screening", "status"):
            bank = "cc_preventive"
        elif reason.course in ("newborn", "injury", "pregnancy"):
            bank = f"cc_{reason.course}"
    choice = page.voice.find(bank) or page.voice.find("cc_followup")
    if choice is not None:
        _open(page, heading, inline=True)
        page.pen.put(choice.sentence(page.lane))
        _close(page)


def _opener(page: Page) -> None:
    chart = page.chart
    text = page.voice.need("opener").sentence(page.lane)
    surname = chart.patient.name.split()[-1]
    if chart.years >= 18:
        name = f"{'Ms.' if page.sex == 0 else 'Mr.'} {surname}"
        noun = NOUNS["adult"][page.sex]
        age = f"{chart.years}-year-old"
    else:
        name = chart.patient.name.split()[0]
        noun = NOUNS["child"][page.sex]
        if chart.years >= 2:
            age = f"{chart.years}-year-old"
        elif chart.days > 60:
            age = f"{chart.days * 12 // 365}-month-old"
        else:
            age = f"{chart.days}-day-old"
    text = text.replace("{name}", name)
    before, _, rest = text.partition("{age}")
    between, _, after = rest.partition("{man}")
    pen = page.pen
    pen.put(before)
    pen.state(age, page.facts["age"])
    pen.put(between)
    pen.state(noun, page.facts["sex"])
    pen.put(after + " ")


def _lead(page: Page, problem: Problem) -> None:
    lane = page.lane
    choice = page.voice.need(lead_bank(problem), "lead_acute", "lead_second")
    mention = full_mention(problem, page.sex, page.voice, lane)
    page.pen.lead(choice.lead(lane), mention, page.facts[problem.id])
    page.pen.put(" ")
    page.told.add(problem.id)


def _story(page: Page, problem: Problem, count: int) -> None:
    lane = page.lane
    bank = problem.wording.story[page.sex]
    if not bank:
        for _ in range(min(count, 1)):
            page.speak(f"tail_story_{problem.wording.stratum}", "tail_story_disease")
        return
    side = "" if problem.hidden == "side" else problem.side
    # Stories are alternatives: one mechanism of injury, one account of time.
    wanted = 1 if problem.course == "injury" else count
    at = lane.below(len(bank))
    timed = False
    for i in range(len(bank)):
        text = render(bank[(at + i) % len(bank)], lane, side)
        if wanted and not (timed and _TIMED.search(text)):
            timed = timed or bool(_TIMED.search(text))
            page.pen.put(text + " ")
            wanted -= 1


def _listed(page: Page, problem: Problem) -> None:
    lane = page.lane
    pen = page.pen
    mention = upper_first(full_mention(problem, page.sex, page.voice, lane))
    pen.put("- ")
    pen.state(mention, page.facts[problem.id])
    bank = problem.wording.background[page.sex]
    if bank:
        pen.put(f", {render(bank[lane.below(len(bank))], lane, problem.side)}".rstrip(".") + "\n")
    else:
        pen.put("\n")
    page.told.add(problem.id)


def _state_add(page: Page, code: str, fact: Fact) -> None:
    bank = page.voice.need(f"add:{code}")
    page.pen.state(bank.sentence(page.lane), fact)
    page.pen.put(" ")


def _adds(page: Page, wanted: Callable[[str], bool]) -> None:
    for problem in page.chart.problems:
        for add in problem.adds:
            fact = page.facts[add.id]
            if wanted(add.code) and not fact.spans:
                _state_add(page, add.code, fact)


def _statement(page: Page, statement: Statement) -> None:
    put_statement(page.pen, statement, page.facts, page.chart, page.sex, page.lane)
    page.pen.put(" ")


def hpi(page: Page, heading: str) -> None:
    """Opener with age and sex, the reason for the encounter, what else was addressed."""
    _open(page, heading)
    _opener(page)
    problems = _active(page)
    for problem in problems:
        if problem.reason and problem.id not in page.told:
            _lead(page, problem)
            _adds(page, lambda code: code[0] in "VWXY" or code.startswith("Z3A"))
            _story(page, problem, 3)
    for problem in problems:
        if problem.course in _TOLD and problem.id not in page.told:
            _lead(page, problem)
            _story(page, problem, 2)
    for statement in page.chart.statements:
        if statement.place == "hpi":
            _statement(page, statement)
    page.speak("hpi_closer")
    _close(page)


def pmh(page: Page, heading: str) -> None:
    """Chronic problems and statuses as a list."""
    rest = [p for p in _active(page) if p.id not in page.told]
    if not rest:
        return
    _open(page, heading)
    for problem in rest:
        _listed(page, problem)
    page.pen.put("\n")


def medications(page: Page, heading: str) -> None:
    """The drugs of the problems, and the long-term use that has a code."""
    lane = page.lane
    drugs: list[str] = []
    for problem in _active(page):
        if problem.wording.drugs:
            drug = problem.wording.drugs[lane.below(len(problem.wording.drugs))]
            if drug not in drugs:
                drugs.append(drug)
    _open(page, heading)
    for drug in drugs:
        page.pen.put(f"- {drug}\n")
    if not drugs:
        page.speak("meds_none")
    _adds(page, lambda code: code.startswith("Z79"))
    page.pen.put("\n" if drugs and page.pen.pieces[-1].endswith("\n") else "\n\n")


def _simple(*banks: str) -> Callable[[Page, str], None]:
    def section(page: Page, heading: str) -> None:
        if not any(page.voice.find(bank) for bank in banks):
            return
        _open(page, heading, inline=True)
        for bank in banks:
            page.speak(bank)
        _close(page)

    return section


def social(page: Page, heading: str) -> None:
    """How the patient lives; no word on tobacco where a problem is about it."""
    if page.voice.find("social") is None:
        return
    _open(page, heading, inline=True)
    page.speak("social")
    if not any(p.term.lower().find("nicotine") >= 0 or p.base == "Z87.891" for p in page.chart.problems):
        page.speak("tobacco_never")
    page.speak("alcohol_none")
    _close(page)


def _touched(page: Page) -> set[str]:
    systems: set[str] = set()
    for problem in page.chart.problems:
        systems.add(problem.system)
        if problem.condition is not None:
            systems.update(problem.condition.also_systems)
    return systems


def ros(page: Page, heading: str) -> None:
    """Denials in the systems that no problem touches."""
    touched = _touched(page)
    free = [s for s in ROS_SYSTEMS if s not in touched and page.voice.find(f"ros_{s}")]
    if not free:
        return
    _open(page, heading)
    start = page.lane.below(len(free))
    for i in range(min(6, len(free))):
        page.speak(f"ros_{free[(start + i) % len(free)]}")
    _close(page)


def vitals(page: Page, heading: str) -> None:
    """Vital signs within normal limits, and the body mass index where it is coded."""
    if page.voice.find("vitals") is None:
        return
    _open(page, heading, inline=True)
    page.speak("vitals")
    _adds(page, lambda code: code.startswith("Z68"))
    _close(page)


def exam(page: Page, heading: str) -> None:
    """Normal findings in the systems that no problem touches, and those of the problems."""
    touched = _touched(page)
    lane = page.lane
    _open(page, heading)
    free = [s for s in EXAM_SYSTEMS if s not in touched and page.voice.find(f"exam_{s}")]
    if free:
        start = lane.below(len(free))
        for i in range(min(7, len(free))):
            page.speak(f"exam_{free[(start + i) % len(free)]}")
    for problem in _active(page):
        bank = problem.wording.exam[page.sex]
        if bank:
            at = lane.below(len(bank))
            side = "" if problem.hidden == "side" else problem.side
            for i in range(min(2 if problem.reason else 1, len(bank))):
                page.pen.put(render(bank[(at + i) % len(bank)], lane, side) + " ")
    _close(page)


def results(page: Page, heading: str) -> None:
    """Results of the problems that have any."""
    lane = page.lane
    lines = []
    for problem in _active(page):
        bank = problem.wording.results[page.sex]
        if bank:
            side = "" if problem.hidden == "side" else problem.side
            lines.append(render(bank[lane.below(len(bank))], lane, side))
    if not lines:
        return
    _open(page, heading)
    page.pen.put("\n".join(upper_first(line) for line in lines) + "\n\n")


def _state_service(page: Page, performed: Performed) -> None:
    lane = page.lane
    if performed.says is not None:
        text = render(compile_template(performed.says, page.sex), lane, performed.side)
    else:
        bank = performed.says_bank[page.sex]
        text = render(bank[lane.below(len(bank))], lane, performed.side)
    page.pen.state(text, page.facts[performed.id])
    page.pen.put(" ")


def procedures(page: Page, heading: str) -> None:
    """What was done, with the statements that tie services to each other."""
    if not page.chart.services:
        return
    _open(page, heading)
    for performed in page.chart.services:
        _state_service(page, performed)
    for statement in page.chart.statements:
        if statement.place == "procedures":
            _statement(page, statement)
    _close(page)


def _plan_of(page: Page, problem: Problem, count: int) -> None:
    bank = problem.wording.plan[page.sex]
    lane = page.lane
    if not bank:
        page.speak(f"tail_plan_{problem.wording.stratum}", "tail_plan_disease")
        return
    at = lane.below(len(bank))
    side = "" if problem.hidden == "side" else problem.side
    for i in range(min(count, len(bank))):
        page.pen.put(render(bank[(at + i) % len(bank)], lane, side) + " ")


def assessment_plan(page: Page, heading: str) -> None:
    """Each active problem once more, in other words, with its plan."""
    _open(page, heading)
    number = 0
    lane = page.lane
    pen = page.pen
    for problem in _active(page):
        if problem.course == "status":
            continue
        number += 1
        pen.put(f"{number}. ")
        lead = page.voice.need("ap_item").lead(lane)
        pen.lead(lead, name_problem(problem, page.sex, lane), page.facts[problem.id])
        pen.put(" ")
        _plan_of(page, problem, 3 if problem.reason else 1)
        pen.put("\n")
    page.speak("plan_closer")
    page.closed = True
    _close(page)


SECTIONS: dict[str, Callable[[Page, str], None]] = {
    "chief_complaint": chief_complaint,
    "hpi": hpi,
    "pmh": pmh,
    "medications": medications,
    "allergies": _simple("allergies_none"),
    "social": social,
    "family": _simple("family_negative"),
    "ros": ros,
    "vitals": vitals,
    "exam": exam,
    "results": results,
    "procedures": procedures,
    "course": _simple("hospital_course", "ed_course", "telehealth_frame", "procedure_frame"),
    "assessment_plan": assessment_plan,
    "disposition": _simple("disposition"),
}
