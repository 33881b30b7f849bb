"""Writes the note from the chart, and records the span of every fact that it states."""

from .writer import Cut, Written, write_note

__all__ = ["Cut", "Written", "write_note"]
