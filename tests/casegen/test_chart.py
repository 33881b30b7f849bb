"""Charts under construction: bounds of the long tail, splits, what may stand together."""

from __future__ import annotations

import pytest

import casegen
from casegen.chart.bounds import TailBounds
from casegen.chart.build import Builder
from casegen.chart.fill import ensure_reason, fill_problems
from casegen.chart.frame import Frame
from casegen.chart.options import ALL_SETTINGS, BIT, SETTINGS, settings_in
from casegen.chart.splits import Goal, mix_of
from casegen.config import SPLITS
from casegen.knowledge import reference, world_of
from casegen.randomness import Source


def builder(name: str, index: int, split: str = "train") -> Builder:
    return Builder(world_of(split), Source(name).lanes(index), Frame(mask=BIT["office"]))


def test_settings_are_those_of_the_mask() -> None:
    assert settings_in(ALL_SETTINGS) == SETTINGS
    assert settings_in(BIT["inpatient"] | BIT["office"]) == ("office", "inpatient")
    assert settings_in(0) == ()


def test_bounds_refuse_what_the_builder_would_refuse() -> None:
    tables, _ = reference()
    lane = Source("bounds").lanes(0).chart
    bounds = TailBounds(tables)
    for index in range(400):
        number, (mask, low, high, sex, _, _) = bounds.draw(lane, "injury")
        chart = builder("bounds", index)
        if not chart.frame.allows(mask, low, high, sex):
            assert chart.admit_tail(tables.tail("injury", number), reason=True) is None


def test_bounds_do_not_depend_on_what_was_drawn_before() -> None:
    tables, _ = reference()
    used, fresh = TailBounds(tables), TailBounds(tables)
    lane = Source("before").lanes(0).chart
    for _ in range(300):
        used.draw(lane, "disease")
    for index in range(40):
        one, other = (Source("before").lanes(index).chart for _ in range(2))
        assert used.draw(one, "disease") == fresh.draw(other, "disease")


@pytest.mark.parametrize("split", SPLITS)
def test_a_filled_chart_belongs_to_its_split_alone(split: str) -> None:
    filled = 0
    for index in range(30):
        chart = builder("splits", index, split)
        lane = chart.lanes.chart
        assert ensure_reason(chart, lane)
        if fill_problems(chart, lane, 4, split):
            filled += 1
            fitting = [s for s in SPLITS if Goal(s, 0, chart.problems).reached()]
            assert fitting == [split]
            fitting = [s for s in SPLITS if Goal(s, 0, chart.problems[::-1]).reached()]
            assert fitting == [split]
    assert filled > 25


def test_a_goal_takes_what_brings_the_chart_into_the_split() -> None:
    goals = [Goal(split, 3, []) for split in SPLITS]
    for number in range(50):
        mix = mix_of(f"tail.{number}", str(number))
        assert all(goal.takes(2, mix) for goal in goals)
        assert sum(goal.takes(3, mix) for goal in goals) == 1


def test_kept_apart_is_what_excludes1_finds() -> None:
    tables, _ = reference()
    codes = [c.code for case in casegen.make("audit-v0", seed=3).cases(0, 12) for c in case.claim]
    codes = [code for code in dict.fromkeys(codes) if tables.exists(code)]
    for a in codes:
        for b in codes:
            assert tables.kept_apart(a, b) == bool(tables.excludes1(a, b))
    assert tables.kept_apart("J44.1", "J44.9") == bool(tables.excludes1("J44.1", "J44.9"))
    assert not tables.kept_apart("ZZZ", "J44.9")
