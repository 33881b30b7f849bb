"""Errors that a claim has no room for are left out, or the draw is given up."""

from __future__ import annotations

import pytest

from casegen.accident import AccidentError
from casegen.audit import CROWDED, TOO_LONG, TOO_SHORT, _make_room
from casegen.injectors.demographic_mismatch import Intruder, Surprise
from casegen.injectors.excludes1_conflict import Conflict
from casegen.injectors.model import Plan
from casegen.injectors.specificity_error import Specificity
from casegen.injectors.untraceable_code import UntraceableCode


def error(name: str) -> Plan:
    if name == "intruder":
        return Intruder("sex")
    if name == "conflict":
        return Conflict("p1", "p2", "J45.909", "r3")
    if name == "untraceable":
        return UntraceableCode("never_existed")
    if name == "decoy":
        return Surprise("p9", "")
    return Specificity("p4", "laterality", name == "open")


def left(names: str, lines: int, least: int) -> list[str]:
    """Which errors stay on a right claim of so many lines."""
    named = {id(plan := error(name)): (name, plan) for name in names.split()}
    plans = [plan for _, plan in named.values()]
    _make_room(plans, lines, least)
    return [named[id(plan)][0] for plan in plans]


def test_errors_that_fit_all_stay() -> None:
    assert left("side conflict intruder", 6, 1) == ["side", "conflict", "intruder"]


def test_the_last_error_goes_where_more_than_half_of_the_codes_would_be_wrong() -> None:
    assert left("side decoy untraceable", 3, 1) == ["side", "decoy"]


def test_a_question_is_never_left_out() -> None:
    assert left("side open", 3, 1) == ["open"]


def test_a_line_too_many_goes_with_the_error_that_brings_it() -> None:
    assert left("conflict side", 12, 1) == ["side"]


@pytest.mark.parametrize(
    ("names", "lines", "least", "reason"),
    [
        ("side untraceable", 3, 2, CROWDED),
        ("intruder", 12, 1, TOO_LONG),
        ("", 13, 0, TOO_LONG),
        ("side", 2, 1, TOO_SHORT),
    ],
)
def test_the_draw_is_given_up_where_nothing_can_go(
    names: str, lines: int, least: int, reason: str
) -> None:
    with pytest.raises(AccidentError, match=reason):
        left(names, lines, least)
