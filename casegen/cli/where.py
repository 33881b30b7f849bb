"""Where a case stands that is examined."""

from __future__ import annotations

from typing import NoReturn

from casegen.schemas import InputError


class Where:
    """The file and the line of a case."""

    def __init__(self, path: str, line: int) -> None:
        self.path = path
        self.line = line

    def fail(self, field: str, value: object, mend: str) -> NoReturn:
        """Raise the InputError about one field."""
        raise InputError(field, value, mend, path=self.path, line=self.line)
