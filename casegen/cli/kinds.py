"""Kinds of values that options take. What does not fit is told with the option and the mend."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from casegen.schemas import InputError

if TYPE_CHECKING:
    _Kind = click.ParamType[Any]
else:  # older releases of click take no arguments here
    _Kind = click.ParamType


class Whole(_Kind):
    """A whole number from ``least`` to ``most``."""

    name = "integer"

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Raises InputError."""
        told: Any = value
        try:
            told = number = int(value)
        except ValueError:
            number = self.least - 1
        if not self.least <= number <= self.most:
            raise InputError(
                _field(param), told, f"a whole number from {self.least} to {self.most}"
            )
        return number


class Number(_Kind):
    """A number from ``least`` to ``most``, or above ``least`` where that is left out; ``told``
    says what is right."""

    name = "float"

    def __init__(self, least: float, most: float, told: str, *, above: bool = False) -> None:
        self.least = least
        self.most = most
        self.told = told
        self.above = above

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number. Raises InputError."""
        told: Any = value
        try:
            told = number = float(value)
        except ValueError:
            number = float("nan")
        # nan is in no range.
        if not self.least <= number <= self.most or (self.above and number == self.least):
            raise InputError(_field(param), told, self.told)
        return number


class OneOf(_Kind):
    """One of some names; ``more`` says what else a person may look for."""

    name = "text"

    def __init__(self, names: Iterable[str], more: str = "") -> None:
        self.names = tuple(names)
        self.more = more

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name. Raises InputError."""
        if value not in self.names:
            told = f"one of {', '.join(self.names)}"
            raise InputError(_field(param), value, f"{told}; {self.more}" if self.more else told)
        return str(value)


class Folder(_Kind):
    """The name of a folder, which need not be there."""

    name = "folder"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name. Raises InputError."""
        if not value or "\0" in value:
            raise InputError(_field(param), value, "names no folder")
        return str(value)


def _field(param: click.Parameter | None) -> str:
    return "value" if param is None else param.metavar or max(param.opts, key=len)
