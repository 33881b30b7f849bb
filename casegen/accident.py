"""What ends one draw of a case and asks for another."""

from __future__ import annotations


class AccidentError(Exception):
    """A case that came out with more than was meant, or not at all; another draw is due."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
