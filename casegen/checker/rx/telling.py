"""The report on a prescription, as text or JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from casegen.schemas.rx_case import Prescription, RxAuthority
from casegen.seeds.rx.recommending import RULE

from .model import Report


def report_dict(report: Report) -> dict[str, Any]:
    """The report as plain JSON values, with the written rule of its recommendation."""
    return {**asdict(report), "rule": RULE}


def authority_text(one: RxAuthority) -> str:
    """Who says so, in words: the label of a drug with its section, a guideline with its place."""
    if one.source == "label":
        numbered = one.section[:1].isdigit()
        return f"label of {one.reference}, {'section ' if numbered else ''}{one.section}"
    return f"{one.reference}, {one.section}"


def render_report(report: Report, written: Prescription) -> str:
    """The report as plain text, one block for each finding, what to watch and what is open."""
    return "\n".join(_lines(report, written)) + "\n"


def _lines(report: Report, written: Prescription) -> Iterator[str]:
    told = " ".join(text for text in (written.drug, written.dose, written.frequency) if text)
    # What nobody judged might change the answer, so the first line says that there is some.
    left_out = f", {len(report.open)} not judged" if report.open else ""
    yield f"{report.recommendation.upper()}{left_out}  {told}"
    also = "".join(f", {one} is as right (authorities differ)" for one in report.also_accepted)
    safe = "fits" if report.dosage_safe else "does not fit"
    yield f"  {_count(len(report.findings), 'finding')}; the dose {safe}{also}"
    for found in report.findings:
        yield ""
        yield f"FINDING  {found.component}: {found.problem} ({found.severity}, {found.asks})"
        yield f"  {found.names[0] if found.names else ' and '.join(found.pair)}"
        yield f"  {found.reason}"
        yield f"  mend: {found.management}"
        yield from _authorities(found.authority)
    for watch in report.watches:
        yield ""
        yield f"{'WATCH' if watch.tolerated else 'NO FINDING'}  {watch.component}: {watch.kind}"
        yield f"  {watch.names[0] if watch.names else ' and '.join(watch.pair)}"
        yield f"  {watch.reason}"
        yield from _authorities(watch.authority)
    if report.open:
        yield ""
        yield "NOT JUDGED"
        for left in report.open:
            yield f"  {left.component}, {left.about}: {left.reason}"


def _authorities(authority: list[RxAuthority]) -> Iterator[str]:
    for one in authority:
        yield f"  authority: {authority_text(one)}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
