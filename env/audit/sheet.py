"""An audit on paper: the first observation of an episode, as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from casegen.cli.paper import heading, pairs, text


def print_task(seen: Mapping[str, Any], console: Console) -> None:
    """Print an observation: what is told of the patient and the visit, the note, the claim."""
    console.rule(text(f" {seen['task_id']} "), align="left")
    pairs(
        console,
        ("patient", _told(seen["patient_demographics"])),
        ("encounter", _told(seen["encounter"])),
        ("difficulty", f"{seen['difficulty']}, {seen['max_steps']} steps"),
    )
    heading(console, "Note")
    console.print(text(seen["clinical_note"].rstrip("\n")))
    heading(console, "Proposed claim")
    console.print(_claim(seen))


def _told(facts: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name.replace('_', ' ')} {value}" for name, value in facts.items() if value is not None
    )


def _claim(seen: Mapping[str, Any]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("  line", justify="right")
    for title in ("code", "modifiers", "units", "system"):
        table.add_column(title, no_wrap=True)
    table.add_column("description", overflow="fold")
    codes = seen["proposed_codes"]
    for line in seen["claim_lines"]:
        described = codes.get(line["code"], {}).get("description", "")
        cells = (line["line"], line["code"], " ".join(line["modifiers"]), line["units"])
        table.add_row(*(text(str(cell)) for cell in (*cells, line["code_type"], described)))
    return table
