"""A progress bar where a person looks on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Bar(Protocol):
    """What a loop needs of a progress bar."""

    def update(self, steps: int) -> None:
        """``steps`` more are done."""


class _Silent:
    def update(self, steps: int) -> None:
        """Nothing is shown in a pipe."""


def watched() -> bool:
    """Whether a person looks on."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def progress(total: int | None, label: str, *, quiet: bool = False) -> Iterator[Bar]:
    """A bar on standard error if that is a terminal, nothing elsewhere or if ``quiet``.

    ``total`` None means that nobody knows how many there will be.
    """
    if quiet or not watched():
        yield _Silent()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    end = TimeElapsedColumn() if total is None else TimeRemainingColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), end)
    # The result of the command says what was done; the bar goes when it is.
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(label, total=total)

        class _Shown:
            def update(self, steps: int) -> None:
                shown.update(task, advance=steps)

        yield _Shown()
