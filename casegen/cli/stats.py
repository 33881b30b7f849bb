"""``casegen stats FILE``: what a file of cases is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import click
import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from casegen.schemas.anycase import AnyCase
from casegen.schemas.errors import printable

from ..variety import Variety, variety
from .command import Command
from .console import plain_console
from .family import Counted, family
from .progress import progress
from .source import cases_of

# Variety is measured on the first notes alone: the shares grow with the number of notes, and
# figures are only comparable at one size.
VARIETY_NOTES = 200
WIDEST = 100
_FIGURES = 20  # columns that count, share and the gaps take


@dataclass(slots=True)
class Stats:
    """Counts over the cases of one family; ``own`` counts what only this family has."""

    own: Counted
    cases: int = 0
    duplicates: int = 0
    difficulty: Counter[str] = field(default_factory=Counter)
    setting: Counter[str] = field(default_factory=Counter)
    redraws: Counter[str] = field(default_factory=Counter)
    keys: set[bytes] = field(default_factory=set)
    pairs: set[bytes] = field(default_factory=set)
    draws: int = 0
    first: list[AnyCase] = field(default_factory=list)

    def add(self, case: AnyCase, chapter_of: Callable[[str], str]) -> None:
        """Count one case."""
        self.cases += 1
        self.difficulty[case.difficulty] += 1
        self.setting[case.encounter.setting] += 1
        self.own.add(case, chapter_of)
        # Both siblings come from one draw and tell the same redraws.
        if "sibling" not in case.options or _is_new(self.pairs, case):
            self.draws += 1
            self.redraws.update(case.redraws)
        key = _identity(case)
        self.duplicates += key in self.keys
        self.keys.add(key)
        if len(self.first) < VARIETY_NOTES:
            self.first.append(case)

    def counts(self) -> dict[str, Counter[str]]:
        """How often each thing of a kind stands there, by the name of the kind."""
        head = {"difficulty": self.difficulty, "setting": self.setting}
        return {**head, **self.own.counts(), "redraws": self.redraws}

    def titles(self) -> dict[str, tuple[str, bool]]:
        """The kinds as a person reads them: a title, and whether they are sorted by name."""
        head = {"difficulty": ("Difficulty", False), "setting": ("Setting", False)}
        return {**head, **self.own.titles(), "redraws": ("Redraws by reason", False)}


def _is_new(pairs: set[bytes], case: AnyCase) -> bool:
    """Whether the case is the first of its pair of siblings; enters the pair."""
    from hashlib import blake2b

    names = [case.family, case.version, case.split, str(case.seed), str(case.index)]
    names += [f"{key}={case.options[key]}" for key in sorted(case.options) if key != "sibling"]
    pair = blake2b("\n".join(names).encode(), digest_size=16).digest()
    if pair in pairs:
        return False
    pairs.add(pair)
    return True


def _identity(case: AnyCase) -> bytes:
    """What two cases share if one is a duplicate of the other."""
    from hashlib import blake2b

    from ..variety import mask

    text = f"{case.structural_key}\n{mask(case)}"
    return blake2b(text.encode(), digest_size=16).digest()


@click.command(cls=Command)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(file: str, as_json: bool) -> None:
    """Tell of what the cases of FILE (or -) are made.

    Difficulty, settings, distinct codes, lengths and variety of the notes, the redraws by reason,
    and what a family alone has: of audits error types, decoys, authorities and chapters. Where
    FILE holds cases of several families each is told by itself.
    """
    families = collect(file)
    plain = {name: as_dict(stats, variety(stats.first)) for name, stats in families.items()}
    if as_json:
        if len(plain) == 1:
            told = next(iter(plain.values()))
        else:
            cases = sum(stats.cases for stats in families.values())
            told = {"cases": cases, "families": plain}
        click.echo(orjson.dumps(told).decode())
        return
    with plain_console(WIDEST) as console:
        for name, stats in families.items():
            if len(families) > 1:
                console.rule(Text(f" {name} "), align="left")
            _print(stats, variety(stats.first), console)


def collect(file: str) -> dict[str, Stats]:
    """The figures of a file by family, in the order in which the first case of each stands there.
    Raises InputError."""
    from ..knowledge import reference

    tables, _ = reference()

    def chapter_of(code: str) -> str:
        return f"chapter {tables.chapter(code):2}" if tables.exists(code) else "no such code"

    found: dict[str, Stats] = {}
    count = 0
    with progress(None, "cases counted") as bar:
        for _, case in cases_of(file):
            if case.family not in found:
                found[case.family] = Stats(family(case.family).counted())
            found[case.family].add(case, chapter_of)
            count += 1
            if count % 100 == 0:
                bar.update(100)
    return found


def as_dict(stats: Stats, varied: Variety) -> dict[str, Any]:
    """The figures as plain data."""
    return {
        "cases": stats.cases,
        **stats.own.numbers(),
        "distinct_codes": len(stats.own.codes),
        "duplicates": stats.duplicates,
        **{name: dict(sorted(counts.items())) for name, counts in stats.counts().items()},
        "note_words_quartiles": list(varied.words_quartiles),
        "variety": {
            "notes": varied.notes,
            "different_words": varied.different_words,
            "repeated_within_sentences": round(varied.repeated_within_sentences, 4),
            "repeated_across_sentences": round(varied.repeated_across_sentences, 4),
        },
    }


def _print(stats: Stats, varied: Variety, console: Console) -> None:
    again = stats.redraws.total()
    low, middle, high = varied.words_quartiles
    rows = (
        ("cases", f"{stats.cases}"),
        *stats.own.rows(stats.cases),
        ("distinct codes", f"{len(stats.own.codes)}"),
        ("duplicates", f"{stats.duplicates}"),
        ("redraws", f"{again} ({again / (stats.draws + again):.1%} of all draws)"),
    )
    _grid(console, rows)
    counts = stats.counts()
    # One width for the names of all tables, so that the figures stand in one column.
    width = max(len(name) for one in counts.values() for name in one)
    for kind, (title, by_name) in stats.titles().items():
        _table(console, title, counts[kind], width, by_name)
    console.print(Text(f"\nNotes (the first {varied.notes})", style="bold"))
    figures = (
        ("words (quartiles)", f"{low:.0f} / {middle:.0f} / {high:.0f}"),
        ("different words", f"{varied.different_words}"),
        ("8-word sequences that come back", f"{varied.repeated_within_sentences:.1%} in sentences"),
        ("", f"{varied.repeated_across_sentences:.1%} across them"),
    )
    _grid(console, figures)


def _grid(console: Console, rows: Sequence[tuple[str, str]]) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for row in rows:
        grid.add_row(f"  {row[0]}", row[1])
    console.print(grid)


def _table(
    console: Console, title: str, counts: Mapping[str, int], width: int, by_name: bool
) -> None:
    total = sum(counts.values())
    if not total:
        return
    console.print(Text(f"\n{title}", style="bold"))
    table = Table.grid(padding=(0, 2, 0, 0))
    bars = 24 if console.width >= 90 else 16
    room = max(20, console.width - bars - _FIGURES)
    table.add_column(min_width=min(width + 2, room), max_width=room, no_wrap=True)
    table.add_column(justify="right", min_width=6)
    table.add_column(justify="right", min_width=6)
    table.add_column(no_wrap=True, style="cyan")
    largest = max(counts.values())
    order = sorted(counts.items(), key=(lambda i: i[0]) if by_name else (lambda i: (-i[1], i[0])))
    for name, count in order:
        name = printable(name)
        bar = "█" * max(1, round(bars * count / largest))
        table.add_row(f"  {name}", str(count), f"{count / total:.1%}", bar)
    console.print(table)
