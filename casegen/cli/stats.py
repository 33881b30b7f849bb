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

from casegen.schemas import Case
from casegen.schemas.errors import printable

from ..variety import Variety, variety
from .command import Command
from .console import plain_console
from .progress import progress
from .source import cases_of

# Variety is measured on the first notes alone: the shares grow with the number of notes, and
# figures are only comparable at one size.
VARIETY_NOTES = 200
_COUNTS = (
    "difficulty", "setting", "error_type", "kind", "decoy", "authority", "chapter", "redraws",
)  # fmt: skip
WIDEST = 100
_FIGURES = 20  # columns that count, share and the gaps take


@dataclass(slots=True)
class Stats:
    """Counts over a file of cases."""

    cases: int = 0
    clean: int = 0
    ambiguous: int = 0
    findings: int = 0
    lines: int = 0
    duplicates: int = 0
    difficulty: Counter[str] = field(default_factory=Counter)
    error_type: Counter[str] = field(default_factory=Counter)
    kind: Counter[str] = field(default_factory=Counter)
    decoy: Counter[str] = field(default_factory=Counter)
    authority: Counter[str] = field(default_factory=Counter)
    chapter: Counter[str] = field(default_factory=Counter)
    setting: Counter[str] = field(default_factory=Counter)
    redraws: Counter[str] = field(default_factory=Counter)
    codes: set[str] = field(default_factory=set)
    keys: set[bytes] = field(default_factory=set)
    pairs: set[bytes] = field(default_factory=set)
    draws: int = 0

    def add(self, case: Case, chapter_of: Callable[[str], str]) -> None:
        """Count one case."""
        self.cases += 1
        self.clean += not case.findings
        self.ambiguous += bool(case.questions)
        self.findings += len(case.findings)
        self.lines += len(case.claim)
        self.difficulty[case.difficulty] += 1
        self.setting[case.encounter.setting] += 1
        for finding in case.findings:
            self.error_type[finding.error_type] += 1
            self.kind[f"{finding.error_type}: {finding.kind}"] += 1
            self.authority[finding.authority.source] += 1
        for decoy in case.decoys:
            self.decoy[f"{decoy.error_type}: {decoy.kind}"] += 1
        for line in case.claim:
            self.codes.add(line.code)
            if line.system == "ICD-10-CM":
                self.chapter[chapter_of(line.code)] += 1
        # Both siblings come from one draw and tell the same redraws.
        if "sibling" not in case.options or _is_new(self.pairs, case):
            self.draws += 1
            self.redraws.update(case.redraws)
        key = _identity(case)
        self.duplicates += key in self.keys
        self.keys.add(key)


def _is_new(pairs: set[bytes], case: Case) -> bool:
    """Whether the case is the first of its pair of siblings; enters the pair."""
    from hashlib import blake2b

    names = [case.family, case.version, case.split, str(case.seed), str(case.index)]
    names += [f"{key}={case.options[key]}" for key in sorted(case.options) if key != "sibling"]
    pair = blake2b("\n".join(names).encode(), digest_size=16).digest()
    if pair in pairs:
        return False
    pairs.add(pair)
    return True


def _identity(case: Case) -> bytes:
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

    Difficulty, error types, decoys, authorities, chapters, distinct codes, lengths and variety
    of the notes, and the redraws by reason.
    """
    stats, varied = collect(file)
    if as_json:
        click.echo(orjson.dumps(as_dict(stats, varied)).decode())
    else:
        with plain_console(WIDEST) as console:
            _print(stats, varied, console)


def collect(file: str) -> tuple[Stats, Variety]:
    """The figures of a file. Raises InputError."""
    from ..knowledge import reference

    tables, _ = reference()

    def chapter_of(code: str) -> str:
        return f"chapter {tables.chapter(code):2}" if tables.exists(code) else "no such code"

    stats = Stats()
    first: list[Case] = []
    with progress(None, "cases counted") as bar:
        for _, case in cases_of(file):
            stats.add(case, chapter_of)
            if len(first) < VARIETY_NOTES:
                first.append(case)
            if stats.cases % 100 == 0:
                bar.update(100)
    return stats, variety(first)


def as_dict(stats: Stats, varied: Variety) -> dict[str, Any]:
    """The figures as plain data."""
    return {
        "cases": stats.cases,
        "clean": stats.clean,
        "ambiguous": stats.ambiguous,
        "findings": stats.findings,
        "claim_lines": stats.lines,
        "distinct_codes": len(stats.codes),
        "duplicates": stats.duplicates,
        **{name: dict(sorted(getattr(stats, name).items())) for name in _COUNTS},
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
        ("clean", f"{stats.clean} ({stats.clean / stats.cases:.1%})"),
        ("with a question", f"{stats.ambiguous} ({stats.ambiguous / stats.cases:.1%})"),
        ("findings", f"{stats.findings} ({stats.findings / stats.cases:.2f} a case)"),
        ("claim lines", f"{stats.lines} ({stats.lines / stats.cases:.1f} a case)"),
        ("distinct codes", f"{len(stats.codes)}"),
        ("duplicates", f"{stats.duplicates}"),
        ("redraws", f"{again} ({again / (stats.draws + again):.1%} of all draws)"),
    )
    _grid(console, rows)
    tables = (
        ("Difficulty", stats.difficulty, False),
        ("Setting", stats.setting, False),
        ("Error type of findings", stats.error_type, False),
        ("Kind of finding", stats.kind, False),
        ("Authority of findings", stats.authority, False),
        ("Decoys", stats.decoy, False),
        ("ICD-10-CM chapter of claim lines", stats.chapter, True),
        ("Redraws by reason", stats.redraws, False),
    )
    # One width for the names of all tables, so that the figures stand in one column.
    width = max(len(name) for _, counts, _ in tables for name in counts)
    for title, counts, by_name in tables:
        _table(console, title, counts, width, by_name)
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
