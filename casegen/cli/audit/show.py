"""An audit on paper: the note with its evidence marked, the claim, findings and decoys."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from casegen.schemas import Case, Decoy, Finding, Question

from ..paper import head, heading, marked, pairs, quoted, text, told


def show_case(case: Case, console: Console) -> None:
    """Print a case to a console."""
    head(case, console)
    heading(console, "Note")
    console.print(marked(case.note, [finding.evidence for finding in case.findings]))
    heading(console, "Proposed claim")
    console.print(_claim(case))
    heading(console, f"Findings: {len(case.findings) or 'none, the claim is right as it stands'}")
    for number, finding in enumerate(case.findings, 1):
        _show_finding(console, number, finding)
    if case.decoys:
        heading(console, f"Decoys, which look wrong and are right: {len(case.decoys)}")
    for decoy in case.decoys:
        _show_decoy(console, decoy)
    if case.questions:
        heading(console, f"Questions to the physician: {len(case.questions)}")
        pairs(console, *map(_question, case.questions))


def _question(question: Question) -> tuple[str, str]:
    topic = question.topic.replace("_", " ")
    return topic, f"asked which {topic} → {question.answer}"


def _show_finding(console: Console, number: int, finding: Finding) -> None:
    correction = finding.correction
    mend = {
        "remove": f"remove {correction.code}",
        "replace": f"replace {correction.code} by {correction.replacement}",
        "add_modifier": f"add modifier {correction.replacement} to {correction.code}",
    }[correction.action]
    pair = f" with {finding.related_code}" if finding.related_code else ""
    line = f"[{number}] line {finding.line}, {finding.code}{pair}: {finding.error_type}"
    console.print(text(f"{line} ({finding.kind})", "red"))
    rows = [("why", finding.explanation), ("mend", mend), ("authority", told(finding.authority))]
    rows.append(("evidence", quoted(finding.evidence) or "the code itself"))
    if finding.questions:
        rows.append(("ask about", ", ".join(finding.questions)))
    also: list[str] = [name for name in finding.accepted_error_types if name != finding.error_type]
    also += [code for code in finding.accepted_codes if code != finding.code]
    if also:
        rows.append(("a flag counts on", ", ".join(also)))
    pairs(console, *rows)


def _show_decoy(console: Console, decoy: Decoy) -> None:
    pair = f" with {decoy.related_code}" if decoy.related_code else ""
    line = f"line {decoy.line}, {decoy.code}{pair}: no {decoy.error_type} ({decoy.kind})"
    console.print(text(line, "green"))
    pairs(console, ("why", decoy.reason), ("authority", told(decoy.authority)))


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
        table.add_row(*map(text, cells), style="red" if line.line in wrong else "")
    return table
