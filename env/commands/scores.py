"""How agents played, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from casegen.cli.words import counted
from casegen.schemas.errors import printable

if TYPE_CHECKING:
    from rich.console import Console

    from ..evaluate import Evaluation, Group

LEVELS = ("easy", "medium", "hard", "expert")
NONE = "-"
_NARROWEST = 24  # columns for the names of rows, if they need as many
MOST_KINDS = 8  # that stand side by side; of more each has a row


def print_scores(results: Sequence[Evaluation], told: str, console: Console) -> None:
    """Print the figures of agents that played the same tasks; not all need have come to an end."""
    from rich.text import Text

    counts = {one.all.n for one in results}
    heading = counted(max(counts), "episodes")
    if len(counts) > 1:
        heading = f"Up to {heading}"
    if len(results) > 1:
        heading += " each"
    console.print(Text(printable(f"{heading}: {told}")))
    console.print()
    if all(one.by_task for one in results):
        _by_task(results, console)
        return
    if len(results) == 1:
        _one(results[0], console)
        return
    levels = [level for level in LEVELS if any(level in one.by_difficulty for one in results)]
    sides = sorted({side for one in results for side in one.by_side})
    if sides:
        _table(console, ("agent", "headline", *sides), (_sides(one, sides) for one in results))
        console.print()
    names = ("agent", "score", "95 %", *levels, "steps", "prec.", "recall")
    _table(console, names, (_row(one, levels) for one in results))
    console.print()
    longest = max(results, key=lambda one: one.all.n)
    kinds = list(longest.by_kind)
    short = [kind.replace("_", " ") for kind in kinds]
    cells = [[_score(one.by_kind.get(kind)) for kind in kinds] for one in results]
    if len(kinds) > MOST_KINDS:
        names = (longest.figures.group.replace("_", " "), *(one.agent for one in results))
        turned = zip(short, *cells, strict=True)
        _table(console, names, ([kind, *scores] for kind, *scores in turned))
        return
    rows = ([one.agent, *own] for one, own in zip(results, cells, strict=True))
    _table(console, ("agent", *short), rows)


def _by_task(results: Sequence[Evaluation], console: Console) -> None:
    """A row for each task: so few episodes make no figures of groups."""
    tasks = max(results, key=lambda one: one.all.n).by_task
    rows = [
        [task, *(f"{one.by_task[task]:.3f}" if task in one.by_task else NONE for one in results)]
        for task in tasks
    ]
    rows.append(["mean", *(_score(one.all) for one in results)])
    _table(console, ("task", *(one.agent for one in results)), rows)


def _sides(one: Evaluation, sides: list[str]) -> list[str]:
    """The figure by which agents are compared, and the means of which it is the mean."""
    return [one.agent, f"{one.headline:.3f}", *(_score(one.by_side.get(side)) for side in sides)]


def _row(one: Evaluation, levels: list[str]) -> list[str]:
    cells = [one.agent, _score(one.all), _interval(one.all)]
    cells += [_score(one.by_difficulty.get(level)) for level in levels]
    return [*cells, f"{one.mean_steps:.1f}", f"{one.precision:.2f}", f"{one.recall:.2f}"]


def _one(one: Evaluation, console: Console) -> None:
    """One agent in more detail: each group with its size and interval."""
    groups = {"all": one.all, **one.by_side, **one.by_difficulty, **one.by_kind}
    rows = ([name, str(g.n), _score(g), _interval(g)] for name, g in groups.items())
    _table(console, (one.agent, "n", "score", "95 %"), rows)
    told = f"{one.mean_steps:.1f} steps, {one.figures.noun}s: precision {one.precision:.2f}"
    console.print(f"\n{told}, recall {one.recall:.2f}")
    if one.by_side:
        console.print(f"headline, the mean of {' and '.join(one.by_side)}: {one.headline:.3f}")


def _score(group: Group | None) -> str:
    return NONE if group is None else f"{group.mean_score:.3f}"


def _interval(group: Group) -> str:
    return f"{group.interval[0]:.3f}-{group.interval[1]:.3f}"


def _table(console: Console, names: Sequence[str], rows: Iterable[list[str]]) -> None:
    from rich.table import Table

    cells = [list(map(printable, row)) for row in rows]
    # A name may be folded, a figure is never cut: rather the lines are longer than the terminal.
    widths = [
        max([*map(len, name.split()), *(len(row[at]) for row in cells)])
        for at, name in enumerate(names)
        if at
    ]
    first = max((len(row[0]) for row in cells), default=0)
    console.width = max(console.width, sum(widths) + 2 * len(names) + min(first, _NARROWEST))
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(printable(names[0]), overflow="fold")
    for name, width in zip(names[1:], widths, strict=True):
        table.add_column(printable(name), justify="right", min_width=width)
    for row in cells:
        table.add_row(*row)
    console.print(table)
