"""What the sections of one note share while it is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from casegen.schemas import Fact

from ..chart.model import Added, Chart, Performed, Problem, Statement
from ..wording import Telling
from .banks import Voice
from .mention import alike_bank, full_mention, lead_bank
from .pen import Pen, upper_first
from .relations import put_statement
from .silence import UNRELIABLE

# Findings of tests, which nobody feels.
_TESTS = ("R7", "R8", "R9")
_EVENTS = tuple("VWXY")
# Added codes that tell of no condition which a ward could care for: germs, circumstances, status.
_UNCARED = (*_EVENTS, "Z", "B95", "B96", "B97")
# Added codes that are told with the sentence that names the problem: events, weeks of pregnancy.
WITH_LEAD = (*_EVENTS, "Z3A")
# Added codes that the list of drugs and the vital signs state.
ELSEWHERE = ("Z79", "Z68")
# The place of the statement that says what an encounter is for.
REASON = "reason"


# Strata whose grave states have neutral words of their own.
_DEALT_WITH = frozenset(("disease", "neoplasm", "injury", "manifestation"))


def kind_of(problem: Problem) -> str:
    """The kind of problem by which a neutral plan goes: burns of inner organs, poisonings and
    effects of heat (T15-T78) have no part that could be raised or splinted, and what an
    emergency department or a ward deals with is none to wait and see."""
    stratum = problem.wording.stratum
    if problem.grave and stratum in _DEALT_WITH:
        return "grave"
    return "disease" if problem.base.startswith("T") or _is_benign(problem) else stratum


def _is_benign(problem: Problem) -> bool:
    """Whether the problem is a benign tumor (D10-D36, D3A), which no oncologist plans for."""
    base = problem.base
    return base.startswith(("D1", "D2", "D3")) and not base.startswith(("D37", "D38", "D39"))


@dataclass(slots=True)
class Item:
    """An active problem, its fact and its sentences, as this note tells them."""

    problem: Problem
    fact: Fact
    telling: Telling

    def part(self, kind: str, count: int, draw: int) -> str:
        """``count`` of the problem's own sentences of a kind, "" where it has none."""
        return self.problem.wording.part(self.telling, kind, count, draw)


@dataclass(slots=True)
class Page:
    """The note in the making. ``draw`` gives numbers of 32 bits; ``items`` are the active
    problems, the reason for the encounter first; ``touched`` the organ systems of all
    problems; ``silent`` what their codes keep the note from saying; ``detail`` how much its author
    tells, 0 to 2, or -1 where there is no room; ``apart`` the drugs that no list names beside a
    drug; ``told`` the ids of the facts that stand in the text. In an excerpt ``aired`` holds the
    ids of the problems that are told at length, all alike; without it that is the reason alone."""

    pen: Pen
    facts: dict[str, Fact]
    chart: Chart
    voice: Voice
    draw: Callable[[], int]
    sex: int
    items: list[Item]
    touched: set[str]
    silent: int
    detail: int
    adds: list[Added]
    apart: Mapping[str, frozenset[str]]
    says: Callable[[Performed, int, bool], Telling]
    aired: Collection[str] | None = None
    told: set[str] = field(default_factory=set)

    def at_length(self, problem: Problem) -> bool:
        """Whether the problem is told at length."""
        return problem.reason if self.aired is None else problem.id in self.aired

    def say(self, bank: str) -> bool:
        """Write one sentence of a bank and a space; False where nothing in it fits."""
        choice = self.voice.find(bank)
        if choice is None:
            return False
        draw = self.draw()
        first, second, count, size = choice.table[draw & 31]
        at = (draw >> 5) % size
        self.pen.pieces += (first[at % count], second[at // count], " ")
        return True

    def section(self, heading: str, *banks: str) -> bool:
        """Write a section of one line, a sentence a bank; False if nothing in them fits."""
        pieces = self.pen.pieces
        standing = len(pieces)
        pieces.append(f"{heading}: ")
        for bank in banks:
            self.say(bank)
        if len(pieces) == standing + 1:
            pieces.pop()
            return False
        pieces.append("\n\n")
        return True

    def neutral(self, bank: str, stratum: str) -> None:
        """Write what can be said of any problem of its kind."""
        if not self.say(f"{bank}_{stratum}"):
            self.say(f"{bank}_disease")

    def neutral_plan(self, problem: Problem) -> None:
        """Write a plan that fits any problem of its kind. One of an excerpt orders no tests for
        a symptom: that would leave its cause open."""
        kind = kind_of(problem)
        if self.aired is None or kind != "symptom" or not self.say("calm_plan_symptom"):
            self.neutral("tail_plan", kind)

    def name(self, problem: Problem, *, sided: bool = True) -> str:
        """A noun phrase for the problem, with its side unless that is hidden or not wanted."""
        side = problem.side if sided and problem.hidden != "side" else ""
        names = problem.wording.telling(self.sex, side).names
        return names[(self.draw() * len(names)) >> 32]

    def mention(self, item: Item) -> str:
        """The noun phrase with what the problem's attributes add to it."""
        names = item.telling.names
        name = names[(self.draw() * len(names)) >> 32]
        if not item.problem.attributes:
            return name
        return full_mention(item.problem, name, self.voice, self.draw)

    def lead(self, item: Item) -> None:
        """The sentence that names the problem and says its course or phase of care."""
        problem = item.problem
        bank = lead_bank(problem) if self.aired is None else alike_bank(problem)
        choice = self.voice.need(bank, "lead_acute", "lead_second")
        self.pen.lead(choice.lead(self.draw()), self.mention(item), item.fact)
        self.told.add(problem.id)

    def story(self, item: Item, count: int) -> None:
        """History of the problem; one account of an injury, neutral words for the long tail."""
        problem = item.problem
        if problem.course == "injury":
            if any(add.code.startswith(_EVENTS) for add in problem.adds):
                return  # The external cause has told what happened.
            count = 1
        if problem.base.startswith(_TESTS):
            return
        text = item.part("story", count, self.draw())
        if text:
            self.pen.put(f"{text} ")
        elif not (self.silent & UNRELIABLE and self.say("told_by_others")):
            stratum = problem.wording.stratum
            acute = problem.grave and problem.course != "injury"
            if acute or stratum == "neoplasm":
                stratum = kind_of(problem)
            self.neutral("tail_story", stratum)

    def listed(self, item: Item) -> None:
        """The problem as an item of a list."""
        text = item.part("background", 1, self.draw())
        after = f", {text.rstrip('.')}\n" if text else "\n"
        self.pen.put("- ")
        self.pen.state(upper_first(self.mention(item)), item.fact, after)
        self.told.add(item.problem.id)

    def state_adds(self, prefixes: str | tuple[str, ...] = "") -> None:
        """State the added codes' facts with these prefixes that nothing has stated yet."""
        for add in self.adds:
            if add.id not in self.told and add.code.startswith(prefixes):
                self._state_add(add, " ")

    def state_own_adds(self, problem: Problem, *, events: bool, after: str = " ") -> None:
        """State what comes with the problem right behind it, since the sentences speak of "it":
        the events that brought it about, or all else but drugs and body mass index, which have
        sections of their own."""
        for add in problem.adds:
            fits = add.code.startswith(WITH_LEAD) if events else not add.code.startswith(ELSEWHERE)
            if fits and add.id not in self.told:
                self._state_add(add, after)

    def _state_add(self, add: Added, after: str) -> None:
        self.told.add(add.id)
        text = self.voice.need(f"add:{add.code}").sentence(self.draw())
        self.pen.state(self._in_full(add, text), self.facts[add.id], after)

    def _in_full(self, add: Added, text: str) -> str:
        """The sentence on an added code with what an excerpt says beside it: the phase of care of
        what an event brought about, and that a ward cared for a condition."""
        if self.aired is None:
            return text
        bank = None
        if add.code.startswith(_EVENTS):
            bank = f"event_{self.facts[add.id].attributes.get('phase', '')}"
        elif self.chart.encounter.setting == "inpatient" and not add.code.startswith(_UNCARED):
            bank = "add_managed"
        choice = self.voice.find(bank) if bank else None
        return text if choice is None else f"{text} {choice.sentence(self.draw())}"

    def state_service(self, performed: Performed) -> None:
        """State that a service was done."""
        em = performed.service.em
        # Time counts for a visit without that of other services; say the decision instead.
        busy = em is not None and em.minutes is not None and len(self.chart.services) > 1
        names = self.says(performed, self.sex, busy).names
        text = names[(self.draw() * len(names)) >> 32]
        self.pen.state(text, self.facts[performed.id])
        self.told.add(performed.id)

    def state_relation(self, statement: Statement) -> None:
        """State how facts stand to each other."""
        put_statement(self, statement)
        self.told.add(statement.id)

    def state_reason(self) -> bool:
        """State what the encounter is for, if a statement says so that stands nowhere yet; False
        where none does."""
        for statement in self.chart.statements:
            if statement.place == REASON and statement.id not in self.told:
                self.state_relation(statement)
                return True
        return False

    def finish(self) -> None:
        """State what no section of this style had room for."""
        told = self.told
        for item in self.items:
            if item.problem.id not in told:
                if "phase" in item.problem.attributes:
                    self.lead(item)
                else:
                    self.listed(item)
        if self.adds:
            self.state_adds()
        for performed in self.chart.services:
            if performed.id not in told:
                self.state_service(performed)
        for statement in self.chart.statements:
            if statement.id not in told:
                self.state_relation(statement)
