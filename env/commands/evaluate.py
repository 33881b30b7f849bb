"""``casegen evaluate FAMILY``: how well agents play."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click
import orjson

from casegen.cli.console import plain_console
from casegen.cli.progress import progress
from casegen.config import DIFFICULTIES, LARGEST_SEED, SPLITS
from casegen.schemas import InputError
from casegen.schemas.errors import printable

if TYPE_CHECKING:
    from rich.console import Console

    from casegen.schemas.pack import Task

    from ..evaluate import Evaluation, Group

GENERATED = 200  # cases where no number is given
MOST = 1_000_000
WIDEST = 110


@click.command()
@click.argument("family")
@click.option(
    "--agent", "agents", multiple=True, required=True,
    help="An agent by name, or openai:MODEL; may be given again.",
)  # fmt: skip
@click.option("--pack", help="A pack by name, or a file of one; generated cases without it.")
@click.option("-n", "--number", type=int, help=f"How many; {GENERATED}, or the whole pack.")
@click.option("--seed", type=int, help=f"Of generated cases, 0 without it; 0 to {LARGEST_SEED}.")
@click.option("--split", help=f"Of generated cases: {', '.join(SPLITS)}; train without it.")
@click.option("--difficulty", help=f"One of {', '.join(DIFFICULTIES)}.")
@click.option("--agent-seed", type=int, default=0, show_default=True, help="For agents that draw.")
@click.option("--blank-note", is_flag=True, help="Show the agents no note.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each agent.")
def command(
    family: str,
    agents: tuple[str, ...],
    pack: str | None,
    number: int | None,
    seed: int | None,
    split: str | None,
    difficulty: str | None,
    agent_seed: int,
    blank_note: bool,
    as_json: bool,
) -> None:
    """Let agents play cases of FAMILY (audit) and tell their mean scores.

    Each mean stands with its 95 % interval (Wilson's, for scores from 0 to 1). All agents
    play the same cases.
    """
    from ..agents import agent_maker
    from ..evaluate import episodes, summary
    from ..families import family as find_family

    found = find_family(family)
    # Names first: who misspelled one should not wait for the tables.
    makers = {name: agent_maker(found, name) for name in agents}
    _check("--number", number, 1, MOST)
    _check("--seed", seed, 0, LARGEST_SEED)
    tasks, source = _tasks(found.name, pack, number, seed, split, difficulty)
    results: list[Evaluation] = []
    with progress(len(tasks) * len(makers), "episodes") as bar:
        for name, maker in makers.items():
            played = episodes(
                found, maker, tasks, agent_seed,
                blank_note=blank_note, done=lambda: bar.update(1),
            )  # fmt: skip
            results.append(summary(name, list(played)))
    profiles = ", ".join(sorted({task.profile for task in tasks}))
    head = {"family": found.name, **source, "profile": profiles, "blank_note": blank_note}
    if as_json:
        for result in results:
            click.echo(orjson.dumps({**result.plain(), **head}).decode())
    else:
        with plain_console(WIDEST) as console:
            _print(results, _told(source, profiles, blank_note), console)
    for result in results:
        _warn(result)


def _check(field: str, value: int | None, least: int, most: int) -> None:
    if value is not None and not least <= value <= most:
        raise InputError(field, value, f"a whole number from {least} to {most}")


def _tasks(
    family: str,
    pack: str | None,
    number: int | None,
    seed: int | None,
    split: str | None,
    difficulty: str | None,
) -> tuple[Sequence[Task], dict[str, Any]]:
    """The tasks to play and where they come from."""
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise InputError("--difficulty", difficulty, f"one of {', '.join(DIFFICULTIES)}")
    if pack is not None:
        for field, value in (("--seed", seed), ("--split", split)):
            if value is not None:
                raise InputError(field, value, "leave it out; the tasks are those of the pack")
        return _of_pack(family, pack, number, difficulty)
    from ..tasks import find_task

    split, seed = split or "train", seed or 0
    tasks = [
        find_task(family, split=split, seed=seed, index=at, difficulty=difficulty)
        for at in range(number or GENERATED)
    ]
    recipe = {"split": split, "seed": seed, "difficulty": difficulty, "n": len(tasks)}
    return tasks, {"recipe": recipe}


def _of_pack(
    family: str, name: str, number: int | None, difficulty: str | None
) -> tuple[Sequence[Task], dict[str, Any]]:
    from ..packs import pack

    found = pack(name)
    if found.family != family:
        raise InputError("--pack", name, f"is of the family {found.family}")
    tasks = [task for task in found if difficulty in (None, task.case.difficulty)]
    if not tasks:
        raise InputError("--difficulty", difficulty, f"{name} holds no such task")
    if number is not None and number > len(tasks):
        raise InputError("--number", number, f"{name} holds {len(tasks)} of them")
    return tasks[:number], {"pack": found.name, "difficulty": difficulty}


def _told(source: dict[str, Any], profiles: str, blank_note: bool) -> str:
    if "pack" in source:
        told = f"pack {source['pack']}"
    else:
        recipe = source["recipe"]
        told = f"split {recipe['split']}, seed {recipe['seed']}"
    return f"{told}, profile {profiles}" + (", without the note" if blank_note else "")


def _warn(result: Evaluation) -> None:
    """Say on standard error what an agent did that no figure shows."""
    if result.unfinished or result.refused:
        told = f"{result.agent}: {result.unfinished} episodes not ended (score 0), "
        told += f"{result.refused} acts refused"
        told += f", the last: {result.complaint}" if result.complaint else ""
        print(printable(f"casegen: {told}"), file=sys.stderr)


def _print(results: Sequence[Evaluation], told: str, console: Console) -> None:
    from rich.text import Text

    each = "each" if len(results) > 1 else ""
    console.print(Text(printable(f"{results[0].all.n} episodes {each}".rstrip() + f": {told}")))
    console.print()
    if results[0].by_task:
        _by_task(results, console)
        return
    if len(results) == 1:
        _one(results[0], console)
        return
    levels = list(results[0].by_difficulty)
    names = ("agent", "score", "95 %", *levels, "steps", "prec.", "recall")
    _table(console, names, (_row(one, levels) for one in results))
    console.print()
    kinds = list(results[0].by_error_type)
    short = [kind.replace("_", " ") for kind in kinds]
    _table(
        console,
        ("agent", *short),
        ([one.agent, *(_score(one.by_error_type[kind]) for kind in kinds)] for one in results),
    )


def _by_task(results: Sequence[Evaluation], console: Console) -> None:
    """A row for each task: so few episodes make no figures of groups."""
    rows = [[task, *(f"{one.by_task[task]:.3f}" for one in results)] for task in results[0].by_task]
    rows.append(["mean", *(_score(one.all) for one in results)])
    _table(console, ("task", *(one.agent for one in results)), rows)


def _row(one: Evaluation, levels: list[str]) -> list[str]:
    cells = [one.agent, _score(one.all), _interval(one.all)]
    cells += [_score(one.by_difficulty[level]) for level in levels]
    return [*cells, f"{one.mean_steps:.1f}", f"{one.precision:.2f}", f"{one.recall:.2f}"]


def _one(one: Evaluation, console: Console) -> None:
    """One agent in more detail: each group with its size and interval."""
    groups = {"all": one.all, **one.by_difficulty, **one.by_error_type}
    rows = ([name, str(g.n), _score(g), _interval(g)] for name, g in groups.items())
    _table(console, (one.agent, "n", "score", "95 %"), rows)
    told = f"{one.mean_steps:.1f} steps, flags: precision {one.precision:.2f}"
    console.print(f"\n{told}, recall {one.recall:.2f}")


def _score(group: Group) -> str:
    return f"{group.mean_score:.3f}"


def _interval(group: Group) -> str:
    return f"{group.interval[0]:.3f}-{group.interval[1]:.3f}"


def _table(console: Console, names: Sequence[str], rows: Iterable[list[str]]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(printable(names[0]), overflow="fold")
    for name in names[1:]:
        width = max(map(len, name.split()))
        table.add_column(printable(name), justify="right", min_width=width)
    for row in rows:
        table.add_row(*map(printable, row))
    console.print(table)
