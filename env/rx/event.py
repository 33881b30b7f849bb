"""What became of one act, told to the profile that rewards it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """``new`` counts the sources that the act showed for the first time. ``error`` says why it
    could not be carried out."""

    new: int = 0
    error: str | None = None

    @property
    def invalid(self) -> bool:
        """Whether the act could not be carried out."""
        return self.error is not None
