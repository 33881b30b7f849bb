"""Writes the note from the chart, and records the span of every fact that it states."""

from .writer import Written, write_note

__all__ = ["Written", "write_note"]
