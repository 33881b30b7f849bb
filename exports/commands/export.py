"""``casegen export DIR``: a dataset from a seed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import orjson

from casegen.cli.command import Command
from casegen.cli.kinds import Folder, OneOf, Whole
from casegen.cli.tables import tables_option
from casegen.cli.words import counted
from casegen.config import BUNDLED, DIFFICULTIES, FIRST_DATE, LARGEST_SEED, LAST_DATE
from casegen.env.families import FAMILIES
from casegen.schemas import InputError
from casegen.schemas.errors import printable

from ..formats import FORMATS
from ..plan import MOST_JOBS
from ..recipe import MOST_CASES, MOST_SHARD

if TYPE_CHECKING:
    from ..manifest import Manifest

_MB = 1_000_000
_WIDEST = 100
# The options whose names are not those of the fields of a recipe.
_OPTIONS = {"families": "--family", "shard": "--shard-cases", "output": "DIR"}


@click.command(cls=Command)
@click.argument("folder", metavar="DIR", type=Folder())
@click.option(
    "--cases", type=Whole(1, MOST_CASES), default=1000, show_default=True,
    help="Cases of all families together.",
)  # fmt: skip
@click.option("--seed", type=Whole(0, LARGEST_SEED), required=True, help="Seed of the generators.")
@click.option(
    "--config", "configs", type=OneOf(FORMATS), multiple=True,
    help="A configuration (repeatable; all).",
)  # fmt: skip
@click.option(
    "--family", "families", type=OneOf(FAMILIES), multiple=True, help="A family (repeatable; all)."
)
@click.option(
    "--difficulty", type=OneOf(DIFFICULTIES), help="easy, medium, hard or expert; all in a mix."
)
@tables_option
@click.option("--shard-cases", type=Whole(1, MOST_SHARD), help="The most cases a shard (500).")
@click.option(
    "--jobs", type=Whole(1, MOST_JOBS), default=1, show_default=True, help="Worker processes."
)
@click.option("--resume", is_flag=True, help="Go on with the export in DIR.")
@click.option("--overwrite", is_flag=True, help="Replace the export in DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    folder: str,
    cases: int,
    seed: int,
    configs: tuple[str, ...],
    families: tuple[str, ...],
    difficulty: str | None,
    tables: str,
    shard_cases: int | None,
    jobs: int,
    resume: bool,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Write a dataset into DIR that datasets.load_dataset(DIR, CONFIG) opens.

    Eight configurations: cases, trajectories, steps, sft, sft_text, preference, unpaired and
    prompts, each in sharded Parquet with the splits train, validation and test (80/10/10);
    with a dataset card, Croissant metadata and a manifest. The rows hang on the recipe alone,
    not on --jobs, and a killed export goes on with --resume.
    """
    from ..extra import need_libraries

    if resume and overwrite:
        told = "goes without --resume: the one keeps what DIR holds, the other throws it away"
        raise InputError("--overwrite", None, told)
    need_libraries()
    from ..recipe import Recipe
    from ..writer import export

    given: dict[str, Any] = {"cases": cases, "seed": seed, "options": {}}
    for name, value in (("configs", configs), ("families", families), ("shard", shard_cases)):
        if value not in ((), None):
            given[name] = value
    if difficulty is not None:
        given["options"]["difficulty"] = difficulty
    if tables != BUNDLED:
        given["options"]["tables"] = tables
    try:
        manifest = export(
            Recipe(**given), Path(folder), jobs=jobs, resume=resume, overwrite=overwrite
        )
    except InputError as error:
        if error.field in ("first_date", "last_date") and error.path is None:
            # Tables of another time: an export has no option for the days of its encounters.
            told = f"{error.mend.partition(';')[0]}; an export is of encounters from {FIRST_DATE} "
            raise InputError("tables", tables, f"{told}to {LAST_DATE}") from None
        field = _OPTIONS.get(error.field, error.field)
        raise InputError(field, error.value, error.mend, path=error.path) from None
    if as_json:
        click.echo(orjson.dumps(summary(folder, manifest)).decode())
    else:
        _print(folder, manifest)


def summary(folder: str, manifest: Manifest) -> dict[str, Any]:
    """What was written, as plain data."""
    return {
        "export": folder,
        "recipe": manifest.recipe,
        "configs": {
            config: {
                split: {"rows": total.rows, "shards": total.shards, "bytes": total.bytes}
                for split, total in splits.items()
            }
            for config, splits in manifest.totals().items()
        },
        "agents": {
            agent: {
                name: {"episodes": tally.episodes, "score": tally.score}
                for name, tally in own.items()
            }
            for agent, own in manifest.scores().items()
        },
    }


def _print(folder: str, manifest: Manifest) -> None:
    from rich.table import Table

    from casegen.cli.console import plain_console

    with plain_console(_WIDEST) as console:
        table = Table("configuration", "split", box=None, pad_edge=False)
        for title in ("rows", "shards", "MB"):
            table.add_column(title, justify="right")
        for config, splits in manifest.totals().items():
            for at, (split, total) in enumerate(splits.items()):
                name = "" if at else config
                size = f"{total.bytes / _MB:.2f}"
                table.add_row(name, split, f"{total.rows}", f"{total.shards}", size)
        console.print(table)
        families = manifest.recipe["families"]
        for family in families:
            where = f" of {family}" if len(families) > 1 else ""
            for agent, own in manifest.scores(family).items():
                mean = own["all"]
                episodes = counted(mean.episodes, "episodes")
                told = f"{agent}: mean score {mean.score:.3f} of {episodes}{where}"
                console.print(told)
        console.print(printable(f"{counted(manifest.recipe['cases'], 'cases')} in {folder}"))
