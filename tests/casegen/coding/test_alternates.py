"""Half right is the nearest code that says less than the right one, and nothing else."""

from __future__ import annotations

import pytest

import casegen
from casegen.checker import near
from casegen.coding.words import is_half
from casegen.knowledge import reference

NEAREST = [
    ("H25.12", "H25.10"), ("H40.1131", "H40.1130"), ("H40.1131", "H40.1191"),
    ("H10.13", "H10.10"), ("C78.01", "C78.00"), ("M21.932", "M21.939"), ("N18.31", "N18.30"),
    ("S80.01XD", "S80.00XD"), ("H00.011", "H00.019"),
]  # fmt: skip
# Codes for the whole category, for another thing, or with more than the record says.
OTHERS = [
    ("H25.12", "H25.9"), ("H40.1131", "H40.10X1"), ("H10.13", "H10.9"), ("C78.01", "C78.30"),
    ("M21.932", "M21.90"), ("W01.0XXD", "W01.10XD"), ("R11.0", "R11.2"), ("F02.811", "F02.818"),
    ("D69.6", "D69.9"), ("K92.2", "K92.9"), ("K86.1", "K86.9"), ("N39.0", "N39.9"),
    ("E16.2", "E16.9"), ("E78.5", "E78.9"), ("I67.1", "I67.9"), ("R79.1", "R79.9"),
]  # fmt: skip


@pytest.mark.parametrize(("right", "code"), NEAREST)
def test_the_nearest_code_that_says_less_is_half_right(right: str, code: str) -> None:
    tables, _ = reference()
    assert is_half(tables, code, right)
    assert near.is_half(tables, code, right)


@pytest.mark.parametrize(("right", "code"), OTHERS)
def test_a_farther_code_is_not(right: str, code: str) -> None:
    tables, _ = reference()
    assert not is_half(tables, code, right)
    assert not near.is_half(tables, code, right)


def test_no_nearest_code_of_a_set_stands_with_the_wrong_ones() -> None:
    tables, _ = reference()
    found = 0
    for case in casegen.make("coding-v0", seed=7).cases(0, 300):
        for one in case.gold():
            found += len(one.alternates)
            assert all(is_half(tables, code, one.code) for code in one.alternates)
            for wrong in case.wrong:
                if wrong.kind in ("less_specific", "wrong_type", "wrong_stage", "not_documented"):
                    assert not is_half(tables, wrong.code, one.code), (case.id, wrong.code)
    assert found >= 100
