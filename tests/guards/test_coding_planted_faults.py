"""Faults planted in coding cases are objected to by the derivation from the record, which has no
part in making them."""

from __future__ import annotations

from collections import Counter

import pytest

import casegen
from casegen.accident import AccidentError
from casegen.coding.certify import certify
from casegen.knowledge import reference
from casegen.schemas import CertificationError, CodingCase

from .planting_coding import CODING_FAULTS, CodingFault, spoiled

CASES = 250
ENOUGH = 12
# Of the cases that a fault touches so many may pass, in per cent of all: a fact that another one
# states as well, or two codes that cite one rule.
MISSED_AT_MOST = 1.0


@pytest.fixture(scope="module")
def cases() -> list[CodingCase]:
    return list(casegen.make("coding-v0", seed=77).cases(0, CASES))


def passes(case: CodingCase) -> bool:
    """Whether nothing is objected to. An accident is an objection too: no such case is given
    out."""
    try:
        certify(case, *reference())
    except (CertificationError, AccidentError):
        return False
    return True


def hunt(fault: CodingFault, cases: list[CodingCase]) -> tuple[int, list[str]]:
    """How many cases the fault touched, and those that passed with it."""
    touched, missed = 0, []
    for case in cases:
        copy = spoiled(fault, case)
        if copy is not None:
            touched += 1
            missed += [case.id] if passes(copy) else []
        if touched >= ENOUGH:
            break
    return touched, missed


def test_forty_faults_are_planted() -> None:
    assert len({fault.name for fault in CODING_FAULTS}) == len(CODING_FAULTS) >= 40


def test_without_a_fault_nothing_is_objected_to(cases: list[CodingCase]) -> None:
    assert all(passes(case) for case in cases)


def test_planted_faults_are_caught(
    cases: list[CodingCase], capsys: pytest.CaptureFixture[str]
) -> None:
    touched: Counter[str] = Counter()
    missed: dict[str, list[str]] = {}
    for fault in CODING_FAULTS:
        touched[fault.name], found = hunt(fault, cases)
        if found:
            missed[fault.name] = found
    total = sum(touched.values())
    with capsys.disabled():
        print(f"\n{len(CODING_FAULTS)} faults in {total} coding cases; passed with a fault:")
        for name, ids in missed.items():
            print(f"  {name}: {len(ids)} of {touched[name]}, such as {ids[0]}")
    assert not [fault.name for fault in CODING_FAULTS if not touched[fault.name]], "never used"
    assert not [name for name, ids in missed.items() if len(ids) == touched[name]], "never caught"
    assert 100 * sum(map(len, missed.values())) / total <= MISSED_AT_MOST
