"""How simple readers cut a note into sentences."""

from __future__ import annotations

import pytest

from casegen.env.writing.reading import sentences


@pytest.mark.parametrize(
    "whole",
    [
        "Sepsis, E. coli grown from the blood.",
        "Mr. Lee was seen by Dr. Ross.",
        "She takes St. John wort.",
        "Asthma vs. bronchitis was discussed.",
        "It lasted approx. 3 hours.",
        "The wound of 1.3 cm was closed.",
    ],
)
def test_a_full_stop_that_ends_no_sentence_ends_none(whole: str) -> None:
    assert sentences(f"{whole} Next one.\nLast") == [whole, "Next one.", "Last"]


def test_a_single_letter_may_end_a_sentence() -> None:
    assert sentences("He has hepatitis C. He lacks vitamin D. No more.") == [
        "He has hepatitis C.",
        "He lacks vitamin D.",
        "No more.",
    ]


def test_the_number_of_an_item_is_no_sentence() -> None:
    assert sentences("PLAN\n1. Rest. 2. Water.") == ["PLAN", "Rest.", "Water."]
