"""``casegen import KIND FILE...``: official tables of the user's own, in named sets."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click
import orjson

from casegen.schemas import InputError, TableError
from casegen.schemas.errors import printable

from .command import Group
from .progress import progress
from .words import counted

if TYPE_CHECKING:
    from casegen.seeds.imports.model import Manifest, Part, Taken

_WORDS = {
    "icd10cm": "ICD-10-CM tabular list",
    "mce": "dated rows of the Medicare Code Editor",
    "ncci": "NCCI practitioner pairs",
    "mue": "medically unlikely edits of practitioners",
    "cpt": "CPT descriptors",
}


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Take official tables from their published files, for --tables NAME.

    A set holds any of the five kinds; what it lacks comes from the bundled tables. Imports into
    one NAME add up. Sets are kept in the user's data folder, or in $CASEGEN_TABLES.
    """


def _options(function: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        click.option(
            "--effective",
            default=None,
            help="First day on which the tables hold, where the files' names don't tell.",
        ),
        click.option("--name", default=None, help="Name of the set; else by release or quarter."),
        click.argument("files", nargs=-1, required=True),
    ):
        function = option(function)
    return function


@command.command("icd10cm")
@_options
def icd10cm_command(files: tuple[str, ...], **options: Any) -> None:
    """The tabular list of another release (XML of CDC/NCHS, alone or in its zip).

    The name of the file tells the release by its month (icd10cm-tabular-April-1-2026.xml) or
    its fiscal year (icd10cm_tabular_2026.xml); where it does not, --effective has to. With such
    a set cases, claims and look-ups must be of the time of its release.
    """
    _import("icd10cm", files, **options)


@command.command("mce")
@_options
def mce_command(files: tuple[str, ...], **options: Any) -> None:
    """Dated rows of validity and edits, or the text that CMS publishes.

    Rows are a CSV file with the columns code,from,to,edits (edits joined by |). They take the
    place of the bundled table, so the table must be whole: a row for every period of every code
    that began, ended or has an edit since 2015-10-01. The text of the "Definitions of Medicare
    Code Edits" must be whole too; its age and manifestation lists are taken, for the other edits
    and for the dates the bundled rows stay.
    """
    _import("mce", files, **options)


@command.command("ncci")
@_options
def ncci_command(files: tuple[str, ...], **options: Any) -> None:
    """Procedure-to-procedure edits for practitioners (text or zip, all files of a quarter).

    They take the place of the bundled pairs: what they lack is not judged. Workbooks are not
    read; save the sheet as text, its columns apart by tabs.
    """
    _import("ncci", files, **options)


@command.command("mue")
@_options
def mue_command(files: tuple[str, ...], **options: Any) -> None:
    """Medically unlikely edits for practitioners (CSV or zip)."""
    _import("mue", files, **options)


@command.command("cpt")
@_options
def cpt_command(files: tuple[str, ...], **options: Any) -> None:
    """Your licensed CPT descriptors: shown by code and check, never stored in cases."""
    _import("cpt", files, **options)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_command(as_json: bool) -> None:
    """List the sets with what they hold, and look whether their files are whole."""
    from casegen.seeds.imports import folders

    sets = [_looked_at(name) for name in folders.names()]
    if as_json:
        rows = [{**one.as_dict(), "damaged": wrong} for one, wrong, _ in sets]
        click.echo(orjson.dumps({"folder": str(folders.home()), "sets": rows}).decode())
        return
    if not sets:
        click.echo(f"no imported tables in {printable(str(folders.home()))}")
    for manifest, wrong, mend in sets:
        click.echo(manifest.name)
        for kind, part in manifest.parts.items():
            click.echo(printable(f"  {kind:8} {_told(kind, part)}"))
        for one in wrong:
            click.echo(printable(f"  DAMAGED  {one}: {mend[one]}"))


def _looked_at(name: str) -> tuple[Manifest, list[str], dict[str, str]]:
    """What a set holds, its damaged files, and what to do about each."""
    from shlex import quote

    from casegen.seeds.imports import folders
    from casegen.seeds.imports.model import Manifest

    try:
        manifest = folders.need(name)
    except TableError:
        mend = f"casegen import remove {name}, then import all its files again"
        return Manifest(name, {}), [folders.MANIFEST], {folders.MANIFEST: mend}
    mends = {}
    for kind, part in manifest.parts.items():
        given = " ".join(quote(one.file) for one in part.sources)
        day = f" --effective {part.effective}" if part.effective else ""
        mend = f"casegen import {kind} {given} --name {name}{day} replaces it"
        mends.update(dict.fromkeys(folders.damaged(name, part), mend))
    return manifest, list(mends), mends


@command.command("remove")
@click.argument("name")
def remove_command(name: str) -> None:
    """Remove the set NAME: what imports made, and nothing else."""
    from casegen.seeds.imports import folders

    folders.remove(name)
    click.echo(f"removed the set {name}")


def _import(
    kind: str, files: Sequence[str], name: str | None, effective: str | None, as_json: bool
) -> None:
    from casegen.seeds.imports import folders
    from casegen.seeds.imports.dates import is_date

    if name is not None:
        folders.check_new_name(name, "--name")
    if effective is not None and not is_date(effective):
        raise InputError("--effective", effective, "a date of the calendar such as 2025-10-01")
    old = folders.read_manifest(name) if name else None
    taken = _read(kind, files, effective, old)
    chosen = name or folders.check_new_name(_plain(taken.release))
    with folders.keeping(chosen) as folder:
        old = folders.read_manifest(chosen)
        taken = _beside(taken, old)
        manifest = folders.commit(folder, old, taken)
    try:
        _report(manifest, taken, as_json)
    except BrokenPipeError:
        raise
    except OSError as error:
        told = error.strerror or str(error)
        mend = f"can't take the report; the import itself is done, as set {chosen}"
        raise InputError("standard output", told, mend) from None


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")


def _read(kind: str, files: Sequence[str], effective: str | None, old: Manifest | None) -> Taken:
    from casegen.seeds.imports import cpt, icd10cm, mce, mue, ncci, sets

    if kind == "ncci":
        with progress(None, "lines read") as bar:
            return ncci.read(files, effective, bar.update)
    if kind == "mue":
        return mue.read(files, effective)
    if kind == "cpt":
        if effective is not None:
            told = "CPT descriptors are shown for any day; leave the option out"
            raise InputError("--effective", effective, told)
        return cpt.read(files)
    if kind == "mce":
        return mce.read(files, effective)
    return icd10cm.read(files, effective, sets.edits_of(old.name, sets.sound(old)) if old else None)


def _beside(taken: Taken, old: Manifest | None) -> Taken:
    """What is to be written where the set already holds some tables. A damaged one is replaced.
    Raises InputError where the two don't go together."""
    from casegen.seeds.imports import sets
    from casegen.seeds.imports.model import Manifest

    parts = sets.sound(old) if old else {}
    part = parts.get(taken.kind)
    if old is not None and part is not None and taken.kind == "ncci":
        return sets.with_pairs(old.name, part, taken)
    if old is not None and part is not None and not sets.same(part, taken):
        raise InputError(
            "name", old.name, f"the set already holds another {_WORDS[taken.kind]} "
            f"({part.edition}): give another --name, or remove the set first"
        )  # fmt: skip
    if taken.kind in ("icd10cm", "mce"):
        taken = sets.check_together(taken, Manifest(old.name, parts) if old else None)
    return sets.in_place_of(taken, old) if old is not None and part is None else taken


def _report(manifest: Manifest, taken: Taken, as_json: bool) -> None:
    part = manifest.parts[taken.kind]
    refusals = taken.refusals
    if as_json:
        facts = {
            "name": manifest.name, "kind": taken.kind, "edition": part.edition,
            "effective": part.effective, "digest": part.digest, "counts": dict(part.counts),
            "sources": [{"file": one.file, "sha256": one.sha256} for one in part.sources],
            "refused": [{"file": one.file, "line": one.line, "reason": one.reason}
                        for one in refusals.first],
            "remarks": list(taken.remarks),
        }  # fmt: skip
        click.echo(orjson.dumps(facts).decode())
        return
    click.echo(printable(f"{manifest.name}: {_told(taken.kind, part)}"))
    for source in part.sources:
        click.echo(printable(f"  from {source.file} (SHA-256 {source.sha256[:16]}…)"))
    for remark in taken.remarks:
        click.echo(printable(f"  note: {remark}"))
    for one in refusals.first:
        click.echo(printable(f"  refused {one.file}, line {one.line}: {one.reason}"))
    if refusals.count > len(refusals.first):
        click.echo(f"  refused {counted(refusals.count - len(refusals.first), 'more lines')}")
    click.echo(f"use it with --tables {manifest.name}")


def _told(kind: str, part: Part) -> str:
    """One line on a part: edition, date and counts."""
    if kind not in _WORDS:
        raise TableError(f"unknown kind of table {kind!r}")
    when = f", from {part.effective}" if part.effective else ""
    counts = ", ".join(
        counted(number, words.replace("_", " "))
        for words, number in part.counts.items()
        if number or words not in ("refused", "repeated")
    )
    return f"{part.edition}{when}: {counts}"
