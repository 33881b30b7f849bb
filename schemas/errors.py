"""Errors that a user can cause. Each says what is wrong, where, and how to mend it."""

from __future__ import annotations


class CasegenError(Exception):
    """Base of all errors that casegen raises on purpose; shown as one line, exit status 2."""


class InputError(CasegenError):
    """A value that casegen can't take.

    ``field`` names the option, column or JSON field; ``value`` is what stood there;
    ``mend`` says what would be right. ``path`` and ``line`` (from 1) are given for files.
    """

    def __init__(
        self,
        field: str,
        value: object,
        mend: str,
        *,
        path: str | None = None,
        line: int | None = None,
    ) -> None:
        self.field = field
        self.value = value
        self.mend = mend
        self.path = path
        self.line = line
        where = ""
        if path is not None:
            where = f"{path}: " if line is None else f"{path}, line {line}: "
        shown = repr(value)
        if len(shown) > 80:
            shown = shown[:77] + "..."
        super().__init__(f"{where}{field}: {shown}: {mend}")


class TableError(CasegenError):
    """A reference table or knowledge file is missing, damaged or contradicts itself."""


class CertificationError(CasegenError):
    """The checker and the generator disagree on a case: a defect of casegen, never hidden."""
