"""``casegen evaluate FAMILY``: how well agents play."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
import orjson

from casegen.cli.command import Command
from casegen.cli.console import plain_console
from casegen.cli.kinds import OneOf, Whole
from casegen.cli.progress import progress
from casegen.cli.words import counted
from casegen.config import DIFFICULTIES, LARGEST_SEED, SPLITS
from casegen.schemas import CasegenError, InputError
from casegen.schemas.errors import printable

from .scores import print_scores

if TYPE_CHECKING:
    from casegen.schemas.pack import Task

    from ..evaluate import Evaluation, Played

AGENTS = (
    "oracle, expert, careless, rules, noisy, random, noop, spray (audit: tables, coding: first, "
    "rx: approve)"
)
GENERATED = 200  # cases where no number is given
MOST = 1_000_000
MOST_JOBS = 64
INTERRUPTED = 130
WIDEST = 110
SHORT = 12  # digits of a hash that tell it from others


@click.command(cls=Command)
@click.argument("family")
@click.option(
    "--agent", "agents", multiple=True, required=True,
    help=f"One of {AGENTS}, or openai:MODEL; may be given again.",
)  # fmt: skip
@click.option("--pack", help="A pack by name, or a file of one; generated cases without it.")
@click.option(
    "-n", "--number", type=Whole(1, MOST), help=f"How many; {GENERATED}, or the whole pack."
)
@click.option(
    "--seed", type=Whole(0, LARGEST_SEED),
    help=f"Of generated cases, 0 without it; 0 to {LARGEST_SEED}.",
)  # fmt: skip
@click.option(
    "--split", type=OneOf(SPLITS, "a pack is named by --pack"),
    help=f"Of generated cases: one of {', '.join(SPLITS)}; train without it.",
)  # fmt: skip
@click.option("--difficulty", type=OneOf(DIFFICULTIES), help=f"One of {', '.join(DIFFICULTIES)}.")
@click.option(
    "--agent-seed", type=Whole(0, LARGEST_SEED), default=0, show_default=True,
    help="For agents that draw.",
)  # fmt: skip
@click.option(
    "--jobs", type=Whole(1, MOST_JOBS), default=1, show_default=True,
    help=f"Episodes at a time, 1 to {MOST_JOBS}; for openai: agents.",
)  # fmt: skip
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
    jobs: int,
    blank_note: bool,
    as_json: bool,
) -> None:
    """Let agents play cases of FAMILY (audit, coding, rx) and tell their mean scores.

    Each mean stands with its 95 % interval (Wilson's, for scores from 0 to 1). All agents
    play the same cases.

    An episode in which the endpoint of a model fails has the score 0; after three such in a row
    the agent plays no more and the exit status is 1. Ctrl-C prints what was played so far.
    """
    from ..agents import MODEL_PREFIX, agent_maker
    from ..evaluate import episodes
    from ..families import family as find_family

    found = find_family(family)
    # Names first: who misspelled one should not wait for the tables.
    makers = {name: agent_maker(found, name) for name in agents}
    tasks, source = _tasks(found.name, pack, number, seed, split, difficulty)
    run = _Run()
    with progress(len(tasks) * len(makers), "episodes") as bar:
        for name, maker in makers.items():
            at_a_time = jobs if name.startswith(MODEL_PREFIX) else 1
            played = episodes(
                found, maker, tasks, agent_seed, blank_note=blank_note, jobs=at_a_time
            )
            if not run.take(name, played, lambda: bar.update(1)):
                break
    profiles = ", ".join(sorted({task.profile for task in tasks}))
    head = {"family": found.name, **source, "profile": profiles, "blank_note": blank_note}
    if as_json:
        for result in run.results:
            whole = {"complete": result.all.n == len(tasks)}
            click.echo(orjson.dumps({**result.plain(), **whole, **head}).decode())
    elif run.results:
        with plain_console(WIDEST) as console:
            print_scores(run.results, _told(source, profiles, blank_note), console)
    for result in run.results:
        _warn(result, len(tasks))
    run.end()


class _Run:
    """What agents came to, whatever ended it."""

    def __init__(self) -> None:
        self.results: list[Evaluation] = []
        self._failing = False
        self._ended: KeyboardInterrupt | CasegenError | None = None

    def take(self, agent: str, episodes: Iterator[Played], done: Callable[[], None]) -> bool:
        """Let one agent play; whether the next may."""
        from ..evaluate import ROW, summary, until_failing

        played: list[Played] = []
        try:
            for one in until_failing(episodes):
                played.append(one)
                done()
        except (KeyboardInterrupt, CasegenError) as ended:
            self._ended = ended
        if played:
            self.results.append(summary(agent, played))
            self._failing |= all(one.outcome.failure for one in played[-ROW:])
        return self._ended is None

    def end(self) -> None:
        """End the command as the run did, now that its results are printed."""
        if isinstance(self._ended, KeyboardInterrupt) and self.results:
            sys.stdout.flush()
            print("casegen: interrupted; this is what was played", file=sys.stderr)
            raise click.exceptions.Exit(INTERRUPTED)
        if self._ended is not None:
            raise self._ended
        if self._failing:
            raise click.exceptions.Exit(1)


def _tasks(
    family: str,
    pack: str | None,
    number: int | None,
    seed: int | None,
    split: str | None,
    difficulty: str | None,
) -> tuple[Sequence[Task], dict[str, Any]]:
    """The tasks to play and where they come from."""
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
    from ..packs import confirm_file, is_shipped, pack

    found = pack(name)
    if found.family != family:
        raise InputError("--pack", name, f"is of the family {found.family}")
    confirm_file(found)
    tasks = [task for task in found if difficulty in (None, task.case.difficulty)]
    if not tasks:
        raise InputError("--difficulty", difficulty, f"{name} holds no such task")
    if number is not None and number > len(tasks):
        raise InputError("--number", number, f"{name} holds {len(tasks)} of them")
    first = number if number is not None and number < len(tasks) else None
    return tasks[:number], {
        "pack": found.name,
        "sha256": found.sha256,
        "from_file": not is_shipped(found),
        "difficulty": difficulty,
        "first": first,
    }


def _told(source: dict[str, Any], profiles: str, blank_note: bool) -> str:
    """Where the tasks come from, as the heading says it."""
    if "pack" in source:
        told = [f"pack {source['pack']}"]
        if source["from_file"]:
            told[0] += f" ({source['sha256'][:SHORT]})"
        difficulty = source["difficulty"]
    else:
        recipe = source["recipe"]
        told = [f"split {recipe['split']}", f"seed {recipe['seed']}"]
        difficulty = recipe["difficulty"]
    if difficulty is not None:
        told.append(difficulty)
    if source.get("first") is not None:
        told.append(f"first {source['first']}")
    told.append(f"profile {profiles}")
    if blank_note:
        told.append("without the note")
    return ", ".join(told)


def _warn(result: Evaluation, asked: int) -> None:
    """Say on standard error what happened that no figure of the tables shows."""
    lines: list[str] = []
    if result.failed:
        many = counted(result.failed, "episodes")
        lines.append(f"{many} failed (score 0), the last: {result.failure}")
    if result.all.n < asked:
        lines.append(f"{result.all.n} of {counted(asked, 'episodes')} played")
    if result.unfinished or result.refused:
        told = f"{counted(result.unfinished, 'episodes')} not ended (score 0), "
        told += f"{counted(result.refused, 'acts')} refused"
        lines.append(told + (f", the last: {result.complaint}" if result.complaint else ""))
    for line in lines:
        print(printable(f"casegen: {result.agent}: {' '.join(line.split())}"), file=sys.stderr)
