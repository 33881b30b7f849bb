"""An rx case on paper: the first observation of an episode, as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console

from casegen.cli.paper import heading, pairs, text

from .written import looked_for, patient, prescription


def print_task(seen: Mapping[str, Any], console: Console) -> None:
    """Print an observation: what is looked for, the patient and the prescription."""
    console.rule(text(f" {seen['task_id']} "), align="left")
    pairs(
        console,
        ("task", f"{seen['task']}: {looked_for(seen['task'])}"),
        ("difficulty", f"{seen['difficulty']}, {seen['max_steps']} steps"),
    )
    heading(console, "Patient")
    console.print(text(f"  {patient(seen)}"))
    heading(console, "Prescription")
    console.print(text(f"  {prescription(seen)}"))
    console.print(text("  Allergies, medications and conditions are told when they are asked for."))
