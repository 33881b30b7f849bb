"""``casegen pack``: packs of tasks, listed, built, verified and shown."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, get_args

import click
import orjson

from casegen.cli.command import Group
from casegen.cli.kinds import OneOf
from casegen.cli.words import counted
from casegen.schemas import InputError
from casegen.schemas.errors import printable
from casegen.schemas.pack import Task
from casegen.schemas.packs import Pack, PackFile
from casegen.schemas.play import Profile
from casegen.seeds.packs import PACKS

_NAMES = "letters, digits, '.', '_' and '-', at most 64, a letter or digit first"
# A pack and, behind #, a task of it. An id may hold any mark; a name or a file's end comes first.
_WITHIN = re.compile(r"(.+?\.json(?:\.gz)?|[^#]+)#(.*)", re.DOTALL)


@click.group(cls=Group)
def command() -> None:
    """Packs of tasks: named, versioned and hashed, with the rewards that they are played by."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def list_packs(as_json: bool) -> None:
    """List the packs that ship with casegen."""
    from ..packs import shipped

    for name in PACKS:
        found = shipped(name)
        if as_json:
            _print(_head(found))
        else:
            click.echo(f"{name}  {len(found)} tasks, profile {found.profile}")
            click.echo(f"  {found.about}")
            click.echo(f"  sha256 {found.sha256}")


@command.command()
@click.argument("recipe", required=False)
@click.option("--cases", default=None, help="A file of cases (.jsonl) in place of a recipe.")
@click.option("--name", default=None, help="Name of a pack of --cases.")
@click.option(
    "--profile", type=OneOf(get_args(Profile)),
    help="Rewards of a pack of --cases: strict (default) or seed.",
)  # fmt: skip
@click.option("--whole", is_flag=True, help="Store the cases of the recipe whole.")
@click.option(
    "-o",
    "--output",
    default="-",
    show_default=True,
    help="FILE.json, FILE.json.gz, - or a pipe or device.",
)
def build(
    recipe: str | None,
    cases: str | None,
    name: str | None,
    profile: str | None,
    whole: bool,
    output: str,
) -> None:
    """Build a pack from RECIPE, or from a file of --cases.

    All cases are made once, to write the hash of what they hold. RECIPE is a pack file whose
    tables and hash may be absent or old; each part of it is cases 0 to count of one seed, all
    of one difficulty and, in audits, all clean (1) or none (0):

    \b
      {"name": "mine", "family": "audit", "profile": "strict",
       "recipe": {"generator": "audit-v0", "split": "validation",
                  "parts": [{"seed": 1, "difficulty": "easy", "clean": 0, "count": 9},
                            {"seed": 2, "difficulty": "easy", "clean": 1, "count": 1}]}}

    The cases of --cases stand as casegen generate writes them, each with its content_hash.
    """
    from casegen.cli.output import need_other_file, target
    from casegen.cli.progress import progress

    from ..packfile import ENDINGS, file_bytes, read_file, size
    from ..packs import build as built

    if (recipe is None) == (cases is None):
        raise InputError("RECIPE", recipe, "name either a recipe or --cases, and one of them")
    if cases is None:
        for option, value in (("--name", name), ("--profile", profile)):
            if value is not None:
                raise InputError(option, value, "goes with --cases; a recipe says it itself")
        file = read_file(recipe or "")
    else:
        if name is None:
            raise InputError("--name", None, "name the pack of these cases")
        need_other_file("--output", output, cases, "the cases")
        file = _of_cases(cases, name, profile or "strict")
    with target(output, ENDINGS, "a pack is one JSON object") as stream:
        count = size(file)
        with progress(count, "tasks hashed") as bar:
            file = built(file, whole=whole, told=bar.update)
        stream.write(file_bytes(file))
    if output != "-":
        told = f"{file.name} with {counted(count, 'tasks')} in {printable(output)}"
        print(f"casegen: {told}, {file.sha256}", file=sys.stderr)


def _of_cases(path: str, name: str, profile: str) -> PackFile:
    from casegen.cli.source import shown_name

    from ..packfile import cases_to_pack, file_of_cases

    try:
        return file_of_cases(cases_to_pack(path), name=name, profile=profile)
    except InputError as error:
        if error.field == "name":
            told = _NAMES if "pattern" in error.mend else error.mend
            raise InputError("--name", error.value, told) from None
        if error.path is None and error.field != "file":
            raise InputError(error.field, error.value, error.mend, path=shown_name(path)) from None
        raise


@command.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(name: str, as_json: bool) -> None:
    """Make the pack NAME (or FILE) again: compare its hash, and let the checker judge each
    case.

    Tasks written by hand, with rules or notes of their own, are checked for their form and for
    the words of their note alone: the official tables don't speak for them.
    """
    from casegen.cli.progress import progress

    from ..packs import by_hand, pack
    from ..packs import verify as verified

    try:
        found = pack(name)
        with progress(len(found), "tasks checked") as bar:
            certified = verified(found, bar.update)
    except InputError as error:
        if as_json:
            _print({"pack": name, "valid": False, "field": error.field, "fault": error.mend})
        raise
    written = sum(map(by_hand, found)) if certified < len(found) else 0
    if as_json:
        counts = {"certified": certified, "by_hand": written}
        _print({**_head(found), "valid": True, **counts})
        return
    told = [f"{found.name}: {counted(len(found), 'tasks')} as recorded"]
    if certified or not written:
        told.append(f"{counted(certified, 'cases')} certified")
    if written:
        told.append(f"{written} written by hand and checked for form and spans")
    click.echo(printable(", ".join(told)))


@command.command()
@click.argument("place")
@click.option("--answers", is_flag=True, help="Also show what is wrong with the claim, and why.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(place: str, answers: bool, as_json: bool) -> None:
    """Show a task as an agent sees it.

    \b
    PLACE is one of
      NAME or FILE   a pack: its first task
      NAME#3         its fourth task
      FILE#ID        its task of that id, or of the only id that ends in /ID
      ID             a task that ships with casegen
    """
    from ..families import family

    task = _task_at(place)
    if answers:
        _show_answers(task, as_json)
        return
    played = family(task.family)
    episode = played.episode(task, "show")
    seen = played.plain(episode.start())
    episode.close()
    if as_json:
        _print(seen)
    else:
        from casegen.cli.console import plain_console
        from casegen.cli.show import WIDEST

        with plain_console(WIDEST) as console:
            played.sheet(seen, console)


def _task_at(place: str) -> Task:
    """The task that a place names. Raises InputError."""
    from ..packs import pack, shipped

    match = _WITHIN.fullmatch(place)
    if match and not Path(place).exists():
        found = pack(match[1])
        index = _index_of(found, match[2])
        if index is None or index >= len(found):
            told = f"after # stands a number from 0 to {len(found) - 1}, or the id of a task"
            raise InputError("place", place, f"{told} of {found.name}")
        return found.task(index)
    if place not in PACKS:
        for name in PACKS:
            if shipped(name).tasks.index_of(place) is not None:
                return shipped(name).task_by_id(place)
    return pack(place).task(0)


def _index_of(found: Pack, told: str) -> int | None:
    """The index that ``told`` names: as a number, as an id, or as the end of just one id."""
    index = found.tasks.index_of(told)
    if index is not None:
        return index
    if re.fullmatch("[0-9]{1,9}", told):
        return int(told)
    if found.recipe is not None:  # its ids are the numbers
        return None
    ends = [at for at, task in enumerate(found) if told and task.id.endswith(f"/{told}")]
    return ends[0] if len(ends) == 1 else None


def _show_answers(task: Task, as_json: bool) -> None:
    from casegen.cli.console import plain_console
    from casegen.cli.show import WIDEST, show_case

    if as_json:
        answer: dict[str, Any] = {
            "id": task.id,
            "pack": task.pack,
            "profile": task.profile,
            "own_rules": task.own_rules,
            "reference_note": task.reference_note,
            "case": task.case,
        }
        _print(answer)
        return
    with plain_console(WIDEST) as console:
        show_case(task.case, console)
        told = [f"Rule of this task, {code}: {rule}" for code, rule in task.own_rules.items()]
        if task.reference_note is not None:
            told.append(f"Beside the tables: {task.reference_note}")
        for line in told:
            console.print()
            console.print(printable(line))


def _head(found: Pack) -> dict[str, Any]:
    return {
        "name": found.name,
        "version": found.version,
        "family": found.family,
        "profile": found.profile,
        "tasks": len(found),
        "tables": {"name": found.tables.name, "digest": found.tables.digest},
        "sha256": found.sha256,
        "about": found.about,
    }


def _print(facts: dict[str, Any]) -> None:
    click.echo(orjson.dumps(facts).decode())
