"""A person codes a chart excerpt in the terminal."""

from __future__ import annotations

from collections.abc import Callable

from casegen.schemas import InputError
from casegen.schemas.coding_case import CodingCase, GoldCode, WrongCode
from casegen.schemas.coding_play import CodingAction
from casegen.schemas.pack import Task

from ..codes import fold
from ..terminal import LeaveError, Terminal, wrapped
from .case import case_of
from .episode import CodingEpisode
from .grading import quality

MENU = """\
1 primary code    2 secondary codes    3 review flag    4 hint    5 finalize
n excerpt  c codes  d draft  ? help  q quit"""
HELP = """\
Assign the codes that the excerpt calls for. Each act from 1 to 5 takes a step; n, c, d and ? are
free.

1  The code that goes first.
2  All other codes, one after the other with blanks or commas between them; "-" for none.
3  Whether a human coder has to look at the chart.
4  A hint. It costs.
5  Ends the episode with the draft as it stands; it is graded, and the answer is shown.

Codes are named by their number in the list or as they are written. An empty line goes back."""


class Person:
    """One case at a terminal, from the first look to the grade."""

    def __init__(self, task: Task, terminal: Terminal) -> None:
        self._task = task
        self._terminal = terminal
        self._episode = CodingEpisode(task, "play")
        self._seen = self._episode.start()

    def play(self) -> None:
        """Play to the end, or until the person leaves."""
        seen = self._seen
        self._terminal.say(f"Coding {seen.task_id} ({seen.difficulty}), {seen.max_steps} steps")
        self._terminal.say(wrapped(f"Objective: {seen.objective}"))
        self._excerpt()
        self._codes()
        try:
            while not self._seen.done:
                self._turn()
        except LeaveError:
            self._terminal.say("\nLeft before the end; nothing is graded.")
            return
        finally:
            self._episode.close()
        self._grade()

    def _turn(self) -> None:
        self._terminal.say(f"\n{MENU}")
        choice = self._terminal.ask(f"{self._seen.attempts_remaining} steps left").lower()
        if choice == "q":
            raise LeaveError
        free: dict[str, Callable[[], None]] = {
            "n": self._excerpt, "c": self._codes, "d": self._draft,
            "?": lambda: self._terminal.say(HELP),
        }  # fmt: skip
        acts: dict[str, Callable[[], CodingAction | None]] = {
            "1": self._primary, "2": self._secondary, "3": self._review,
            "4": lambda: CodingAction(request_hint=True),
            "5": lambda: CodingAction(finalize=True),
        }  # fmt: skip
        if choice in free:
            free[choice]()
        elif choice in acts:
            act = acts[choice]()
            if act is not None:
                self._do(act)
        else:
            self._terminal.say("One of the numbers or letters above; ? explains them.")

    def _do(self, act: CodingAction) -> None:
        try:
            seen = self._seen = self._episode.step(act)
        except InputError as error:  # what was typed is no code at all; it takes no step
            self._terminal.say(f"Not done: {error}")
            return
        if seen.last_action_error:
            self._terminal.say(f"Not done: {seen.last_action_error}")
        elif act.request_hint:
            self._terminal.say(wrapped(f"Hint: {seen.revealed_hints[-1]}"))
        if not seen.done:
            self._draft()
            for line in seen.grader_feedback or ():
                self._terminal.say(line)

    # --- acts

    def _primary(self) -> CodingAction | None:
        given = self._terminal.ask("Primary code (number or code)")
        return CodingAction(primary_code=self._named(given)) if given else None

    def _secondary(self) -> CodingAction | None:
        given = self._terminal.ask("Secondary codes (- for none)")
        if not given:
            return None
        named = (
            [] if given == "-" else [self._named(one) for one in given.replace(",", " ").split()]
        )
        return CodingAction(secondary_codes=named)

    def _review(self) -> CodingAction | None:
        given = self._terminal.choose("Review", ("not needed", "needed"))
        return None if given is None else CodingAction(needs_review=given == "needed")

    def _named(self, given: str) -> str:
        """The code of that number in the list, else what was given, as the episode will judge."""
        codes = self._seen.allowed_codes
        if given.isascii() and given.isdigit() and 0 < int(given) <= len(codes):
            return codes[int(given) - 1]
        return given

    # --- what is shown

    def _excerpt(self) -> None:
        self._terminal.say(f"\nCHART EXCERPT\n\n{wrapped(self._seen.encounter_text.rstrip())}")

    def _codes(self) -> None:
        self._terminal.say("\nALLOWED CODES\n")
        for number, (code, title) in enumerate(self._seen.code_titles.items(), 1):
            self._terminal.say(wrapped(f"{number:>3}  {code:<9} {title}"))

    def _draft(self) -> None:
        seen = self._seen
        secondary = ", ".join(seen.current_secondary_codes) or "none"
        self._terminal.say(
            f"Draft: primary {seen.current_primary_code or 'none'}; secondary {secondary}; "
            f"review {'needed' if seen.current_needs_review else 'not needed'}"
        )

    def _grade(self) -> None:
        case, seen = case_of(self._task), self._seen
        self._terminal.say(f"\nScore {seen.grader_score or 0:.2f} after {seen.step_count} steps.")
        drafted = [seen.current_primary_code, *seen.current_secondary_codes]
        for number, gold in enumerate(case.gold()):
            self._answer("Primary" if number == 0 else "Secondary", gold, drafted)
        for code in dict.fromkeys(filter(None, drafted)):
            if not any(quality(gold, code) for gold in case.gold()):
                self._extra(case, code)
        self._flag(case, seen.current_needs_review)
        if self._task.reference_note:
            self._terminal.say(wrapped(f"\nNote on this task: {self._task.reference_note}"))

    def _answer(self, place: str, gold: GoldCode, drafted: list[str]) -> None:
        found = any(quality(gold, code) for code in drafted if code)
        self._terminal.say(f"\n{'Found' if found else 'Missed'}: {place.lower()} {gold.code}")
        self._because(gold)

    def _because(self, one: GoldCode | WrongCode) -> None:
        self._terminal.say(wrapped(one.reason, "  "))
        authority = f"{one.authority.reference} ({one.authority.edition})"
        self._terminal.say(wrapped(f"Authority: {authority}", "  "))

    def _extra(self, case: CodingCase, code: str) -> None:
        self._terminal.say(f"\nNot called for: {code}")
        for wrong in case.wrong:
            if fold(wrong.code) == fold(code):
                self._because(wrong)

    def _flag(self, case: CodingCase, given: bool) -> None:
        told = "right" if given == case.needs_review else "not right"
        self._terminal.say(f"\nReview flag: {told}")
        if case.review is not None:
            self._terminal.say(wrapped(case.review.reason, "  "))


def play_person(task: Task, terminal: Terminal) -> None:
    """Let a person play a task."""
    Person(task, terminal).play()
