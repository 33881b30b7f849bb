"""``casegen show FILE[#i]``: one case as a person reads it."""

from __future__ import annotations

import re
from pathlib import Path

import click
from rich.console import Console

from casegen.schemas import InputError
from casegen.schemas.anycase import AnyCase
from casegen.schemas.serial import case_from, case_line

from .command import Command
from .console import plain_console
from .family import family
from .source import lines_of, shown_name

# Prose gets hard to read in longer lines; a pipe has no width and gets the usual one.
WIDEST = 110


def find_case(place: str) -> AnyCase:
    """The case at ``FILE#i`` (from 0; the first one without ``#i``). Raises InputError."""
    name, index = place, 0
    match = re.fullmatch(r"(.+)#([^#/]*)", place)
    if match and not Path(place).exists():
        name = match[1]
        if not re.fullmatch(r"[0-9]{1,18}", match[2]):
            raise InputError("file", place, "after # stands a whole number of 0 or more")
        index = int(match[2])
    count = 0
    for count, (number, data) in enumerate(lines_of(name), 1):
        if count == index + 1:
            return case_from(data, path=shown_name(name), line=number)
    last = "0 alone" if count == 1 else f"0 to {count - 1}"
    raise InputError("file", place, f"there is no case {index}; the file holds cases {last}")


@click.command(cls=Command)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print the case as one JSON object.")
def command(file: str, as_json: bool) -> None:
    """Show a case of FILE (FILE#3 for the fourth): the note with its evidence marked, and the
    answer: of an audit the claim, the findings, decoys and questions."""
    case = find_case(file)
    if as_json:
        click.echo(case_line(case).decode(), nl=False)
    else:
        with plain_console(WIDEST) as console:
            show_case(case, console)


def show_case(case: AnyCase, console: Console) -> None:
    """Print a case to a console."""
    family(case.family).show(case, console)
