"""Questions to a person at a terminal, or to a pipe that answers in their place."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from shutil import get_terminal_size

import click

from casegen.schemas.errors import printable

WIDEST = 100


class LeaveError(Exception):
    """The person wants to go, or there is nothing more to read."""


class Terminal:
    """Says and asks. Nothing that is said may steer the terminal."""

    def say(self, text: str = "") -> None:
        """Print lines."""
        click.echo(printable(text, keep="\n"))

    def ask(self, prompt: str) -> str:
        """One line, without blanks around it. Raises LeaveError at the end of the input."""
        click.echo(f"{prompt}> ", nl=False)
        sys.stdout.flush()
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not sys.stdin or not sys.stdin.isatty():
            click.echo(printable(line.rstrip("\n")))  # so that a log reads like a terminal
        if not line:
            raise LeaveError
        return line.strip()

    def choose(self, prompt: str, options: Sequence[str]) -> str | None:
        """One of ``options`` by its number or its text; None for an empty line."""
        for number, option in enumerate(options, 1):
            self.say(f"  {number}  {option}")
        while True:
            given = self.ask(prompt)
            if not given:
                return None
            if given.isdecimal() and 1 <= int(given[:9]) <= len(options):
                return options[int(given[:9]) - 1]
            if given in options:
                return given
            self.say(f"A number from 1 to {len(options)}, or an empty line to go back.")


def wrapped(text: str, indent: str = "") -> str:
    """Text in lines that fit; its own ends of lines are kept, and what runs over is set in."""
    return "\n".join(_folded(line, indent) for line in text.split("\n"))


def _folded(line: str, indent: str) -> str:
    own = indent + line[: len(line) - len(line.lstrip(" "))]
    rest = own if indent else own + "  " * line.startswith(" ")
    return "\n".join(
        textwrap.wrap(
            line.strip(" "), _width(), initial_indent=own, subsequent_indent=rest,
            break_long_words=False, break_on_hyphens=False,
        )
    )  # fmt: skip


def _width() -> int:
    return max(40, min(WIDEST, get_terminal_size().columns))
