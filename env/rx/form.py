"""The form of an rx case that was made elsewhere: what the grader goes by must hold together."""

from __future__ import annotations

from collections.abc import Iterator

from casegen.schemas.rx_case import RxCase

from ..caseform import Fault, misquoted
from .case import FIELDS, LOOKED_FOR, dangerous, entries
from .grading import items
from .pairs import keys_of


def faults(case: RxCase) -> Iterator[Fault]:
    """What does not hold among the fields that only cases of this family have."""
    for name in ("drug", "dose", "frequency"):
        if not getattr(case.prescription, name).strip():
            yield Fault(f"prescription.{name}", "", "must be told")
    for name in ("allergies", "medications", "conditions_listed"):
        yield from misquoted(case.note, name, getattr(case, name))
    yield from _findings(case)
    yield from _decoys(case)
    yield from _answer(case)


def _findings(case: RxCase) -> Iterator[Fault]:
    looked_for = ("dose", *LOOKED_FOR[case.task])
    taken: dict[frozenset[object], int] = {}
    for number, one in enumerate(case.findings):
        where = f"findings[{number}]"
        if one.component not in looked_for:
            yield Fault(f"{where}.component", one.component, f"{case.task} looks for no such thing")
        if not one.authority:
            yield Fault(f"{where}.authority", [], "must name who says so")
        yield from misquoted(case.note, f"{where}.evidence", one.evidence)
        if one.component == "dose":
            continue
        yield from _names(f"{where}.names", one.names)
        key = frozenset([one.component, *keys_of(one.names[0])]) if one.names else frozenset()
        if key in taken:
            told = f"is named as findings[{taken[key]}] is"
            yield Fault(f"{where}.names[0]", one.names[0], told)
        taken[key] = number


def _decoys(case: RxCase) -> Iterator[Fault]:
    for number, one in enumerate(case.decoys):
        where = f"decoys[{number}]"
        yield from misquoted(case.note, f"{where}.evidence", one.evidence)
        if one.component in FIELDS:
            yield from _names(f"{where}.names", one.names)


def _names(where: str, names: list[str]) -> Iterator[Fault]:
    if not names:
        yield Fault(where, [], "must hold a pair, A-B")
    for number, name in enumerate(names):
        if not keys_of(name):
            yield Fault(f"{where}[{number}]", name, "must be a pair, A-B")


def _answer(case: RxCase) -> Iterator[Fault]:
    doses = [one for one in case.findings if one.component == "dose"]
    if case.dosage_safe and doses:
        yield Fault("dosage_safe", True, "must be false where the dose is a finding")
    if not case.dosage_safe and not case.findings:
        yield Fault("dosage_safe", False, "must be true where nothing is found")
    wrong = dangerous(case)
    if (case.recommendation != "approve") != wrong:
        told = "modify or reject" if wrong else "approve"
        yield Fault("recommendation", case.recommendation, f"must be {told} by the findings")
    if case.recommendation in case.also_accepted:
        yield Fault("also_accepted", case.recommendation, "is the recommendation itself")
    most = (1 + entries(case)) / 2
    if items(case, None).wanted > most:
        told = f"the record must have {2 * items(case, None).wanted - 1} entries or more"
        yield Fault("findings", items(case, None).wanted, told)
