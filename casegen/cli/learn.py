"""``casegen learn --csv FILE``: how well codes can be learned from a stream of rows."""

from __future__ import annotations

import gzip
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING

import click

from casegen.schemas import InputError
from casegen.schemas.errors import printable

from .command import Command
from .kinds import Whole
from .output import UnfinishedError, need_other_file, target
from .progress import progress, watched
from .source import count_lines, opened, shown_name

if TYPE_CHECKING:
    from ..learn.columns import Columns
    from ..learn.records import Broken, Lines
    from ..learn.rows import Row
    from ..learn.simulate import Simulation, Skipped

PLOTS = (".svg", ".png")
MOST_WARMUP = 1_000_000_000
MOST_BATCH = 100_000
_PARTS = '\n\r",;|\t'  # what an encoding must write as ASCII does
_DAMAGED = (gzip.BadGzipFile, EOFError, zlib.error)


@click.command(cls=Command)
@click.option("--csv", "file", required=True, help="FILE.csv or FILE.csv.gz; - is standard input.")
@click.option(
    "--warmup", type=Whole(0, MOST_WARMUP), default=1000, show_default=True,
    help="Rows that are learned before the first prediction.",
)  # fmt: skip
@click.option("--text-column", help="Name of the column of texts; by its usual names without it.")
@click.option("--code-column", help="Name of the column of codes; by its usual names without it.")
@click.option("--delimiter", help="What parts the columns (tab for a tab); by line 1 without it.")
@click.option("--encoding", default="utf-8", show_default=True, help="Of the file.")
@click.option("--any-code", is_flag=True, help="Take what has not the form of an ICD-10 code too.")
@click.option(
    "--batch", type=Whole(1, MOST_BATCH), default=500, show_default=True,
    help="Rows that are predicted together, before they are learned.",
)  # fmt: skip
@click.option("--plot", help="FILE.svg or FILE.png, for the learning curve.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    file: str,
    warmup: int,
    text_column: str | None,
    code_column: str | None,
    delimiter: str | None,
    encoding: str,
    any_code: bool,
    batch: int,
    plot: str | None,
    as_json: bool,
) -> None:
    """Learn codes from the rows of a CSV file, in its order, and tell how many were foreseen.

    Each row holds a text and its code, as `casegen generate coding --format csv` writes them.
    It is predicted first and learned afterwards, by a model that has seen neither it nor a later
    one. Rows that are broken are counted and passed over. Ctrl-C prints what was measured so far,
    and draws it, but replaces no older drawing: then it is in FILE.part.svg.
    """
    delimiter, encoding = _delimiter(delimiter), _encoding(encoding)
    need_other_file("--plot", plot, file, "the rows")
    _need_libraries(plot)
    from ..learn.columns import read_header
    from ..learn.records import Lines
    from ..learn.rows import rows
    from ..learn.simulate import Simulation, Skipped

    shown = shown_name(file)
    simulation, skipped = Simulation(warmup, batch), Skipped()
    try:
        with _plot_target(plot) as stream, opened(file) as source:
            lines = Lines(source)
            with _reading(lines, shown):
                columns = read_header(lines, shown, text_column, code_column, delimiter, encoding)
            usable = _usable(rows(lines, columns, encoding, any_code), skipped, shown)
            ended = _run(simulation, usable, lines, file)
            _finish(simulation, skipped, columns, ended, shown, stream, plot, as_json)
            if ended is None:
                return
            if not simulation.tally.learned:
                raise ended  # within the target, which then leaves no file
            raise UnfinishedError from ended
    except UnfinishedError as stop:
        if stop.name not in ("", plot):
            told = f"casegen: the plot of these rows is in {stop.name}, and {plot} is as it was"
            click.echo(printable(told), err=True)
        if stop.__cause__ is not None:
            raise stop.__cause__ from None


def _run(
    simulation: Simulation, usable: Iterator[Row], lines: Lines, file: str
) -> KeyboardInterrupt | InputError | None:
    """Go through the stream; what ended it before its end, if anything did."""
    start = time.monotonic()
    try:
        total = count_lines(file) if watched() else None
        with _reading(lines, shown_name(file)), progress(total, "lines read and learned") as bar:
            at = 0
            for _ in simulation.run(usable):
                bar.update(lines.taken - at)
                at = lines.taken
        if watched():
            seconds = time.monotonic() - start
            click.echo(f"casegen: {simulation.tally.learned:,} rows in {seconds:.1f} s", err=True)
    except (KeyboardInterrupt, InputError) as error:
        return error
    return None


def _usable(found: Iterator[Row | Broken], skipped: Skipped, shown: str) -> Iterator[Row]:
    """The rows that are whole. The others are counted, and the first few told."""
    from ..learn.records import Broken

    for one in found:
        if not isinstance(one, Broken):
            yield one
        elif skipped.add(one):
            told = f"casegen: {shown}, line {one.line}: passed over: {one.told}"
            click.echo(printable(told), err=True)


def _finish(
    simulation: Simulation,
    skipped: Skipped,
    columns: Columns,
    ended: BaseException | None,
    shown: str,
    stream: IO[bytes] | None,
    plot: str | None,
    as_json: bool,
) -> None:
    """Print what was measured, and draw it. Raises InputError where no row could be used."""
    from ..learn import report
    from ..learn.simulate import TOP

    if not simulation.tally.learned:
        if ended is None:
            raise InputError("file", shown, report.nothing(skipped))
        if not isinstance(ended, KeyboardInterrupt):
            return
    if ended is None and not simulation.tally.evaluated:
        click.echo(f"casegen: {report.all_warmup(simulation)}", err=True)
    points = simulation.curve.points()
    if as_json:
        click.echo(report.as_json(simulation, skipped, columns, complete=ended is None))
    else:
        for line in report.lines(simulation, skipped):
            click.echo(line)
        if points and sys.stdout is not None and sys.stdout.isatty():
            click.echo("\n" + "\n".join(report.terminal(points)))
    if stream is not None and plot is not None and simulation.tally.learned:
        stream.write(report.drawn(points, TOP, shown, png=plot.endswith(".png")))
    if sys.stdout is not None:
        sys.stdout.flush()  # an interruption drops what is still buffered


@contextmanager
def _reading(lines: Lines, shown: str) -> Iterator[None]:
    """What goes wrong while a file is read is said of the file, as InputError."""
    try:
        yield
    except _DAMAGED as error:
        told = f"damaged gzip after line {lines.taken}: {error}"
        raise InputError("file", shown, told) from None
    except OSError as error:
        raise InputError("file", shown, error.strerror or str(error)) from None


def _plot_target(plot: str | None) -> AbstractContextManager[IO[bytes] | None]:
    if plot is None:
        return nullcontext()
    if plot == "-":
        raise InputError("--plot", plot, "name a file, .svg or .png; figures are printed there")
    return target(plot, PLOTS, "a plot is a drawing")


def _delimiter(given: str | None) -> str | None:
    if given in (None, ""):
        return None
    if given in ("tab", "\\t"):
        return "\t"
    if len(given) != 1 or not given.isascii() or given in '"\r\n\0' or given.isalnum():
        raise InputError("--delimiter", given, "must be one character, such as , ; | or tab")
    return given


def _encoding(given: str) -> str:
    """The name of an encoding that writes line ends, quotes and delimiters as ASCII does."""
    try:
        if _PARTS.encode(given) == _PARTS.encode("ascii") and b"a".decode(given) == "a":
            return given
    except (LookupError, UnicodeError, ValueError):
        pass
    mend = "no such encoding for CSV; utf-8, cp1252 and latin-1 are some that are common"
    raise InputError("--encoding", given, mend)


def _need_libraries(plot: str | None) -> None:
    """Raise InputError where a library of the extra is not installed."""
    wanted = ["scipy", "sklearn"] + ["PIL"] * (plot is not None and plot.endswith(".png"))
    for name in wanted:
        if find_spec(name) is None:
            raise InputError(name, None, "is not installed; in the clone: pip install '.[learn]'")
