"""A coding case on paper: the first observation of an episode, as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from casegen.cli.paper import heading, pairs, text


def print_task(seen: Mapping[str, Any], console: Console) -> None:
    """Print an observation: the objective, the note, the codes to choose from."""
    console.rule(text(f" {seen['task_id']} "), align="left")
    pairs(
        console,
        ("objective", seen["objective"]),
        ("difficulty", f"{seen['difficulty']}, {seen['max_steps']} steps"),
    )
    heading(console, "Note")
    console.print(text(seen["encounter_text"].rstrip("\n")))
    heading(console, "Codes to choose from")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("  code", no_wrap=True)
    table.add_column("title", overflow="fold")
    for code, title in seen["code_titles"].items():
        table.add_row(text(f"  {code}"), text(title))
    console.print(table)
