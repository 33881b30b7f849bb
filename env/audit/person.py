"""A person plays an audit in the terminal."""

from __future__ import annotations

from collections.abc import Callable

from casegen.cli.console import plain_console
from casegen.schemas import Finding
from casegen.schemas.errors import printable
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation

from ..codes import fold
from ..terminal import WIDEST, LeaveError, Terminal, wrapped
from .acts import ERROR_TYPES
from .agents.script import ask, check, extract, flag, query, submit
from .case import case_of
from .episode import AuditEpisode
from .prompt import claim_lines

MENU = """\
1 look up a code    2 check a pair    3 flag an error    4 ask the physician
5 mark a passage    6 hand in         n note  c claim  d draft  ? help  q quit"""
HELP = """\
Find the errors on the claim. Each act from 1 to 6 takes a step; n, c, d and ? are free.

1  What the official tables say of a code.
2  Whether an NCCI edit keeps two services apart.
3  Puts an error into the draft: a code, the kind of error, and why.
4  A short question to the physician, where the note leaves something open.
5  Keeps words of the note as evidence; type them as they stand.
6  Hands in the draft; it is graded, and the answer is shown.

Codes are named by their line on the claim. An empty line goes back to the menu."""


class Person:
    """One audit at a terminal, from the first look to the grade."""

    def __init__(self, task: Task, terminal: Terminal) -> None:
        self._task = task
        self._terminal = terminal
        self._episode = AuditEpisode(task, "play")
        self._seen = self._episode.start()

    def play(self) -> None:
        """Play to the end, or until the person leaves."""
        seen = self._seen
        self._terminal.say(f"Audit {seen.task_id} ({seen.difficulty}), {seen.max_steps} steps")
        self._case()
        self._note()
        self._claim()
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
        left = self._seen.max_steps - self._seen.step_count
        self._terminal.say(f"\n{MENU}")
        choice = self._terminal.ask(f"{left} steps left").lower()
        if choice == "q":
            raise LeaveError
        free: dict[str, Callable[[], None]] = {
            "n": self._note, "c": self._claim, "d": self._draft, "?": self._help,
        }  # fmt: skip
        acts: dict[str, Callable[[], AuditAction | None]] = {
            "1": self._query, "2": self._check, "3": self._flag, "4": self._question,
            "5": self._passage, "6": submit,
        }  # fmt: skip
        if choice in free:
            free[choice]()
        elif choice in acts:
            act = acts[choice]()
            if act is not None:
                self._do(act)
        else:
            self._terminal.say("One of the numbers or letters above; ? explains them.")

    def _do(self, act: AuditAction) -> None:
        self._seen = self._episode.step(act)
        if self._seen.last_action_error:
            self._terminal.say(f"Not done: {self._seen.last_action_error}")
        if self._seen.tool_result:
            self._terminal.say(wrapped(self._seen.tool_result))

    # --- acts

    def _code(self, prompt: str) -> str | None:
        lines = self._seen.claim_lines
        while True:
            given = self._terminal.ask(f"{prompt} (line or code)")
            if not given:
                return None
            for line in lines:
                if given == str(line["line"]) or fold(given) == fold(line["code"]):
                    code: str = line["code"]
                    return code
            self._terminal.say(f"A line from 1 to {len(lines)}, or an empty line to go back.")

    def _query(self) -> AuditAction | None:
        code = self._code("Which code")
        return None if code is None else query(code)

    def _check(self) -> AuditAction | None:
        first = self._code("First code")
        second = None if first is None else self._code("Second code")
        return None if first is None or second is None else check(first, second)

    def _flag(self) -> AuditAction | None:
        code = self._code("Which code is in error")
        kind = None if code is None else self._terminal.choose("Which error", ERROR_TYPES)
        if code is None or kind is None:
            return None
        why = self._terminal.ask("Why")
        if not why:
            return None
        suggested = self._terminal.ask("What should stand there (may be empty)")
        return flag(code, kind, why, suggested or None)

    def _question(self) -> AuditAction | None:
        question = self._terminal.ask("Your question")
        return ask(question) if question else None

    def _passage(self) -> AuditAction | None:
        words = self._terminal.ask("Words of the note")
        return extract(words) if words else None

    # --- what is shown

    def _help(self) -> None:
        self._terminal.say(HELP)

    def _case(self) -> None:
        for title, facts in (
            ("Patient", self._seen.patient_demographics),
            ("Encounter", self._seen.encounter),
        ):
            told = (f"{k.replace('_', ' ')} {v}" for k, v in facts.items() if v is not None)
            self._terminal.say(wrapped(f"{title}: {', '.join(told)}"))

    def _note(self) -> None:
        self._terminal.say(f"\nNOTE\n\n{wrapped(self._seen.clinical_note.rstrip())}")

    def _claim(self) -> None:
        from rich.table import Table

        modified = any(line["modifiers"] for line in self._seen.claim_lines)
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in ("line", "code", *(["modifiers"] if modified else []), "units", "system"):
            table.add_column(name, no_wrap=True)
        table.add_column("description", overflow="fold")
        for line in claim_lines(self._seen):
            cells = [str(line["line"]), line["code"]]
            cells += [" ".join(line["modifiers"])] if modified else []
            cells += [str(line["units"]), line["code_type"], line["description"]]
            table.add_row(*map(printable, cells))
        self._terminal.say("\nPROPOSED CLAIM\n")
        with plain_console(WIDEST) as console:
            console.print(table)

    def _draft(self) -> None:
        if not self._seen.draft_report:
            self._terminal.say("The draft is empty.")
        for entry in self._seen.draft_report:
            told = f"{entry['code']}: {entry['error_type']}: {entry['justification']}"
            self._terminal.say(wrapped(told))

    def _grade(self) -> None:
        case, seen = case_of(self._task), self._seen
        score = seen.grader_score or 0.0
        self._terminal.say(f"\nScore {score:.2f} after {seen.step_count} steps.")
        if not case.findings:
            self._terminal.say("\nThe claim is right as it stands.")
        for finding in case.findings:
            self._terminal.say(f"\n{_verdict(finding, seen)}")
            authority = f"{finding.authority.reference} ({finding.authority.edition})"
            self._terminal.say(wrapped(finding.explanation, "  "))
            self._terminal.say(wrapped(f"Authority: {authority}", "  "))
        for entry in seen.draft_report:
            if not any(_names(entry, finding) for finding in case.findings):
                told = f"Not an error: {entry['code']}, {entry['error_type']}"
                reasons = [d.reason for d in case.decoys if fold(d.code) == fold(entry["code"])]
                self._terminal.say(f"\n{told}")
                for reason in reasons:
                    self._terminal.say(wrapped(reason, "  "))
        if self._task.reference_note:
            self._terminal.say(wrapped(f"\nNote on this task: {self._task.reference_note}"))


def play_person(task: Task, terminal: Terminal) -> None:
    """Let a person play a task."""
    Person(task, terminal).play()


def _names(entry: dict[str, object], finding: Finding) -> bool:
    codes = {fold(code) for code in finding.accepted_codes}
    named = fold(str(entry["code"])) in codes
    return named and entry["error_type"] in finding.accepted_error_types


def _verdict(finding: Finding, seen: AuditObservation) -> str:
    found = any(_names(entry, finding) for entry in seen.draft_report)
    pair = f" with {finding.related_code}" if finding.related_code else ""
    told = "Found" if found else "Missed"
    return f"{told}: line {finding.line}, {finding.code}{pair}: {finding.error_type}"
