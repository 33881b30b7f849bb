"""Errors that a user can cause. Each says what is wrong, where, and how to mend it."""

from __future__ import annotations

# Characters of a line that complains; what may be a path stays whole, since its end tells most.
_MOST_VALUE, _MOST_PATH, _MOST_FIELD, _MOST_MEND = 80, 400, 200, 1000


def printable(text: str, keep: str = "") -> str:
    """``text`` with escapes for what is no character to see, so that no control sequence
    reaches a terminal: ESC is ``\\x1b``. What stands in ``keep`` stays."""
    if text.isprintable():
        return text
    return "".join(
        char
        if char.isprintable() or char in keep
        else char.encode("unicode_escape", "surrogatepass").decode()
        for char in text
    )


def shown(value: object, most: int = _MOST_VALUE) -> str:
    """A value as a complaint shows it, shortened; of one that can't be told, its kind."""
    if isinstance(value, str):
        if "/" in value[:most]:
            most = max(most, _MOST_PATH)
        value = value[: most + 1]
    try:
        return _clipped(repr(value), most)
    except (RecursionError, MemoryError, ValueError):
        # ValueError: a whole number of more digits than Python writes.
        return f"<{type(value).__name__}>"


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


class CasegenError(Exception):
    """Base of all errors that casegen raises on purpose; shown as one line, exit status 2."""


class InputError(CasegenError):
    """A value that casegen can't take.

    ``field`` names the option, column or JSON field; ``value`` is what stood there;
    ``mend`` says what would be right. ``path`` and ``line`` (from 1) are given for files.
    A value of None, as of a field that is missing, is not shown.
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
        stood = "" if value is None else f"{shown(value)}: "
        told = f"{_clipped(field, _MOST_FIELD)}: {stood}{_clipped(mend, _MOST_MEND)}"
        super().__init__(printable(where + told))


class TableError(CasegenError):
    """A reference table or knowledge file is missing, damaged or contradicts itself."""


class CertificationError(CasegenError):
    """The checker and the generator disagree on a case: a defect of casegen, never hidden."""
