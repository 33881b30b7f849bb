"""A console for results: plain in a pipe, coloured on a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.console import Console

PIPED = 100  # columns where no terminal tells its own


@contextmanager
def plain_console(widest: int | None = None) -> Iterator[Console]:
    """A console that prints text as it is, without a reading of markup in it.

    It is as wide as the terminal (100 columns in a pipe, or what COLUMNS says), at most
    ``widest``. What it was told is printed at the end, without blanks at the ends of lines.
    """
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal and not os.environ.get("COLUMNS"):
        console.width = PIPED
    if widest is not None:
        console.width = min(console.width, widest)
    with console.capture() as captured:
        yield console
    lines = captured.get().split("\n")
    click.echo("\n".join(line.rstrip(" ") for line in lines), nl=False, color=True)
