"""Which right code a wrong one was meant to be."""

from __future__ import annotations

from casegen.checker.matching import assign, common_prefix, distance, fills


def test_distance_counts_single_edits():
    assert distance("E119", "E119") == 0
    assert distance("E119", "E19") == 1
    assert distance("E119", "E911") == 2
    assert distance("", "ABC") == 3


def test_prefix_counts_shared_leading_characters():
    assert common_prefix("M545", "M5450") == 4
    assert common_prefix("A", "B") == 0


def test_a_stem_is_filled_by_length_or_by_placeholders():
    assert fills("E11", "E119")
    assert fills("W19A", "W19XXXA")
    assert fills("W2189A", "W2189XA")
    assert fills("S72001", "S72001A")
    assert not fills("E119", "E1122")
    assert not fills("S52501A", "S52501D")
    assert not fills("W2189A", "W2180XA")


def test_the_longest_prefix_goes_first_and_each_code_once():
    assert assign({1: "M545", 2: "N183"}, ["N18.31", "M54.50"]) == {1: "M54.50", 2: "N18.31"}
    assert assign({1: "M545", 2: "M54"}, ["M54.50"]) == {1: "M54.50"}
    assert assign({1: "E119"}, []) == {}
    assert assign({}, ["E11.9"]) == {}


def test_equal_couples_follow_the_record():
    assert assign({1: "Z00"}, ["A01.0", "A02.0"]) == {1: "A01.0"}
