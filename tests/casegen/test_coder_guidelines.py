"""The coder's rules for single facts, as statements."""

from __future__ import annotations

import pytest

from casegen.chart.model import Problem
from casegen.coder.draft import Draft
from casegen.coder.links import assumed_links
from casegen.coder.order import chapter15_first, in_order
from casegen.coder.told import of_history, of_paralysis, of_pregnancy, of_uncertain
from casegen.wording import Wording


def problem(code: str, **attributes: str) -> Problem:
    return Problem("p1", "x", "x", code, "x", "chronic", Wording(["x"]), attributes)


def drafts(*codes: str) -> list[Draft]:
    return [Draft(code, "ICD-10-CM", [code]) for code in codes]


def ordered(*codes: str) -> list[str]:
    return [draft.code for draft in in_order(chapter15_first(drafts(*codes)), [])]


@pytest.mark.parametrize(
    ("code", "stay", "billed"),
    [
        ("J18.9", True, "J18.9"),
        ("J18.9", False, None),
        ("U07.1", True, None),
        ("B20", True, None),
        ("A92.5", True, None),
        ("J10.1", True, "J11.1"),
        ("J10.1", False, None),
    ],
)
def test_only_a_hospital_codes_what_is_uncertain(code: str, stay: bool, billed: str | None) -> None:
    assert of_uncertain(code, stay) == billed


@pytest.mark.parametrize(
    ("weeks", "code"),
    [(8, "O10.011"), (13, "O10.011"), (14, "O10.012"), (27, "O10.012"), (28, "O10.013")],
)
def test_trimesters_end_with_13_and_27_weeks(weeks: int, code: str) -> None:
    assert of_pregnancy("O10.01", weeks) == code


def test_an_infarction_is_old_after_four_weeks() -> None:
    assert of_history(problem("I21.4", weeks_ago="4"), "I21.4") == "I21.4"
    assert of_history(problem("I21.4", weeks_ago="5"), "I21.4") == "I25.2"


def test_the_hand_that_is_not_told_is_the_right_one() -> None:
    assert of_paralysis(problem("I69.35", side="right")) == "I69.351"
    assert of_paralysis(problem("I69.35", side="left")) == "I69.354"
    assert of_paralysis(problem("I69.35", side="left", handedness="left")) == "I69.352"


def test_what_the_provider_unties_is_not_linked() -> None:
    heart = ["I10", "I50.22"]
    assert [link.code for link in assumed_links(heart)] == ["I11.0"]
    assert assumed_links(heart, lambda one, other: True) == []
    codes = ["E11.9", "I10", "N18.31"]
    assert [link.code for link in assumed_links(codes)] == ["I12.9", "E11.22"]
    assert assumed_links(codes, lambda one, other: True) == []
    only_pressure = assumed_links(codes, lambda one, other: one == 1)
    assert [link.code for link in only_pressure] == ["E11.22"]


def test_lines_move_only_where_a_guideline_says_so() -> None:
    assert ordered("M10.9", "D63.1", "N18.32", "I10") == ["M10.9", "N18.32", "D63.1", "I10"]
    assert ordered("D63.1", "N18.6", "I12.0") == ["I12.0", "N18.6", "D63.1"]
    assert ordered("J45.20", "O99.513", "Z3A.30") == ["O99.513", "J45.20", "Z3A.30"]
    assert ordered("R65.20", "N17.9", "A41.51") == ["A41.51", "R65.20", "N17.9"]
    assert ordered("I50.22", "I09.81") == ["I09.81", "I50.22"]
    assert ordered("M10.9", "I10", "E78.5") == ["M10.9", "I10", "E78.5"]
