"""``casegen code CODE [CODE]``: all that the tables know of a code, or of a pair."""

from __future__ import annotations

from datetime import date
from typing import Any

import click
import orjson

from casegen.schemas import InputError

from .command import Command
from .tables import descriptors_of, need_time_of, tables_option

DEFAULT_DATE = "2026-04-01"


@click.command(cls=Command)
@click.argument("code")
@click.argument("other", required=False)
@click.option(
    "--date", "on", default=None, help=f"Date of service; else {DEFAULT_DATE}, or the first day of "
    "the imported tables."
)  # fmt: skip
@tables_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(code: str, other: str | None, on: str | None, tables: str, as_json: bool) -> None:
    """Tell title, validity, edits and notes of CODE, or what ties CODE and OTHER.

    ICD-10-CM codes are read in any spelling (e119 is E11.9); services are those of the list
    that comes with casegen, and with imported tables those of their pairs and texts.
    """
    from ..checker.outside import FIRST_DAY, LAST_DAY
    from ..knowledge import reference_of
    from ..lookup.codes import describe, describe_pair
    from ..lookup.text import pair_lines, single_lines
    from .console import plain_console

    try:
        right = on is None or date.fromisoformat(on).isoformat() == on
    except ValueError:
        right = False
    if not right:
        raise InputError("--date", on, "must be a date of the calendar such as 2026-04-30")
    icd, services = reference_of(tables)
    texts = descriptors_of(tables)
    on = on or icd.window[0]
    if not FIRST_DAY <= on <= LAST_DAY:
        raise InputError("--date", on, f"the code tables cover {FIRST_DAY} to {LAST_DAY}")
    need_time_of(icd, on, "--date")
    first = describe(code, on, icd, services, texts)
    facts: dict[str, Any]
    if other is None:
        facts = first
    else:
        second = describe(other, on, icd, services, texts)
        facts = describe_pair(first, second, on, icd, services)
    if as_json:
        click.echo(orjson.dumps(facts).decode())
        return
    with plain_console() as console:
        width = console.width if console.is_terminal else None
    lines = single_lines(facts, width) if other is None else pair_lines(facts, width)
    click.echo("\n".join(lines))
