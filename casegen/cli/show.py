"""``casegen show FILE[#i]``: one case as a person reads it."""

from __future__ import annotations

import re

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from casegen.schemas import Case, Finding, InputError

from .source import cases_of


def find_case(place: str) -> Case:
    """The case at ``FILE#i`` (from 0; the first one without ``#i``)."""
    name, index = place, 0
    match = re.fullmatch(r"(.+)#(.*)", place)
    if match:
        name = match[1]
        if not match[2].isascii() or not match[2].isdigit():
            raise InputError("file", place, "after # a whole number of 0 or more")
        index = int(match[2])
    count = 0
    for count, (_, case) in enumerate(cases_of(name), 1):
        if count == index + 1:
            return case
    raise InputError("file", place, f"the file holds {count} cases, numbered from 0")


@click.command()
@click.argument("file")
def command(file: str) -> None:
    """Show a case of FILE (FILE#3 for the fourth): the note with its evidence marked, the
    claim, the findings, decoys and questions."""
    show_case(find_case(file), Console(highlight=False, soft_wrap=False))


def show_case(case: Case, console: Console) -> None:
    """Print a case to a console."""
    patient, encounter = case.patient, case.encounter
    console.rule(f"{case.id}  {case.difficulty}, {case.max_steps} steps")
    console.print(
        f"{patient.name}, {patient.sex}, born {patient.birth_date}, {patient.mrn}, "
        f"{patient.insurance}"
    )
    stay = f", admitted {encounter.admission_date}" if encounter.admission_date else ""
    console.print(
        f"{encounter.setting} {encounter.service_date}{stay}, {encounter.claim_type} claim\n"
    )
    console.print(_marked(case))
    console.print()
    console.print(_claim(case))
    if not case.findings:
        console.print("No findings: the claim is right as it stands.")
    for number, finding in enumerate(case.findings, 1):
        _show_finding(console, number, finding)
    for decoy in case.decoys:
        pair = f" with {decoy.related_code}" if decoy.related_code else ""
        console.print(f"\nDecoy  line {decoy.line} {decoy.code}{pair}: {decoy.kind}", style="green")
        console.print(f"  {decoy.reason}\n  {decoy.authority.reference} ({decoy.authority.edition})")
    for question in case.questions:
        console.print(f"\nThe physician, asked about the {question.topic}: {question.answer}")


def _show_finding(console: Console, number: int, finding: Finding) -> None:
    correction = finding.correction
    mend = correction.action
    if correction.replacement:
        mend += f" {'by' if correction.action == 'replace' else ''} {correction.replacement}"
    console.print(
        f"\n[{number}] line {finding.line} {finding.code}: {finding.error_type} ({finding.kind})",
        style="red",
        markup=False,
    )
    console.print(f"  {finding.explanation}", markup=False)
    console.print(f"  mend: {' '.join(mend.split())}", markup=False)
    authority = finding.authority
    console.print(f"  authority: {authority.reference} ({authority.edition})", markup=False)


def _marked(case: Case) -> Text:
    """The note; evidence stands in ``[n: ...]`` and, on a terminal, in colour."""
    opens: dict[int, list[str]] = {}
    closes: dict[int, int] = {}
    text = Text()
    spans: dict[tuple[int, int], list[int]] = {}
    for number, finding in enumerate(case.findings, 1):
        for span in finding.evidence:
            spans.setdefault((span.start, span.end), []).append(number)
    for (start, end), numbers in sorted(spans.items(), key=lambda item: (item[0][0], -item[0][1])):
        opens.setdefault(start, []).append(f"[{','.join(map(str, numbers))}: ")
        closes[end] = closes.get(end, 0) + 1
    depth = 0
    at = 0
    for place in sorted(set(opens) | set(closes)):
        text.append(case.note[at:place], style="bold yellow" if depth else "")
        at = place
        for _ in range(closes.get(place, 0)):
            text.append("]", style="bold red")
            depth -= 1
        for mark in opens.get(place, ()):
            text.append(mark, style="bold red")
            depth += 1
    text.append(case.note[at:])
    return text


def _claim(case: Case) -> Table:
    table = Table(title="Proposed claim", title_justify="left")
    for column in ("line", "code", "system", "modifiers", "units", "description"):
        table.add_column(column, overflow="fold")
    wrong = {finding.line for finding in case.findings}
    for line in case.claim:
        table.add_row(
            str(line.line),
            line.code,
            line.system,
            " ".join(line.modifiers),
            str(line.units),
            line.description,
            style="red" if line.line in wrong else "",
        )
    return table


