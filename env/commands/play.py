"""``casegen play FAMILY``: a person plays one case in the terminal."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from casegen.cli.command import Command
from casegen.cli.kinds import OneOf, Whole
from casegen.config import DIFFICULTIES, LARGEST_SEED, SPLITS, STREAM
from casegen.schemas import InputError

if TYPE_CHECKING:
    from casegen.schemas.packs import Pack


@click.command(cls=Command)
@click.argument("family")
@click.option("--task", help="The id of a task of a pack.")
@click.option("--pack", help="A pack by name, or a file of one; --index says which of its tasks.")
@click.option(
    "--index", type=Whole(0, STREAM - 1), help="From 0: of a pack, or of the cases of a seed."
)
@click.option("--seed", type=Whole(0, LARGEST_SEED), help="For a generated case; without it any.")
@click.option("--split", help=f"One of {', '.join(SPLITS)}; train without it.")
@click.option("--difficulty", type=OneOf(DIFFICULTIES), help=f"One of {', '.join(DIFFICULTIES)}.")
def command(
    family: str,
    task: str | None,
    pack: str | None,
    index: int | None,
    seed: int | None,
    split: str | None,
    difficulty: str | None,
) -> None:
    """Play one case of FAMILY (audit, coding, rx): look and act, hand in, and see the answer.

    Without --task or --pack a case is generated; without --seed and --index it is drawn anew.
    """
    from ..families import FAMILIES
    from ..families import family as find_family
    from ..tasks import find_task
    from ..terminal import Terminal

    find_family(family)
    if task is not None and seed is not None:
        raise InputError("--seed", seed, "leave it out; --task names the task")
    opened = None if pack is None else _opened(pack)
    chosen = find_task(
        family, task_id=task, pack=opened, index=index, seed=seed, split=split,
        difficulty=difficulty,
    )  # fmt: skip
    try:
        import_module(f"{FAMILIES[family]}.person").play_person(chosen, Terminal())
    except KeyboardInterrupt:
        click.echo()
        raise click.exceptions.Exit(130) from None


def _opened(name: str) -> Pack:
    """The pack of that name or file; a file must hold what its hash says. Raises InputError."""
    from ..packs import confirm_file, pack

    found = pack(name)
    confirm_file(found)
    return found
