"""``casegen generate FAMILY``: certified cases from a seed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from casegen.schemas import InputError
from casegen.schemas.errors import printable

from ..config import DIFFICULTIES, FIRST_DATE, LARGEST_SEED, LAST_DATE, SETTINGS, SPLITS, STREAM
from .command import Command
from .kinds import Number, OneOf, Whole
from .output import target
from .progress import progress
from .tables import tables_option
from .words import counted

if TYPE_CHECKING:
    from casegen.schemas.anycase import AnyCase

# What is written can be played: a case with a higher index is none of a stream.
LARGEST_INDEX = STREAM - 1
# Options that only some families have, each with the setting that it names.
_OWN = {"clean": "clean", "siblings": "sibling", "review": "review", "safe": "safe"}
_STEP = 25  # cases between two movements of the bar
_WITHIN = "within that window, or within the time of imported tables"


@click.command(cls=Command)
@click.argument("family")
@click.option(
    "-n",
    "--number",
    type=Whole(1, LARGEST_INDEX + 1),
    required=True,
    help="How many cases, 1 or more.",
)
@click.option(
    "--seed",
    type=Whole(0, LARGEST_SEED),
    default=0,
    show_default=True,
    help=f"0 to {LARGEST_SEED}.",
)
@click.option(
    "--split",
    type=OneOf(SPLITS),
    default="train",
    show_default=True,
    help=f"One of {', '.join(SPLITS)}.",
)
@click.option(
    "--start",
    type=Whole(0, LARGEST_INDEX),
    default=0,
    show_default=True,
    help="Index of the first case.",
)
@click.option(
    "--difficulty",
    type=OneOf(DIFFICULTIES),
    help=f"One of {', '.join(DIFFICULTIES)}; a mix without it.",
)
@click.option(
    "--clean",
    type=Number(0, 1, "a share from 0 to 1"),
    default=0.1,
    show_default=True,
    help="Share without errors.",
)
@click.option(
    "--setting",
    type=OneOf(SETTINGS),
    multiple=True,
    help=f"Any of {', '.join(SETTINGS)}; may be given again.",
)
@click.option(
    "--first-date", default=FIRST_DATE, show_default=True, help=f"First encounter; {_WITHIN}."
)
@click.option(
    "--last-date", default=LAST_DATE, show_default=True, help=f"Last encounter; {_WITHIN}."
)
@tables_option
@click.option(
    "--siblings",
    is_flag=True,
    help="After each case the same claim beside a record in which one fact is turned.",
)
@click.option(
    "--review",
    type=Number(0, 1, "a share from 0 to 1"),
    help="Of coding: share that a person has to look at; a mix without it.",
)
@click.option(
    "--safe",
    type=Number(0, 1, "a share from 0 to 1"),
    default=0.27,
    show_default=True,
    help="Of rx: share of prescriptions with which nothing is wrong.",
)
@click.option(
    "--format", "form", default="jsonl", show_default=True,
    help="jsonl; of coding also csv, a table for learners.",
)  # fmt: skip
@click.option(
    "--rows", default="statements", show_default=True,
    help="Of csv: statements, a row for each code of the answer, or notes, one for each case.",
)  # fmt: skip
@click.option(
    "-o",
    "--output",
    default="-",
    show_default=True,
    help="FILE.jsonl or FILE.csv, with .gz or without, - or a pipe or device.",
)
def command(
    family: str,
    number: int,
    seed: int,
    split: str,
    start: int,
    difficulty: str | None,
    clean: float,
    setting: tuple[str, ...],
    first_date: str,
    last_date: str,
    tables: str,
    siblings: bool,
    review: float | None,
    safe: float,
    form: str,
    rows: str,
    output: str,
) -> None:
    """Write certified cases of FAMILY (audit, coding or rx, or an id such as audit-v0) as JSON
    lines.

    A case is fixed by family, split, seed, index and options alone: -n 10 --start 20 gives
    the last ten of -n 30. --clean and --siblings go with audit, --safe with rx, --review with
    coding, and so does --format csv, of which casegen learn can learn.
    """
    from ..families import CONFIGS, FAMILIES, family_id, make
    from .forms import form_of

    name = family_id(family)
    if name is None:
        raise InputError("family", family, f"one of {', '.join(FAMILIES)}")
    if start + number - 1 > LARGEST_INDEX:
        most = LARGEST_INDEX + 1 - number
        told = f"the last index would be above {LARGEST_INDEX}; {most} at most"
        raise InputError("--start", start, told)
    options: dict[str, Any] = {
        "difficulty": difficulty,
        "first_date": first_date,
        "last_date": last_date,
        "tables": tables,
    }
    if setting and "settings" not in CONFIGS[name].__dataclass_fields__:
        raise InputError("--setting", setting[0], f"leave it out; {name} has no such option")
    if setting:
        options["settings"] = tuple(dict.fromkeys(setting))
    options |= _own(name, {"clean": clean, "siblings": siblings, "review": review, "safe": safe})
    written = form_of(form, rows if _is_given("rows") else None, name, output)
    # Where the cases themselves go to the terminal, a bar would stand between them.
    quiet = output == "-" and sys.stdout is not None and sys.stdout.isatty()
    # The target first: who can't write there should not wait for the tables.
    with target(output, written.endings, written.what) as stream:
        generator = make(name, seed=seed, split=split, **options)
        _tell_left_out(generator.world.left_out, tables)
        stream.write(written.head)
        with progress(number, f"{family} cases", quiet=quiet) as bar:
            for done, cases in enumerate(_drawn(generator, start, number, siblings), 1):
                for case in cases:
                    stream.write(written.lines(case))
                if done % _STEP == 0:
                    bar.update(_STEP)
            bar.update(number % _STEP)
    if output != "-":
        again = sum(generator.redraws.values())
        what = counted(number, "certified cases")
        what += (", each with its sibling," if number > 1 else " with its sibling") * siblings
        told = f"casegen: {what} in {printable(output)} ({counted(again, 'redraws')})"
        print(told, file=sys.stderr)


def _own(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of options that only some families have. Raises InputError for one that was
    given and is none of this family."""
    from ..families import CONFIGS

    found: dict[str, Any] = {}
    for option, value in values.items():
        if _OWN[option] in CONFIGS[name].__dataclass_fields__:
            if value not in (None, False):
                found[_OWN[option]] = "first" if value is True else value
        elif _is_given(option):
            told = None if value is True else value
            raise InputError(f"--{option}", told, f"leave it out; {name} has no such option")
    return found


def _is_given(option: str) -> bool:
    """Whether the user gave the option."""
    source = click.get_current_context().get_parameter_source(option)
    return source is ParameterSource.COMMANDLINE


def _tell_left_out(left_out: Mapping[str, int], tables: str) -> None:
    """Say on standard error what the imported tables don't bear out and cases go without."""
    if left_out:
        told = ", ".join(counted(number, kind) for kind, number in left_out.items())
        text = f"casegen: cases go without {told}, of which the tables {tables} say something else"
        print(printable(text), file=sys.stderr)


def _drawn(
    generator: Any, start: int, number: int, siblings: bool
) -> Iterator[tuple[AnyCase, ...]]:
    if siblings:
        yield from generator.pairs(start, number)
    else:
        for case in generator.cases(start, number):
            yield (case,)
