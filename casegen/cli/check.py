"""``casegen check FILE``: scrub anyone's claim, or judge a prescription."""

from __future__ import annotations

from typing import NoReturn

import click
import orjson

from casegen.schemas import InputError
from casegen.schemas.errors import printable

from ..config import BUNDLED
from .command import Command
from .source import shown_name, whole
from .tables import descriptors_of, need_time_of, tables_option


@click.command(cls=Command)
@click.argument("claim")
@tables_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(context: click.Context, claim: str, tables: str, as_json: bool) -> None:
    """Find the errors of the claim or prescription in the file CLAIM (or -).

    A claim is one JSON object with patient, service_date, setting, claim_type and lines. The
    facts of the chart may stand in its record; a fact needs no more than its kind and its term:

    \b
      "record": [
        {"kind": "problem", "term": "Unilateral primary osteoarthritis of knee",
         "attributes": {"side": "left"}}]

    Beside this record the line {"code": "M17.11"}, the right knee, is a laterality error. Without
    a record, or with a term that is no wording of the tabular list, the chart is not judged.

    A prescription is one JSON object with prescription and what is known of the patient:

    \b
      {"prescription": {"drug": "Zocor", "dose": "40 mg", "frequency": "nightly"},
       "patient": {"sex": "male", "age": 61, "weight_kg": 80},
       "allergies": [{"allergen": "penicillin", "reaction": "hives"}],
       "medications": [{"drug": "amlodipine", "dose": "5 mg", "frequency": "daily"}],
       "conditions": ["N18.31", "hypertension"], "labs": {"eGFR": 52}}

    Exit status 0 without errors, 1 with errors, 2 if the file can't be read.
    """
    from ..checker import check, read_claim, render_report, report_dict
    from ..knowledge import reference_of

    shown = shown_name(claim)
    text = whole(claim)
    if not text.strip():
        raise InputError("file", shown, "is empty; there is no claim to read")
    try:
        data = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if _is_case(text.partition(b"\n")[0]):  # a file of several
            _refuse_case(shown)
        number = error.lineno
        told = (text.splitlines()[number - 1 : number] or [b""])[0].strip()[:40]
        raise InputError(
            "claim",
            told.decode("utf-8", "replace"),
            f"no JSON: {error.msg}",
            path=shown,
            line=number,
        ) from None
    if isinstance(data, dict) and "findings" in data:
        _refuse_case(shown)
    if isinstance(data, dict) and "prescription" in data:
        _prescription(context, data, shown, tables, as_json)
        return
    view = read_claim(data, shown)
    icd, services = reference_of(tables)
    need_time_of(icd, view.service_date, "service_date", shown)
    report = check(view, icd, services)
    known = descriptors_of(tables)
    codes = dict.fromkeys(line.code.strip().upper() for line in view.lines)
    texts = {code: known[code] for code in codes if code in known}
    if as_json:
        more = {"descriptors": texts} if texts else {}
        click.echo(orjson.dumps({**report_dict(report), **more}).decode())
    else:
        lines = [f"  {code}  {text}\n" for code, text in texts.items()]
        shown_report = render_report(report, view) + ("\nYOUR CPT TEXTS\n" if lines else "")
        click.echo(printable(shown_report + "".join(lines), keep="\n"), nl=False)
    context.exit(1 if report.verdicts else 0)


def _prescription(
    context: click.Context, data: dict[str, object], shown: str, tables: str, as_json: bool
) -> None:
    from casegen.seeds.rx.loader import load

    from ..checker.rx import check, render_report, report_dict
    from ..checker.rx.outside import read_prescription

    if tables != BUNDLED:
        raise InputError("--tables", tables, "leave it out; drug knowledge judges a prescription")
    rx = load()
    told = read_prescription(data, shown, rx)
    report = check(told.prescription, told.record, told.on, rx, begun_told=told.begun_told)
    report.open += told.unread
    if as_json:
        click.echo(orjson.dumps(report_dict(report)).decode())
    else:
        click.echo(printable(render_report(report, told.prescription), keep="\n"), nl=False)
    context.exit(1 if report.findings else 0)


def _is_case(line: bytes) -> bool:
    try:
        data = orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return isinstance(data, dict) and "findings" in data


def _refuse_case(shown: str) -> NoReturn:
    raise InputError("claim", "findings", "this is a case; use casegen validate", path=shown)
