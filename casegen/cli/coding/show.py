"""A coding case on paper: the note with its evidence marked, the codes to choose from, the
answer, and what is wrong of the rest."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from casegen.schemas import CodingCase, GoldCode, WrongCode

from ..paper import head, heading, marked, pairs, quoted, text, told


def show_case(case: CodingCase, console: Console) -> None:
    """Print a case to a console."""
    head(case, console)
    heading(console, "Note")
    console.print(marked(case.note, [gold.evidence for gold in case.gold()]))
    heading(console, "Objective")
    console.print(text(case.objective))
    for number, hint in enumerate(case.hints, 1):
        console.print(text(f"  hint {number}: {hint}", "dim"))
    heading(console, f"Codes to choose from: {len(case.allowed)}")
    console.print(_allowed(case))
    heading(console, f"Answer: {case.primary.code} and {len(case.secondary)} more")
    for number, gold in enumerate(case.gold(), 1):
        _show_gold(console, number, gold)
    _show_review(console, case)
    heading(console, f"Wrong: {len(case.wrong)}")
    for wrong in case.wrong:
        _show_wrong(console, wrong)


def _allowed(case: CodingCase) -> Table:
    places = {gold.code: str(number) for number, gold in enumerate(case.gold(), 1)}
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("  code", no_wrap=True)
    table.add_column("title", overflow="fold")
    table.add_column("answer", justify="right")
    for one in case.allowed:
        place = places.get(one.code, "")
        cells = (f"  {one.code}", one.title, place)
        table.add_row(*map(text, cells), style="green" if place else "")
    return table


def _show_gold(console: Console, number: int, gold: GoldCode) -> None:
    place = "primary" if number == 1 else "secondary"
    console.print(text(f"[{number}] {gold.code}, {place}", "green"))
    rows = [("why", gold.reason), ("authority", told(gold.authority))]
    rows.append(("evidence", quoted(gold.evidence)))
    if gold.equivalents:
        rows.append(("as right", ", ".join(gold.equivalents)))
    if gold.alternates:
        rows.append(("for half", ", ".join(gold.alternates)))
    pairs(console, *rows)


def _show_review(console: Console, case: CodingCase) -> None:
    review = case.review
    if review is None:
        console.print(text("No person has to look at it."))
        return
    console.print(text(f"A person has to look at it: {review.kind}", "yellow"))
    rows = [("why", review.reason), ("authority", told(review.authority))]
    pairs(console, *rows, ("evidence", quoted(review.evidence)))


def _show_wrong(console: Console, wrong: WrongCode) -> None:
    near = f" beside {wrong.gold}" if wrong.gold else ""
    console.print(text(f"{wrong.code}{near}: {wrong.kind}", "red"))
    rows = [("why", wrong.reason), ("authority", told(wrong.authority))]
    if wrong.evidence:
        rows.append(("evidence", quoted(wrong.evidence)))
    pairs(console, *rows)
