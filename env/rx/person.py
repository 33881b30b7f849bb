"""A person validates a prescription in the terminal."""

from __future__ import annotations

from collections.abc import Callable

from casegen.schemas import InputError
from casegen.schemas.pack import Task
from casegen.schemas.rx_case import RxAuthority
from casegen.schemas.rx_play import RxAction, RxObservation

from ..terminal import LeaveError, Terminal, wrapped
from .acts import RECOMMENDATIONS, REQUEST, SUBMIT
from .case import FIELDS, LOOKED_FOR, UNSAFE_DOSE, case_of, ground
from .episode import RxEpisode
from .written import Fields, looked_for, patient, prescription, record

MENU = """\
1 allergies    2 medications    3 conditions    4 all of the record    5 submit
p prescription  r record as far as it is shown  ? help  q quit"""
HELP = """\
Say what is wrong with the prescription. Each act from 1 to 5 takes a step; p, r and ? are free.

1-4  Shows that part of the record.
5    Asks for your answer, which ends the episode; it is graded, and the right one is shown.

A conflict is named as a pair A-B: warfarin-aspirin, penicillin-amoxicillin,
kidney_disease-metformin, egfr-metformin, pregnancy-warfarin. An empty line goes back."""
_ASKS = {"1": "allergies", "2": "medications", "3": "conditions", "4": "full_profile"}
_TITLES = {
    "interaction": "Interactions",
    "allergy": "Allergy conflicts",
    "contraindication": "Contraindications",
}


class Person:
    """One case at a terminal, from the first look to the grade."""

    def __init__(self, task: Task, terminal: Terminal) -> None:
        self._task = task
        self._terminal = terminal
        self._episode = RxEpisode(task, "play")
        self._seen = self._episode.start()

    def play(self) -> None:
        """Play to the end, or until the person leaves."""
        seen = self._seen
        self._terminal.say(f"Prescription {seen.task_id} ({seen.difficulty}), {seen.task}")
        self._terminal.say(f"Look for: {looked_for(seen.task)}. {seen.max_steps} steps.")
        self._prescription()
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
        choice = self._terminal.ask(f"{self._seen.steps_remaining} steps left").lower()
        if choice == "q":
            raise LeaveError
        free: dict[str, Callable[[], None]] = {
            "p": self._prescription,
            "r": self._record,
            "?": lambda: self._terminal.say(HELP),
        }
        if choice in free:
            free[choice]()
        elif choice in _ASKS:
            self._do(RxAction(REQUEST, _ASKS[choice]))
            if not self._seen.done:
                self._record()
        elif choice == "5":
            act = self._answer()
            if act is not None:
                self._do(act)
        else:
            self._terminal.say("One of the numbers or letters above; ? explains them.")

    def _do(self, act: RxAction) -> None:
        try:
            seen = self._seen = self._episode.step(act)
        except InputError as error:  # what was typed is no answer at all; it takes no step
            self._terminal.say(f"Not done: {error}")
            return
        if seen.last_action_error:
            self._terminal.say(f"Not done: {seen.last_action_error}")

    def _answer(self) -> RxAction | None:
        terminal = self._terminal
        dose = terminal.choose("Is the dose safe", ("yes", "no"))
        if dose is None:
            return None
        named = {}
        for part in LOOKED_FOR[self._seen.task]:
            given = terminal.ask(f"{_TITLES[part]}, with commas between (- for none)")
            if not given:
                return None
            names = [] if given == "-" else [one.strip() for one in given.split(",")]
            named[FIELDS[part]] = [name for name in names if name]
        word = terminal.choose("Recommendation", RECOMMENDATIONS)
        if word is None:
            return None
        return RxAction(SUBMIT, dosage_safe=dose == "yes", recommendation=word, **named)  # type: ignore[arg-type]

    # --- what is shown

    def _prescription(self) -> None:
        seen = Fields(self._seen)
        self._terminal.say(f"\n{wrapped(patient(seen))}\n{wrapped(prescription(seen))}")

    def _record(self) -> None:
        told = record(Fields(self._seen))
        self._terminal.say("\n" + "\n".join(map(wrapped, told)) if told else "\nNothing is shown.")

    def _grade(self) -> None:
        case, seen, say = case_of(self._task), self._seen, self._terminal.say
        say(f"\nScore {seen.grader_score or 0:.2f} after {seen.step_count} steps.")
        say(wrapped(f"Right is {case.recommendation}: {ground(case)}"))
        for one in case.findings:
            name = UNSAFE_DOSE if one.component == "dose" else one.names[0]
            say(f"\n{'Found' if self._found(seen, name) else 'Missed'}: {name}")
            self._because(one.reason, one.authority)
        for decoy in case.decoys:
            say(f"\nNo finding: {decoy.names[0] if decoy.names else decoy.pair[-1]}")
            self._because(decoy.reason, decoy.authority)
        if self._task.reference_note:
            say(wrapped(f"\nNote on this task: {self._task.reference_note}"))

    def _found(self, seen: RxObservation, name: str) -> bool:
        return name in (seen.issues_found_correctly or ())

    def _because(self, reason: str, authorities: list[RxAuthority]) -> None:
        self._terminal.say(wrapped(reason, "  "))
        for one in authorities:
            told = f"Authority: {one.source} {one.reference}, {one.section}"
            self._terminal.say(wrapped(told, "  "))


def play_person(task: Task, terminal: Terminal) -> None:
    """Let a person play a task."""
    Person(task, terminal).play()
