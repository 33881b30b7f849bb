"""``casegen rollout FAMILY``: episodes of an agent, as JSON lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import click

from casegen.cli.command import Command
from casegen.cli.kinds import OneOf, Whole
from casegen.cli.words import counted
from casegen.config import DIFFICULTIES, LARGEST_SEED, SPLITS
from casegen.env.commands.evaluate import AGENTS
from casegen.schemas import InputError
from casegen.schemas.errors import printable

if TYPE_CHECKING:
    from casegen.cli.output import UnfinishedError
    from casegen.schemas.pack import Task

MOST = 1_000_000_000
# The exit status of what ended with a part of the episodes.
FAILED, INTERRUPTED = 1, 130


@click.command(cls=Command)
@click.argument("family")
@click.option(
    "--agent", required=True,
    help=f"One of {AGENTS}, or openai:MODEL.",
)  # fmt: skip
@click.option(
    "-n", "--number", type=Whole(1, MOST), help="How many episodes; 1, or the whole pack."
)
@click.option(
    "--seed", type=Whole(0, LARGEST_SEED),
    help=f"Of generated cases, 0 without it; 0 to {LARGEST_SEED}.",
)  # fmt: skip
@click.option(
    "--split", type=OneOf(SPLITS, "a pack is named by --pack"),
    help=f"Of generated cases: {', '.join(SPLITS)}; train without it.",
)  # fmt: skip
@click.option("--pack", help="A pack by name, or a file of one; generated cases without it.")
@click.option("--difficulty", type=OneOf(DIFFICULTIES), help=f"One of {', '.join(DIFFICULTIES)}.")
@click.option(
    "-o", "--output", default="-", show_default=True,
    help="FILE.jsonl, FILE.jsonl.gz, - or a pipe or device.",
)  # fmt: skip
def command(
    family: str,
    agent: str,
    number: int | None,
    seed: int | None,
    split: str | None,
    pack: str | None,
    difficulty: str | None,
    output: str,
) -> None:
    """Let an agent play cases of FAMILY (audit, coding, rx), and write episodes as lines of JSON.

    An episode holds the case id and hash, the agent, the profile, and for each step what was
    seen and done, the reward and, for agents that are written, the reason. One seed always
    gives the same bytes, but for models.

    A file appears when it is whole. But what a model has played can't be had again: where its
    endpoint fails, or on Ctrl-C, the episodes played to their end stay in FILE.jsonl, or in
    FILE.part.jsonl if a FILE.jsonl was there before, and the exit status is 1 (130 on Ctrl-C).
    """
    from casegen.cli.output import UnfinishedError, need_other_file, target
    from casegen.cli.progress import progress
    from casegen.env.agents import MODEL_PREFIX, agent_maker
    from casegen.env.families import family as find_family
    from casegen.env.openai_endpoint import EndpointError

    found = find_family(family)
    agent_maker(found, agent)  # who misspelled a name should not wait for the tables
    if pack is not None:
        for field, given in (("--seed", seed), ("--split", split)):
            if given is not None:
                raise InputError(field, given, "leave it out; the tasks are those of the pack")
        need_other_file("--output", output, pack, "the pack")
        count, tasks = _of_pack(found.name, pack, number, difficulty)
    else:
        count = number or 1
        tasks = _generated(found.name, count, seed or 0, split or "train", difficulty)
    from ..rollout import rollout
    from ..units import episode_seed

    written, scores = 0, 0.0
    what = "episodes are JSON lines"
    try:
        with target(output, what=what) as stream, progress(count, "episodes") as bar:
            for task in tasks:
                try:
                    episode = rollout(task, agent, episode_seed(task.case.id, agent))
                except (EndpointError, KeyboardInterrupt) as error:
                    if written and agent.startswith(MODEL_PREFIX):
                        raise UnfinishedError from error
                    raise
                stream.write(_line(episode))
                written, scores = written + 1, scores + episode.score
                bar.update(1)
    except UnfinishedError as stop:
        _end_unfinished(stop, f"{written} of {counted(count, 'episodes')} of {agent}", output)
    if output != "-":
        told = (
            f"{counted(count, 'episodes')} of {agent} in {output}, mean score {scores / count:.3f}"
        )
        print(f"casegen: {told}", file=sys.stderr)


def _end_unfinished(stop: UnfinishedError, played: str, output: str) -> NoReturn:
    """Say what ended it, and where the episodes are."""
    interrupted = isinstance(stop.__cause__, KeyboardInterrupt)
    told = "interrupted" if interrupted else str(stop.__cause__)
    where = f"are in {stop.name}" if stop.name else "were written"
    if stop.name and stop.name != output:
        where += f", and {output} is as it was"
    line = " ".join(f"casegen: {told}; {played} {where}".split())
    print(printable(line), file=sys.stderr)
    raise click.exceptions.Exit(INTERRUPTED if interrupted else FAILED)


def _line(episode: Any) -> bytes:
    import orjson

    return orjson.dumps(episode, option=orjson.OPT_APPEND_NEWLINE)


def _generated(
    family: str, count: int, seed: int, split: str, difficulty: str | None
) -> Iterator[Task]:
    from casegen.env.tasks import find_task

    for at in range(count):
        yield find_task(family, split=split, seed=seed, index=at, difficulty=difficulty)


def _of_pack(
    family: str, name: str, number: int | None, difficulty: str | None
) -> tuple[int, Iterator[Task]]:
    from casegen.env.packs import confirm_file, pack

    found = pack(name)
    if found.family != family:
        raise InputError("--pack", name, f"is of the family {found.family}")
    confirm_file(found)
    places = [at for at in range(len(found)) if difficulty in (None, found.tasks.difficulty_of(at))]
    if not places:
        raise InputError("--difficulty", difficulty, f"{name} holds no such task")
    if number is not None and number > len(places):
        raise InputError("--number", number, f"{name} holds {len(places)} of them")
    chosen = places[:number]
    return len(chosen), map(found.task, chosen)
