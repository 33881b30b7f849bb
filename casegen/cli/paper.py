"""Pieces of a case on paper: what ``casegen show`` prints of a case of any family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from casegen.schemas import Authority, Span
from casegen.schemas.anycase import AnyCase
from casegen.schemas.errors import printable


def text(words: str, style: str = "") -> Text:
    """Words of a case, with nothing in them that a terminal would obey."""
    return Text(printable(words, keep="\n"), style=style)


def heading(console: Console, words: str) -> None:
    """A title with a line above and below it."""
    console.print(Text(f"\n{words}\n", style="bold"))


def pairs(console: Console, *rows: tuple[str, str]) -> None:
    """Names and values in two columns, the values wrapped in theirs."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(text(f"  {name}"), text(value))
    console.print(grid)


def head(case: AnyCase, console: Console) -> None:
    """The id, the patient, the encounter and the difficulty."""
    patient, encounter = case.patient, case.encounter
    console.rule(text(f" {case.id} "), align="left")
    stay = f"admitted {encounter.admission_date}, discharged " if encounter.admission_date else ""
    setting = encounter.setting.replace("_", " ")
    pairs(
        console,
        ("patient", f"{patient.name}, {patient.sex}, born {patient.birth_date}"),
        ("", f"{patient.mrn}, {patient.insurance}"),
        ("encounter", f"{setting}, {stay}{encounter.service_date}"),
        ("claim type", encounter.claim_type),
        ("difficulty", f"{case.difficulty}, {case.max_steps} steps"),
    )


def told(authority: Authority) -> str:
    """An authority with its edition."""
    return f"{authority.reference} ({authority.edition})"


def quoted(evidence: Iterable[Span]) -> str:
    """The words of the note on which something rests, each once."""
    return "; ".join(dict.fromkeys(f'"{span.text}"' for span in evidence))


def marked(note: str, evidence: Sequence[Sequence[Span]]) -> Text:
    """The note; the spans of the first list stand as ``[1: words]``, in colour on a terminal."""
    spans: dict[tuple[int, int], list[int]] = {}
    for number, own in enumerate(evidence, 1):
        for span in own:
            numbers = spans.setdefault((span.start, span.end), [])
            if number not in numbers:
                numbers.append(number)
    opens: dict[int, list[str]] = {}
    closes: dict[int, int] = {}
    for (start, end), numbers in sorted(spans.items(), key=lambda item: (item[0][0], -item[0][1])):
        opens.setdefault(start, []).append(f"[{','.join(map(str, numbers))}: ")
        closes[end] = closes.get(end, 0) + 1
    shown = Text()
    depth = at = 0
    for place in sorted(set(opens) | set(closes)):
        shown.append(text(note[at:place], "bold yellow" if depth else ""))
        at = place
        for _ in range(closes.get(place, 0)):
            shown.append("]", style="bold red")
            depth -= 1
        for mark in opens.get(place, ()):
            shown.append(mark, style="bold red")
            depth += 1
    shown.append(text(note[at:].rstrip("\n")))
    return shown
