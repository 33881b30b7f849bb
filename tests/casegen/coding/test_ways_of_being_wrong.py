"""Wrong codes are wrong in the way that is told of them."""

from __future__ import annotations

import pytest

import casegen
from casegen.checker.near import at_odds, says_no_more
from casegen.coding.words import contradicts, says_less
from casegen.knowledge import reference
from casegen.schemas import CodingCase


@pytest.fixture(scope="module")
def cases() -> list[CodingCase]:
    return list(casegen.make("coding-v0", seed=17).cases(0, 500))


@pytest.mark.parametrize(
    ("code", "right", "less"),
    [
        ("J44.9", "J44.1", True),
        ("I72.9", "I72.8", True),
        ("Z85.9", "Z85.46", True),
        # Some complication is more than none; an adjustment disorder is no vaguer stress disorder.
        ("E11.8", "E11.9", False),
        ("F43.20", "F43.10", False),
        # What one title denies the other one affirms.
        ("K22.719", "K22.70", False),
        ("I25.119", "I25.10", False),
        ("F02.818", "F02.80", False),
        ("G43.901", "G43.109", False),
        ("G40.901", "G40.309", False),
        ("C95.11", "C95.10", False),
        ("K80.30", "K80.50", False),
        ("L97.204", "L97.216", False),
        # Another one of several things under one heading.
        ("I48.91", "I48.92", False),
        ("N92.6", "N92.0", False),
        ("B95.5", "B95.2", False),
        ("E66.9", "E66.3", False),
        ("K29.70", "K29.80", False),
        ("G43.909", "G43.109", True),
        ("E66.9", "E66.01", True),
        ("K31.9", "K31.84", True),
        ("L23.9", "L23.7", True),
    ],
)
def test_a_vaguer_code_says_nothing_that_the_right_one_does_not(
    code: str, right: str, less: bool
) -> None:
    tables, _ = reference()
    assert says_less(tables, code, right) is less
    assert says_no_more(tables, code, right) is less


def test_no_code_is_called_vaguer_that_affirms_what_the_right_one_denies(
    cases: list[CodingCase],
) -> None:
    tables, _ = reference()
    seen = 0
    for case in cases:
        for one in case.wrong:
            if one.kind == "less_specific":
                seen += 1
                assert one.gold is not None
                assert not contradicts(tables, one.code, one.gold), (case.id, one.code)
                assert not at_odds(tables, one.code, one.gold), (case.id, one.code)
    assert seen >= 300


def test_a_condition_that_is_present_is_no_history(cases: list[CodingCase]) -> None:
    seen = 0
    for case in cases:
        past = any(f.kind == "problem" and f.status == "history" for f in case.record)
        found = [o for o in case.wrong if "I.C.21.c.4" in o.authority.reference]
        seen += len(found)
        assert not (past and found)
        assert len(found) <= 2
        for one in found:
            assert one.kind == "history"
            assert one.gold in {given.code for given in case.gold()}
    assert seen >= 100


def test_most_wrong_codes_are_wrong_for_what_the_record_says(cases: list[CodingCase]) -> None:
    kinds = [one.kind for case in cases for one in case.wrong]
    assert kinds.count("not_documented") <= 0.4 * len(kinds)
