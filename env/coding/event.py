"""What became of one act, told to the profile that rewards it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """``outside`` counts the codes beyond the allowed set, for which a draft was refused;
    ``repeated`` tells that the draft stood before; ``hinted`` that a hint was asked for, and
    ``exhausted`` that there was none left. ``error`` says why a part was not done."""

    outside: int = 0
    repeated: bool = False
    hinted: bool = False
    exhausted: bool = False
    error: str | None = None

    @property
    def invalid(self) -> bool:
        """Whether a part of the act could not be carried out."""
        return self.error is not None
