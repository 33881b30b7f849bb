"""The form of an audit case that was made elsewhere: its claim, findings and decoys."""

from __future__ import annotations

from collections.abc import Iterator

from casegen.schemas import Case
from casegen.schemas.case import Finding

from ..caseform import Fault, blank_code, misquoted
from ..codes import fold


def faults(case: Case) -> Iterator[Fault]:
    """What does not hold."""
    yield from _claim(case)
    for number, finding in enumerate(case.findings):
        yield from _finding(case, f"findings[{number}]", finding)
    for number, decoy in enumerate(case.decoys):
        where = f"decoys[{number}]"
        yield from _on_claim(case, where, decoy.line, decoy.code)
        yield from misquoted(case.note, f"{where}.evidence", decoy.evidence)


def _claim(case: Case) -> Iterator[Fault]:
    if not case.claim:
        yield Fault("claim", [], "must hold a line")
    lines: set[int] = set()
    for number, line in enumerate(case.claim):
        if line.line in lines:
            told = "another line of the claim has the same number"
            yield Fault(f"claim[{number}].line", line.line, told)
        lines.add(line.line)
        yield from blank_code(f"claim[{number}].code", line.code)


def _finding(case: Case, where: str, finding: Finding) -> Iterator[Fault]:
    yield from _on_claim(case, where, finding.line, finding.code)
    for number, code in enumerate(finding.accepted_codes):
        yield from blank_code(f"{where}.accepted_codes[{number}]", code)
    if fold(finding.code) not in map(fold, finding.accepted_codes):
        told = f"must hold the code of the finding, {finding.code}"
        yield Fault(f"{where}.accepted_codes", finding.accepted_codes, told)
    if finding.error_type not in finding.accepted_error_types:
        told = f"must hold the type of the finding, {finding.error_type}"
        yield Fault(f"{where}.accepted_error_types", finding.accepted_error_types, told)
    mend = finding.correction
    yield from _on_claim(case, f"{where}.correction", mend.line, mend.code)
    yield from misquoted(case.note, f"{where}.evidence", finding.evidence)


def _on_claim(case: Case, where: str, number: int, code: str) -> Iterator[Fault]:
    yield from blank_code(f"{where}.code", code)
    line = next((line for line in case.claim if line.line == number), None)
    if line is None:
        yield Fault(f"{where}.line", number, "the claim has no such line")
    elif fold(line.code) != fold(code):
        yield Fault(f"{where}.code", code, f"line {number} of the claim holds {line.code}")
