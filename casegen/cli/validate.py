"""``casegen validate FILE``: schema first, then truth."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click
import orjson

from casegen.schemas import InputError
from casegen.schemas.errors import printable

from .command import Command
from .family import family
from .progress import progress, watched
from .source import count_lines, lines_of, shown_name
from .words import counted

_STEP = 25


@click.command(cls=Command)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--remake",
    is_flag=True,
    help="Make each case anew from its own recipe and compare all of it.",
)
@click.option(
    "--tables", default=None, help="Only cases of this imported set; else of the set they name."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(files: tuple[str, ...], remake: bool, tables: str | None, as_json: bool) -> None:
    """Check every case of each FILE (or -).

    Each must fit the JSON Schema, its content hash and its note, and an independent checker
    must come to its answer. The first fault ends it, named with line and field.

    "Certified" means that the answer (the findings of a claim) is right against the case's own
    record of facts. That note, record and answers are the generator's, and not a careful forger's,
    only --remake tells: it makes each case anew by its family, seed, index and options.
    """
    for file in files:
        _one(file, remake, tables, as_json)


def _one(file: str, remake: bool, tables: str | None, as_json: bool) -> None:
    shown = shown_name(file)
    try:
        count, certified = _validate(file, shown, remake, tables)
    except InputError as error:
        if as_json:
            _print({"file": shown, "valid": False, "line": error.line, "field": error.field,
                    "fault": error.mend})  # fmt: skip
        raise
    if as_json:
        _print({"file": shown, "valid": True, "cases": count, **certified})
    else:
        how = " and remade" if remake else ""
        answers = " and ".join(counted(number, noun) for noun, number in certified.items())
        told = f"{counted(count, 'cases')} valid{how}, {answers} certified"
        click.echo(f"{printable(shown)}: {told}")


def _validate(file: str, shown: str, remake: bool, tables: str | None) -> tuple[int, Counter[str]]:
    """How many cases the file holds, and what was certified, each with its number. Raises
    InputError at the first fault."""
    from .examine import Examiner

    examiner: Examiner | None = None
    count = 0
    certified: Counter[str] = Counter()
    total = count_lines(file) if watched() else None
    with progress(total, "cases checked") as bar:
        for number, data in lines_of(file):
            if examiner is None:  # not before there is something to check
                examiner = Examiner(remake=remake, tables=tables)
            case = examiner.examine(data, shown, number)
            count += 1
            own = family(case.family)
            certified[own.noun] += own.size(case)
            if count % _STEP == 0:
                bar.update(_STEP)
        bar.update(count % _STEP)
    return count, certified


def _print(facts: dict[str, Any]) -> None:
    click.echo(orjson.dumps(facts).decode())
