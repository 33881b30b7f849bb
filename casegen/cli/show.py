"""``casegen show FILE[#i]``: one case as a person reads it."""

from __future__ import annotations

import re
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from casegen.schemas import Authority, Case, Decoy, Finding, InputError, Question
from casegen.schemas.errors import printable
from casegen.schemas.serial import case_from, case_line

from .command import Command
from .console import plain_console
from .source import lines_of, shown_name

# Prose gets hard to read in longer lines; a pipe has no width and gets the usual one.
WIDEST = 110


def find_case(place: str) -> Case:
    """The case at ``FILE#i`` (from 0; the first one without ``#i``). Raises InputError."""
    name, index = place, 0
    match = re.fullmatch(r"(.+)#([^#/]*)", place)
    if match and not Path(place).exists():
        name = match[1]
        if not re.fullmatch(r"[0-9]{1,18}", match[2]):
            raise InputError("file", place, "after # stands a whole number of 0 or more")
        index = int(match[2])
    count = 0
    for count, (number, data) in enumerate(lines_of(name), 1):
        if count == index + 1:
            return case_from(data, path=shown_name(name), line=number)
    last = "0 alone" if count == 1 else f"0 to {count - 1}"
    raise InputError("file", place, f"there is no case {index}; the file holds cases {last}")


@click.command(cls=Command)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print the case as one JSON object.")
def command(file: str, as_json: bool) -> None:
    """Show a case of FILE (FILE#3 for the fourth): the note with its evidence marked, the
    claim, the findings, decoys and questions."""
    case = find_case(file)
    if as_json:
        click.echo(case_line(case).decode(), nl=False)
    else:
        with plain_console(WIDEST) as console:
            show_case(case, console)


def show_case(case: Case, console: Console) -> None:
    """Print a case to a console."""
    patient, encounter = case.patient, case.encounter
    console.rule(_text(f" {case.id} "), align="left")
    stay = f"admitted {encounter.admission_date}, discharged " if encounter.admission_date else ""
    setting = encounter.setting.replace("_", " ")
    _pairs(
        console,
        ("patient", f"{patient.name}, {patient.sex}, born {patient.birth_date}"),
        ("", f"{patient.mrn}, {patient.insurance}"),
        ("encounter", f"{setting}, {stay}{encounter.service_date}"),
        ("claim type", encounter.claim_type),
        ("difficulty", f"{case.difficulty}, {case.max_steps} steps"),
    )
    _heading(console, "Note")
    console.print(_marked(case))
    _heading(console, "Proposed claim")
    console.print(_claim(case))
    _heading(console, f"Findings: {len(case.findings) or 'none, the claim is right as it stands'}")
    for number, finding in enumerate(case.findings, 1):
        _show_finding(console, number, finding)
    if case.decoys:
        _heading(console, f"Decoys, which look wrong and are right: {len(case.decoys)}")
    for decoy in case.decoys:
        _show_decoy(console, decoy)
    if case.questions:
        _heading(console, f"Questions to the physician: {len(case.questions)}")
        _pairs(console, *map(_question, case.questions))


def _text(text: str, style: str = "") -> Text:
    """Words of a case, with nothing in them that a terminal would obey."""
    return Text(printable(text, keep="\n"), style=style)


def _question(question: Question) -> tuple[str, str]:
    topic = question.topic.replace("_", " ")
    return topic, f"asked which {topic} → {question.answer}"


def _heading(console: Console, text: str) -> None:
    console.print(Text(f"\n{text}\n", style="bold"))


def _pairs(console: Console, *rows: tuple[str, str]) -> None:
    """Names and values in two columns, the values wrapped in theirs."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(_text(f"  {name}"), _text(value))
    console.print(grid)


def _show_finding(console: Console, number: int, finding: Finding) -> None:
    correction = finding.correction
    mend = {
        "remove": f"remove {correction.code}",
        "replace": f"replace {correction.code} by {correction.replacement}",
        "add_modifier": f"add modifier {correction.replacement} to {correction.code}",
    }[correction.action]
    pair = f" with {finding.related_code}" if finding.related_code else ""
    told = f"[{number}] line {finding.line}, {finding.code}{pair}: {finding.error_type}"
    console.print(_text(f"{told} ({finding.kind})", "red"))
    rows = [("why", finding.explanation), ("mend", mend), ("authority", _told(finding.authority))]
    quotes = dict.fromkeys(f'"{span.text}"' for span in finding.evidence)
    rows.append(("evidence", "; ".join(quotes) or "the code itself"))
    if finding.questions:
        rows.append(("ask about", ", ".join(finding.questions)))
    also: list[str] = [name for name in finding.accepted_error_types if name != finding.error_type]
    also += [code for code in finding.accepted_codes if code != finding.code]
    if also:
        rows.append(("a flag counts on", ", ".join(also)))
    _pairs(console, *rows)


def _show_decoy(console: Console, decoy: Decoy) -> None:
    pair = f" with {decoy.related_code}" if decoy.related_code else ""
    told = f"line {decoy.line}, {decoy.code}{pair}: no {decoy.error_type} ({decoy.kind})"
    console.print(_text(told, "green"))
    _pairs(console, ("why", decoy.reason), ("authority", _told(decoy.authority)))


def _told(authority: Authority) -> str:
    return f"{authority.reference} ({authority.edition})"


def _marked(case: Case) -> Text:
    """The note; the evidence of finding 1 stands as ``[1: words]``, in colour on a terminal."""
    spans: dict[tuple[int, int], list[int]] = {}
    for number, finding in enumerate(case.findings, 1):
        for span in finding.evidence:
            numbers = spans.setdefault((span.start, span.end), [])
            if number not in numbers:
                numbers.append(number)
    opens: dict[int, list[str]] = {}
    closes: dict[int, int] = {}
    for (start, end), numbers in sorted(spans.items(), key=lambda item: (item[0][0], -item[0][1])):
        opens.setdefault(start, []).append(f"[{','.join(map(str, numbers))}: ")
        closes[end] = closes.get(end, 0) + 1
    text = Text()
    depth = at = 0
    for place in sorted(set(opens) | set(closes)):
        text.append(_text(case.note[at:place], "bold yellow" if depth else ""))
        at = place
        for _ in range(closes.get(place, 0)):
            text.append("]", style="bold red")
            depth -= 1
        for mark in opens.get(place, ()):
            text.append(mark, style="bold red")
            depth += 1
    text.append(_text(case.note[at:].rstrip("\n")))
    return text


def _claim(case: Case) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("  line", justify="right")
    table.add_column("code", no_wrap=True)
    modified = any(line.modifiers for line in case.claim)
    if modified:
        table.add_column("modifiers", no_wrap=True)
    table.add_column("units", justify="right")
    table.add_column("system", no_wrap=True)
    table.add_column("description", overflow="fold")
    wrong = {finding.line for finding in case.findings}
    for line in case.claim:
        cells = [str(line.line), line.code]
        if modified:
            cells.append(" ".join(line.modifiers))
        cells += [str(line.units), line.system, line.description]
        table.add_row(*map(_text, cells), style="red" if line.line in wrong else "")
    return table
