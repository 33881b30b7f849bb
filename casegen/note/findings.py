"""The sections of what was found: systems, vital signs, examination, results."""

from __future__ import annotations

from .denied import is_denied, without_denials
from .page import Page
from .pen import upper_first

EXAM_SYSTEMS = (
    "constitutional", "eyes", "ent", "cardiovascular", "respiratory", "gastrointestinal",
    "musculoskeletal", "skin", "neurologic", "psychiatric", "genitourinary",
)  # fmt: skip
ROS_SYSTEMS = (
    "constitutional", "eyes", "ent", "cardiovascular", "respiratory", "gastrointestinal",
    "genitourinary", "musculoskeletal", "skin", "neurologic", "psychiatric", "endocrine",
    "hematologic",
)  # fmt: skip
_VITALS = ("circulation", "breathing", "temperature")


def _normal(page: Page, prefix: str, systems: tuple[str, ...], shown: int) -> None:
    """Normal findings in systems that no problem touches, a sentence each."""
    touched = page.touched
    free = [c for system, c in page.voice.series(prefix, systems) if system not in touched]
    count = len(free)
    if not count:
        return
    draw = page.draw
    pieces = page.pen.pieces
    start = (draw() * count) >> 32
    for i in range(start, start + (shown if shown < count else count)):
        word = draw()
        first, second, half, size = free[i % count].table[word & 31]
        at = (word >> 5) % size
        sentence = first[at % half] + second[at // half]
        if not is_denied(sentence, page.chart.problems):
            pieces += (sentence, " ")


def ros(page: Page, heading: str) -> None:
    """Denials in the systems that no problem touches."""
    pieces = page.pen.pieces
    standing = len(pieces)
    pieces.append(f"{heading}\n")
    _normal(page, "ros", ROS_SYSTEMS, 1 + page.detail)
    if len(pieces) > standing + 1:
        pieces.append("\n\n")
    else:
        pieces.pop()


def vitals(page: Page, heading: str) -> None:
    """Vital signs that no problem speaks of, and the body mass index where it is coded."""
    spoken: frozenset[str] = frozenset()
    for item in page.items:
        if item.problem.wording.vitals:
            spoken |= item.problem.wording.vitals
    banks = [f"vitals_{part}" for part in _VITALS if part not in spoken] if spoken else ["vitals"]
    weighed = any(add.code.startswith("Z68") for add in page.adds)
    if weighed:
        put = page.pen.put
        put(f"{heading}: ")
        for bank in banks:
            page.say(bank)
        page.state_adds("Z68")
        put("\n\n")
    else:
        page.section(heading, *banks)


def exam(page: Page, heading: str) -> None:
    """Normal findings in the systems that no problem touches, and those of the problems."""
    pieces, put = page.pen.pieces, page.pen.put
    standing = len(pieces)
    put(f"{heading}\n")
    _normal(page, "exam", EXAM_SYSTEMS, 2 + page.detail)
    for item in page.items:
        problem = item.problem
        if problem.wording.exam:
            # Findings that a scenario brings are alternatives, like its stories.
            several = page.at_length(problem) and problem.chapter_data
            text = item.part("exam", 2 if several else 1, page.draw())
            text = without_denials(text, problem, page.chart.problems)
            if text:
                put(f"{text} ")
        elif page.at_length(problem):
            # What brings the patient is looked at, whoever knows no findings of it.
            own = "injury" if problem.course == "injury" else problem.system
            page.say(f"found_{own}")
    if len(pieces) > standing + 1:
        put("\n\n")
    else:
        pieces.pop()


def results(page: Page, heading: str) -> None:
    """Results of the problems that have any."""
    problems = page.chart.problems
    told = [
        without_denials(item.part("results", 1, page.draw()), item.problem, problems)
        for item in page.items
        if item.problem.wording.results
    ]
    lines = [upper_first(text) for text in told if text]
    if lines:
        shown = "\n".join(lines)
        page.pen.put(f"{heading}\n{shown}\n\n")
