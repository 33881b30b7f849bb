"""Each row is predicted by a model that has seen neither it nor a later one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from casegen.learn.curve import MOST_POINTS, Curve
from casegen.learn.rows import Row
from casegen.learn.simulate import Simulation, Tally

WORDS = ("cough", "fever", "pain", "rash", "fall", "wheeze", "cramp")


def stream(count: int) -> Iterator[Row]:
    """Rows of which a word tells the code."""
    for i in range(count):
        at = (i * i + i // 3) % len(WORDS)
        yield Row(i + 2, f"{WORDS[at]} since {i % 5} days", f"R{at:02}.{at}")


def after(rows: list[Row], warmup: int = 20, batch: int = 10) -> Simulation:
    simulation = Simulation(warmup, batch)
    for _ in simulation.run(rows):
        pass
    return simulation


@pytest.mark.parametrize(("warmup", "batch"), [(0, 10), (7, 10), (20, 10), (25, 1000), (999, 10)])
def test_the_first_rows_are_learned_and_the_others_evaluated(warmup: int, batch: int) -> None:
    tally = after(list(stream(100)), warmup, batch).tally
    assert tally.learned == 100
    assert tally.warmup == min(warmup, 100)
    assert tally.evaluated == 100 - tally.warmup


def test_a_batch_of_very_long_texts_holds_fewer_rows() -> None:
    rows = [Row(i, "cough " * 200_000, "R05.9") for i in range(9)]
    assert list(Simulation(1, 100).run(rows)) == [1, 4, 4]


def test_it_learns() -> None:
    tally = after(list(stream(400))).tally
    assert tally.right / tally.evaluated > 0.95 > 0.3 > tally.majority / tally.evaluated
    assert tally.in_top >= tally.right


def test_later_rows_do_not_change_what_was_measured_before() -> None:
    rows = list(stream(60))
    others = [Row(row.line, "cough", "R99") for row in stream(40)]
    one, other = Simulation(20, 10), Simulation(20, 10)
    seen = [(one.tally, one.curve.points()) for _ in one.run([*rows, *stream(40)])]
    again = [(other.tally, other.curve.points()) for _ in other.run([*rows, *others])]
    assert seen[:6] == again[:6]
    assert seen[6:] != again[6:]


@pytest.mark.parametrize("batch", [1, 7, 100])
def test_no_row_helps_with_its_own_prediction(batch: int) -> None:
    """A row whose text and code came never before can't be foreseen, in whatever batch."""
    rows = [Row(i + 2, f"word{i}", f"A{i % 100:02}.{i // 100}") for i in range(300)]
    tally = after(rows, 50, batch).tally
    assert (tally.right, tally.in_top, tally.majority) == (0, 0, 0)
    assert tally.new == tally.evaluated == 250


def test_rows_of_one_batch_do_not_help_each_other() -> None:
    rows = [*stream(20), *(Row(i, "hiccup", "R06.6") for i in range(10))]
    assert after(rows, 20, 10).tally.right == 0
    assert after(rows, 20, 1).tally.right == 9


def test_the_curve_has_as_many_points_for_any_stream() -> None:
    for batches in (1, 5, MOST_POINTS, MOST_POINTS + 1, 12_345):
        curve = Curve()
        for i in range(batches):
            curve.add(Tally(evaluated=i * 10, right=i), Tally(evaluated=i * 10 + 10, right=i + 1))
        points = curve.points()
        assert min(batches, MOST_POINTS // 2) <= len(points) <= MOST_POINTS
        assert points[-1].rows == batches * 10
        assert {point.window_accuracy for point in points} == {0.1}
        steps = {b.rows - a.rows for a, b in pairwise(points[:-1])}
        assert len(steps) <= 1
