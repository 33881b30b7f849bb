"""``casegen generate FAMILY``: certified cases from a seed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click

from casegen.schemas import InputError

from ..config import DIFFICULTIES, LARGEST_SEED, SETTINGS, SPLITS
from ..families import FAMILIES, make
from .output import target


class Bar(Protocol):
    """What the loop needs of a progress bar."""

    def update(self, steps: int) -> None:
        """``steps`` more cases are done."""


class _Silent:
    def update(self, steps: int) -> None:
        """Nothing is shown in a pipe."""


@contextmanager
def progress(total: int | None, label: str) -> Iterator[Bar]:
    """A progress bar on a terminal's standard error, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield _Silent()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as shown:
        task = shown.add_task(label, total=total)

        class _Shown:
            def update(self, steps: int) -> None:
                shown.update(task, advance=steps)

        yield _Shown()


@click.command()
@click.argument("family")
@click.option("-n", "--number", type=int, required=True, help="How many cases, 1 or more.")
@click.option("--seed", type=int, default=0, show_default=True, help=f"0 to {LARGEST_SEED}.")
@click.option("--split", default="train", show_default=True, help=f"One of {', '.join(SPLITS)}.")
@click.option("--start", type=int, default=0, show_default=True, help="Index of the first case.")
@click.option("--difficulty", default=None, help=f"One of {', '.join(DIFFICULTIES)}; default a mix.")
@click.option("--clean", type=float, default=0.1, show_default=True, help="Share without errors.")
@click.option("--setting", multiple=True, help=f"One or more of {', '.join(SETTINGS)}.")
@click.option("-o", "--output", default="-", show_default=True, help="FILE.jsonl, FILE.jsonl.gz or -.")
def command(
    family: str,
    number: int,
    seed: int,
    split: str,
    start: int,
    difficulty: str | None,
    clean: float,
    setting: tuple[str, ...],
    output: str,
) -> None:
    """Write N certified cases of FAMILY as JSON lines."""
    from casegen.schemas.serial import case_line

    if family not in FAMILIES:
        raise InputError("family", family, f"one of {', '.join(FAMILIES)}")
    if number < 1:
        raise InputError("number", number, "a whole number of 1 or more")
    if start < 0:
        raise InputError("start", start, "a whole number of 0 or more")
    settings = {"settings": setting} if setting else {}
    generator = make(
        FAMILIES[family], seed=seed, split=split, difficulty=difficulty, clean=clean, **settings
    )
    with target(output) as stream, progress(number, f"{family} cases") as bar:
        for done, case in enumerate(generator.cases(start, number), 1):
            stream.write(case_line(case))
            if done % 50 == 0 or done == number:
                bar.update((done - 1) % 50 + 1)
    if output != "-":
        again = sum(generator.redraws.values())
        print(
            f"{number} certified cases in {output} ({again} draws given up)", file=sys.stderr
        )
