"""``casegen stats FILE``: what a file of cases is made of."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from casegen.schemas import Case

from ..knowledge import reference
from ..variety import Variety, variety
from .source import cases_of

# Variety is measured on the first notes alone: the shares grow with the number of notes, and
# figures are only comparable at one size.
VARIETY_NOTES = 200


@dataclass(slots=True)
class Stats:
    """Counts over a file of cases."""

    cases: int = 0
    clean: int = 0
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
    keys: set[tuple[str, str]] = field(default_factory=set)

    def add(self, case: Case, chapter_of: Any) -> None:
        """Count one case."""
        self.cases += 1
        self.clean += not case.findings
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
        self.redraws.update(case.redraws)


@click.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(file: str, as_json: bool) -> None:
    """Difficulty, error types, authorities, chapters, codes, notes, variety, redraws."""
    from hashlib import blake2b

    from ..variety import mask

    tables, _ = reference()

    def chapter_of(code: str) -> str:
        return f"{tables.chapter(code):02d}" if tables.exists(code) else "no such code"

    stats = Stats()
    first: list[Case] = []
    for _, case in cases_of(file):
        stats.add(case, chapter_of)
        key = (case.structural_key, blake2b(mask(case).encode(), digest_size=8).hexdigest())
        stats.duplicates += key in stats.keys
        stats.keys.add(key)
        if len(first) < VARIETY_NOTES:
            first.append(case)
    varied = variety(islice(first, VARIETY_NOTES))
    if as_json:
        print(json.dumps(as_dict(stats, varied)))
    else:
        _print(stats, varied, Console(highlight=False))


def as_dict(stats: Stats, varied: Variety) -> dict[str, Any]:
    """The figures as plain data."""
    return {
        "cases": stats.cases,
        "clean": stats.clean,
        "findings": stats.findings,
        "claim_lines": stats.lines,
        "distinct_codes": len(stats.codes),
        "duplicates": stats.duplicates,
        **{
            name: dict(sorted(getattr(stats, name).items()))
            for name in ("difficulty", "setting", "error_type", "kind", "decoy", "authority", "chapter", "redraws")
        },
        "note_words_quartiles": list(varied.words_quartiles),
        "variety": {
            "notes": varied.notes,
            "different_words": varied.different_words,
            "repeated_within_sentences": round(varied.repeated_within_sentences, 4),
            "repeated_across_sentences": round(varied.repeated_across_sentences, 4),
        },
    }


def _print(stats: Stats, varied: Variety, console: Console) -> None:
    clean = stats.clean / stats.cases
    again = sum(stats.redraws.values())
    console.print(
        f"{stats.cases} cases ({clean:.1%} clean), {stats.findings} findings, "
        f"{stats.lines} claim lines, {len(stats.codes)} distinct codes, "
        f"{stats.duplicates} duplicates, {again / (stats.cases + again):.1%} redraws"
    )
    _table(console, "difficulty", stats.difficulty)
    _table(console, "setting", stats.setting)
    _table(console, "error type", stats.error_type)
    _table(console, "kind", stats.kind)
    _table(console, "decoy", stats.decoy)
    _table(console, "authority", stats.authority)
    _table(console, "ICD-10-CM chapter of claim lines", stats.chapter, by_name=True)
    if stats.redraws:
        _table(console, "redraw", stats.redraws)
    low, middle, high = varied.words_quartiles
    console.print(
        f"notes (first {varied.notes}): {low:.0f} / {middle:.0f} / {high:.0f} words (quartiles), "
        f"{varied.different_words} different words, 8-word sequences more than once: "
        f"{varied.repeated_within_sentences:.1%} within sentences, "
        f"{varied.repeated_across_sentences:.1%} across"
    )


def _table(console: Console, title: str, counts: Mapping[str, int], by_name: bool = False) -> None:
    total = sum(counts.values())
    if not total:
        return
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column(title)
    table.add_column("count", justify="right")
    table.add_column("share", justify="right")
    table.add_column("bar")
    largest = max(counts.values())
    order = sorted(counts.items(), key=(lambda i: i[0]) if by_name else (lambda i: (-i[1], i[0])))
    for name, count in order:
        table.add_row(name, str(count), f"{count / total:.1%}", "█" * round(24 * count / largest))
    console.print(table)
