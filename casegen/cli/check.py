"""``casegen check CLAIM.json``: scrub anyone's claim."""

from __future__ import annotations

import json
import sys

import click

from casegen.schemas import InputError


@click.command()
@click.argument("claim")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(claim: str, as_json: bool) -> None:
    """Find the errors of the claim in the file CLAIM (or ``-``).

    Exit status 0 without errors, 1 with errors, 2 if the claim can't be read.
    """
    from ..checker import check, read_claim, render_report, report_dict
    from ..knowledge import reference

    shown = "standard input" if claim == "-" else claim
    try:
        text = sys.stdin.read() if claim == "-" else open(claim, encoding="utf-8").read()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("claim", claim, getattr(error, "strerror", None) or str(error)) from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            "claim", text[:40], f"no JSON: {error.msg}", path=shown, line=error.lineno
        ) from None
    view = read_claim(data, shown)
    report = check(view, *reference())
    if as_json:
        print(json.dumps(report_dict(report), ensure_ascii=False))
    else:
        print(render_report(report, view))
    sys.exit(1 if report.verdicts else 0)
