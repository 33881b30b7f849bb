"""``casegen drug NAME [NAME]``: all that is known of a drug, or of a pair."""

from __future__ import annotations

import click
import orjson

from .command import Command


@click.command(cls=Command)
@click.argument("drug")
@click.argument("other", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(drug: str, other: str | None, as_json: bool) -> None:
    """Tell what is known of DRUG, with authorities, or what ties DRUG and OTHER.

    A drug is named by its generic name, a brand or a synonym, in any case. Names are not
    guessed: a name that is not known is told so.
    """
    from casegen.seeds.rx.loader import load

    from ..lookup.drug_text import pair_lines, single_lines
    from ..lookup.drugs import describe, describe_pair, find
    from .console import plain_console

    rx = load()
    first = find(drug, "DRUG", rx)
    if other is None:
        facts = describe(first, rx)
    else:
        facts = describe_pair(first, find(other, "OTHER", rx), rx)
    if as_json:
        click.echo(orjson.dumps(facts).decode())
        return
    with plain_console() as console:
        width = console.width if console.is_terminal else None
    lines = single_lines(facts, width) if other is None else pair_lines(facts, width)
    click.echo("\n".join(lines))
