"""A task on paper: the first observation of an episode, as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from casegen.cli.console import plain_console
from casegen.cli.show import WIDEST
from casegen.schemas.errors import printable


def print_task(seen: Mapping[str, Any]) -> None:
    """Print an observation: what is told of the patient and the visit, the note, the claim."""
    with plain_console(WIDEST) as console:
        console.rule(_text(f" {seen['task_id']} "), align="left")
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True, style="dim")
        grid.add_column(overflow="fold")
        for title, told in (
            ("patient", seen["patient_demographics"]),
            ("encounter", seen["encounter"]),
        ):
            grid.add_row(_text(f"  {title}"), _text(_told(told)))
        level = f"{seen['difficulty']}, {seen['max_steps']} steps"
        grid.add_row(_text("  difficulty"), _text(level))
        console.print(grid)
        console.print(Text("\nNote\n", style="bold"))
        console.print(_text(seen["clinical_note"].rstrip("\n")))
        console.print(Text("\nProposed claim\n", style="bold"))
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
        table.add_row(*(_text(str(cell)) for cell in (*cells, line["code_type"], described)))
    return table


def _text(text: str) -> Text:
    """Words of a case, with nothing in them that a terminal would obey."""
    return Text(printable(text, keep="\n"))
