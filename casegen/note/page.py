"""What the sections of one note share while it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from casegen.schemas import Fact

from ..chart.model import Added, Chart, Performed, Problem, Statement
from ..wording import Telling
from .banks import SHIFT, Voice
from .mention import full_mention, lead_bank
from .pen import Pen, upper_first
from .relations import put_statement

# Findings of tests, which nobody feels.
_TESTS = ("R7", "R8", "R9")


@dataclass(slots=True)
class Page:
    """The note in the making. ``draw`` gives numbers of 16 bits; ``told`` holds the ids of
    the problems that stand in the text; ``touched`` the organ systems of all problems."""

    pen: Pen
    facts: dict[str, Fact]
    chart: Chart
    voice: Voice
    draw: Callable[[], int]
    sex: int
    active: list[Problem]
    touched: set[str]
    adds: list[Added]
    says: Callable[[Performed, int], Telling]
    told: set[str] = field(default_factory=set)

    def say(self, bank: str) -> str:
        """One sentence of a bank with a space after it, "" where nothing in it fits."""
        choice = self.voice.find(bank)
        if choice is None:
            return ""
        row = self.draw() >> SHIFT
        return f"{choice.rows[row] or choice.make(row)} "

    def name(self, problem: Problem) -> str:
        """A noun phrase for the problem, with its side unless that is hidden."""
        side = "" if problem.hidden == "side" else problem.side
        return problem.wording.telling(self.sex, side).name(self.draw())

    def part(self, problem: Problem, kind: str, count: int) -> str:
        """Sentences of the problem's own, "" where it has none."""
        side = "" if problem.hidden == "side" else problem.side
        return problem.wording.telling(self.sex, side).part(kind, count, self.draw())

    def lead(self, problem: Problem) -> None:
        """The sentence that names the problem and says its course or phase of care."""
        choice = self.voice.need(lead_bank(problem), "lead_acute", "lead_second")
        mention = full_mention(problem, self.name(problem), self.voice, self.draw)
        self.pen.lead(choice.lead(self.draw()), mention, self.facts[problem.id])
        self.told.add(problem.id)

    def story(self, problem: Problem, count: int) -> None:
        """History of the problem; one account of an injury, neutral words for the long tail."""
        if problem.course == "injury" and any(add.code[0] in "VWXY" for add in problem.adds):
            return  # The external cause has told what happened.
        if problem.base.startswith(_TESTS):
            return
        text = self.part(problem, "story", 1 if problem.course == "injury" else count)
        if text:
            self.pen.put(f"{text} ")
        else:
            stratum = problem.wording.stratum
            self.pen.put(self.say(f"tail_story_{stratum}") or self.say("tail_story_disease"))

    def listed(self, problem: Problem) -> None:
        """The problem as an item of a list."""
        pen = self.pen
        pen.put("- ")
        mention = full_mention(problem, self.name(problem), self.voice, self.draw)
        text = self.part(problem, "background", 1)
        after = f", {text.rstrip('.')}\n" if text else "\n"
        pen.state(upper_first(mention), self.facts[problem.id], after)
        self.told.add(problem.id)

    def state_adds(self, wanted: Callable[[str], bool]) -> None:
        """State the added codes' facts that ``wanted`` takes and nothing has stated yet."""
        for add in self.adds:
            fact = self.facts[add.id]
            if not fact.spans and wanted(add.code):
                self.pen.state(self.voice.need(f"add:{add.code}").sentence(self.draw()), fact)

    def state_service(self, performed: Performed) -> None:
        """State that a service was done."""
        names = self.says(performed, self.sex).names
        em = performed.service.em
        if em is not None and em.minutes is not None and len(self.chart.services) > 1:
            # Time counts for a visit without that of other services; say the decision instead.
            names = [name for name in names if "minute" not in name] or names
        self.pen.state(names[(self.draw() * len(names)) >> 16], self.facts[performed.id])

    def state_relation(self, statement: Statement) -> None:
        """State how facts stand to each other."""
        put_statement(self, statement)

    def finish(self) -> None:
        """State what no section of this style had room for."""
        rest = [problem for problem in self.active if problem.id not in self.told]
        for problem in rest:
            if "phase" in problem.attributes:
                self.lead(problem)
            else:
                self.listed(problem)
        self.state_adds(lambda code: True)
        for performed in self.chart.services:
            if not self.facts[performed.id].spans:
                self.state_service(performed)
        for statement in self.chart.statements:
            if not self.facts[statement.id].spans:
                self.state_relation(statement)
