"""``casegen rollout FAMILY``: episodes of an agent, as JSON lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from casegen.config import DIFFICULTIES, LARGEST_SEED, SPLITS
from casegen.schemas import InputError

if TYPE_CHECKING:
    from casegen.schemas.pack import Task

MOST = 1_000_000_000


@click.command()
@click.argument("family")
@click.option(
    "--agent", required=True,
    help="An agent by name (expert, rules, noisy, random, ...), or openai:MODEL.",
)  # fmt: skip
@click.option("-n", "--number", type=int, help="How many episodes; 1, or the whole pack.")
@click.option("--seed", type=int, help=f"Of generated cases, 0 without it; 0 to {LARGEST_SEED}.")
@click.option("--split", help=f"Of generated cases: {', '.join(SPLITS)}; train without it.")
@click.option("--pack", help="A pack by name, or a file of one; generated cases without it.")
@click.option("--difficulty", help=f"One of {', '.join(DIFFICULTIES)}.")
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
    """Let an agent play cases of FAMILY (audit, coding), and write each episode as a line of JSON.

    An episode holds the case id and hash, the agent, the profile, and for each step what was
    seen and done, the reward and, for agents that are written, the reason. One seed always
    gives the same bytes, but for models.
    """
    from casegen.cli.output import target
    from casegen.cli.progress import progress
    from casegen.env.agents import agent_maker
    from casegen.env.families import family as find_family

    found = find_family(family)
    agent_maker(found, agent)  # who misspelled a name should not wait for the tables
    for field, value, least, most in (
        ("--number", number, 1, MOST),
        ("--seed", seed, 0, LARGEST_SEED),
    ):
        if value is not None and not least <= value <= most:
            raise InputError(field, value, f"a whole number from {least} to {most}")
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise InputError("--difficulty", difficulty, f"one of {', '.join(DIFFICULTIES)}")
    if pack is not None:
        for field, given in (("--seed", seed), ("--split", split)):
            if given is not None:
                raise InputError(field, given, "leave it out; the tasks are those of the pack")
        count, tasks = _of_pack(found.name, pack, number, difficulty)
    else:
        count = number or 1
        tasks = _generated(found.name, count, seed or 0, split or "train", difficulty)
    from ..rollout import rollout
    from ..units import episode_seed

    scores = 0.0
    what = "episodes are JSON lines"
    with target(output, what=what) as stream, progress(count, "episodes") as bar:
        for task in tasks:
            episode = rollout(task, agent, episode_seed(task.case.id, agent))
            stream.write(_line(episode))
            scores += episode.score
            bar.update(1)
    if output != "-":
        told = f"{count} episodes of {agent} in {output}, mean score {scores / count:.3f}"
        print(f"casegen: {told}", file=sys.stderr)


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
    from casegen.env.packs import pack

    found = pack(name)
    if found.family != family:
        raise InputError("--pack", name, f"is of the family {found.family}")
    places = [at for at in range(len(found)) if difficulty in (None, found.tasks.difficulty_of(at))]
    if not places:
        raise InputError("--difficulty", difficulty, f"{name} holds no such task")
    if number is not None and number > len(places):
        raise InputError("--number", number, f"{name} holds {len(places)} of them")
    chosen = places[:number]
    return len(chosen), map(found.task, chosen)
