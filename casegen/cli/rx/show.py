"""An rx case on paper: the prescription, the record with its evidence marked, findings, decoys."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from casegen.schemas import RxCase
from casegen.schemas.rx_case import RxAuthority, RxDecoy, RxFinding

from ..paper import head, heading, marked, pairs, quoted, text


def show_case(case: RxCase, console: Console) -> None:
    """Print a case to a console."""
    head(case, console)
    one = case.prescription
    told = " ".join(part for part in (one.dose, one.route, one.frequency) if part)
    begun = "new" if one.starting else "continued"
    pairs(
        console,
        ("task", case.task),
        ("prescription", f"{one.drug} {told}"),
        ("", f"{one.form or 'form not told'}, for {one.indication or 'what is not told'}, {begun}"),
    )
    heading(console, "Record")
    console.print(marked(case.note, [finding.evidence for finding in case.findings]))
    heading(
        console, f"Answer: {case.recommendation}, dose {'safe' if case.dosage_safe else 'unsafe'}"
    )
    rows = [("why", case.rationale)]
    if case.also_accepted:
        rows.append(("as right", ", ".join(case.also_accepted)))
    pairs(console, *rows)
    heading(console, f"Findings: {len(case.findings) or 'none'}")
    for number, finding in enumerate(case.findings, 1):
        _show_finding(console, number, finding)
    if case.decoys:
        heading(console, f"Decoys, which look wrong and are right: {len(case.decoys)}")
    for decoy in case.decoys:
        _show_decoy(console, decoy)


def _by(authority: Sequence[RxAuthority]) -> str:
    """Authorities with their sections."""
    return "; ".join(f"{one.source}: {one.reference}, {one.section}" for one in authority)


def _show_finding(console: Console, number: int, finding: RxFinding) -> None:
    what = finding.names[0] if finding.names else finding.pair[0]
    line = f"[{number}] {finding.component}: {finding.problem}, {what}"
    console.print(text(f"{line} ({finding.severity}, {finding.asks})", "red"))
    rows = [
        ("why", finding.reason),
        ("effect", finding.effect),
        ("mend", finding.management),
        ("authority", _by(finding.authority)),
    ]
    if finding.disputed:
        rows.append(("disputed", finding.disputed))
    rows.append(("evidence", quoted(finding.evidence)))
    if len(finding.names) > 1:
        rows.append(("also named", ", ".join(finding.names[1:])))
    pairs(console, *rows)


def _show_decoy(console: Console, decoy: RxDecoy) -> None:
    what = decoy.names[0] if decoy.names else decoy.pair[0]
    free = ", naming it costs nothing" if decoy.tolerated else ""
    console.print(text(f"{decoy.component}: no finding, {what} ({decoy.kind}{free})", "green"))
    rows = [("why", decoy.reason), ("authority", _by(decoy.authority))]
    pairs(console, *rows, ("evidence", quoted(decoy.evidence)))
