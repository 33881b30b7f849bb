"""A case's words depend on its name alone."""

from __future__ import annotations

from collections import Counter

import numpy as np

from casegen.randomness import DRAWS, LANES, WORDS, Lane, Source, running_sums


def words(lane: Lane, count: int) -> list[int]:
    return [lane.draw() for _ in range(count)]


def test_a_row_fills_whole_philox_blocks() -> None:
    assert sum(LANES.values()) == DRAWS
    assert DRAWS % 16 == 0


def test_any_order_of_access_gives_the_same_words() -> None:
    forward, backward = Source("f/train/1"), Source("f/train/1")
    ahead = {i: words(forward.lanes(i).note, 60) for i in range(130)}
    behind = {i: words(backward.lanes(i).note, 60) for i in reversed(range(130))}
    assert ahead == behind


def test_a_row_is_the_philox_stream_at_its_counter() -> None:
    source = Source("f/train/1")
    raw = np.random.Philox(key=source._key, counter=1000 * (WORDS // 4)).random_raw(WORDS)
    low_first = [int(word) >> shift & 0xFFFF for word in raw for shift in (0, 16, 32, 48)]
    assert words(source.lanes(1000).plan, LANES["plan"]) == low_first[: LANES["plan"]]


def test_a_new_draw_in_the_note_does_not_move_the_patient() -> None:
    one, two = Source("f/train/1").lanes(5), Source("f/train/1").lanes(5)
    words(one.note, 500)
    assert words(one.patient, 40) == words(two.patient, 40)


def test_streams_of_neighbouring_seeds_share_nothing() -> None:
    seen: set[tuple[int, ...]] = set()
    for seed in (42, 43, 4242):
        for index in range(50):
            drawn = words(Source(f"f/train/{seed}").lanes(index).chart, 64)
            for at in range(0, 64, 4):
                assert tuple(drawn[at : at + 4]) not in seen
                seen.add(tuple(drawn[at : at + 4]))


def test_a_dry_lane_goes_on_with_other_words() -> None:
    lane = Source("f/train/1").lanes(0).patient
    drawn = words(lane, LANES["patient"] + 200)
    assert len(set(drawn[LANES["patient"] :])) > 190


def test_another_attempt_shares_no_word_with_the_first() -> None:
    source = Source("f/train/1")
    assert words(source.lanes(3).chart, 4) != words(source.lanes(3, 1).chart, 4)


def test_below_is_even_and_within_bounds() -> None:
    lane = Source("f/train/9").lanes(0).plan
    counts = Counter(lane.below(7) for _ in range(70_000))
    assert set(counts) == set(range(7))
    assert max(abs(n - 10_000) for n in counts.values()) < 450


def test_large_ranges_are_reached_to_the_end() -> None:
    lane = Source("f/train/9").lanes(0).plan
    drawn = [lane.below(1_000_000) for _ in range(5_000)]
    assert min(drawn) < 2_000
    assert max(drawn) > 998_000


def test_weights_are_kept() -> None:
    lane = Source("f/train/2").lanes(0).plan
    counts = Counter(lane.weighted("abc", running_sums([1, 0, 3])) for _ in range(40_000))
    assert counts["b"] == 0
    assert abs(counts["c"] - 30_000) < 400


def test_shuffled_keeps_every_item() -> None:
    lane = Source("f/train/2").lanes(0).plan
    items = list(range(20))
    assert sorted(lane.shuffled(items)) == items
    assert any(lane.shuffled(items) != items for _ in range(3))


def test_seeds_and_indices_of_64_bits_are_taken() -> None:
    source = Source(f"f/train/{(1 << 64) - 1}")
    assert words(source.lanes((1 << 64) - 1).plan, 4) == words(
        Source(f"f/train/{(1 << 64) - 1}").lanes((1 << 64) - 1).plan, 4
    )
